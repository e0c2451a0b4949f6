/** Gates beside commands in whole runs: what they see, in which order they are asked, what a doubt or a hidden gate does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, ofType, type Scratch, scratch, write } from "./harness.js";

const front = (yaml: string, tasks = "- [ ] work\n"): string => `---\n${yaml}\n---\n${tasks}`;

/** Prints these answers in turn, and counts how often it was asked. */
function judgeScript(place: Scratch, words: string[], usage: object | null = null): string {
  const path = join(place.home, "judge.mjs");
  const extra = usage === null ? {} : { usage };
  write(
    path,
    `import { appendFileSync, existsSync, readFileSync } from "node:fs";
const log = ${JSON.stringify(join(place.home, "asked"))};
const asked = existsSync(log) ? readFileSync(log, "utf8").length : 0;
appendFileSync(log, "x");
const words = ${JSON.stringify(words)};
const word = words[asked % words.length];
console.log(JSON.stringify({ answers: [{ question: 1, answer: word, evidence: { file: "README.md", line: 1 } }], ...${JSON.stringify(extra)} }));
`,
  );
  return `reviewer: { agent: command, argv: [node, ${path}] }`;
}

const asked = (place: Scratch): number => {
  try {
    return readFileSync(join(place.home, "asked"), "utf8").length;
  } catch {
    return 0;
  }
};

describe("a diff gate", () => {
  it("judges what the whole run changed, without plan and loop files", async () => {
    const place = scratch({ "PLAN.md": front("gates:\n  - { name: scope, diff: { only: ['work-*'], maxLines: 50 } }") });
    const ran = await place.run([
      "run",
      "--trust",
      ...agent(place, "work; if [ $n = 1 ]; then echo x >> README.md; else git checkout -q HEAD~1 -- README.md; fi; echo note >> .ralph/progress.md; tick"),
    ]);
    expect(ran.code).toBe(0);
    expect(place.prompt(2)).toContain("only work-* may change, but README.md changed");
  });
});

describe("a rubric", () => {
  it("is asked only when the deterministic gates pass, and its cost counts", async () => {
    const place = scratch();
    const reviewer = judgeScript(place, ["yes"], { inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 });
    place.put(
      "PLAN.md",
      front(
        `gates:\n  - { name: quality, rubric: { questions: [Is it good?], votes: 2, ${reviewer} } }\n  - { name: made, run: test -e work-2.txt, retries: 0 }`,
      ),
    );
    const ran = await place.run(["run", "--trust", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    expect(asked(place)).toBe(2);
    expect(ofType(place.journal(), "gate.verdict").map(({ name, verdict, moment }) => [name, verdict, moment])).toEqual([
      ["made", "fail", "baseline"],
      ["made", "fail", "claim"],
      ["made", "pass", "claim"],
      ["quality", "pass", "claim"],
    ]);
    expect((await place.status()).usage).toMatchObject({ inputTokens: 2_000, outputTokens: 200, costUsd: 0.5 });
  });

  it("on which the votes disagree ends the run for a person to decide", async () => {
    const place = scratch();
    place.put(
      "PLAN.md",
      front(`gates:\n  - { name: quality, rubric: { questions: [Is it good?], minConfidence: 0.9, ${judgeScript(place, ["yes", "no", "yes"])} } }`),
    );
    const ran = await place.run(["run", "--trust", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ status: "escalated", reason: "low_confidence", iteration: 1 });
    expect(ofType(place.journal(), "gate.verdict").at(-1)).toMatchObject({ name: "quality", verdict: "fail", confidence: 2 / 3 });
  });

  it("that is advisory refuses nothing and is told to the agent", async () => {
    const place = scratch();
    const tasks = "- [ ] first <!-- gate: quality -->\n- [ ] second\n";
    place.put(
      "PLAN.md",
      front(`gates:\n  - { name: quality, for: tasks, required: false, rubric: { questions: [Is it good?], votes: 1, ${judgeScript(place, ["no"])} } }`, tasks),
    );
    const ran = await place.run(["run", "--trust", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    expect(place.prompt(2)).toContain("Gate `quality` failed");
  });

  it("that spends the budget ends the run at the cap", async () => {
    const place = scratch();
    const reviewer = judgeScript(place, ["no"], { inputTokens: 1, outputTokens: 1, costUsd: 3 });
    place.put("PLAN.md", front(`gates:\n  - { name: quality, rubric: { questions: [Is it good?], votes: 1, ${reviewer} } }`));
    const ran = await place.run(["run", "--trust", "--max-cost", "2", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(3);
    expect(await place.status()).toMatchObject({ status: "capped", reason: "cost", iteration: 1 });
  });
});

describe("hidden gates", () => {
  function withHidden(command: string): Scratch {
    const place = scratch({ "PLAN.md": front("gates:\n  - { name: made, run: test -e work-1.txt }") });
    const path = join(place.home, "config/ralphd/config.yaml");
    write(path, `${readFileSync(path, "utf8")}hidden_gates:\n  - { name: held-out-secret, run: '${command}', retries: 0 }\n`);
    return place;
  }

  it("run at the end, on the working tree, after the visible ones", async () => {
    const place = withHidden("test -e work-1.txt");
    expect((await place.run(["run", "--trust", ...agent(place, "work; tick")])).code).toBe(0);
    expect(
      ofType(place.journal(), "gate.verdict")
        .map(({ name, moment }) => [name, moment])
        .slice(-2),
    ).toEqual([
      ["made", "claim"],
      ["held-out-secret", "hidden"],
    ]);
    expect(ofType(place.journal(), "run.proved")).toMatchObject([{ gates: ["made", "held-out-secret"] }]);
  });

  it("end the run when they refuse, and no file that an agent finds in its tree or in the run's pinned settings names them before", async () => {
    const place = withHidden("echo told-nobody; exit 1");
    const spy = "work; tick; cp -r .ralph ../spy-$n; cp -r .git/ralphd ../spy-git-$n; cat > /dev/null; env > ../spy-env-$n";
    const ran = await place.run(["run", "--trust", "--sandbox", "off", ...agent(place, spy)]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ status: "escalated", reason: "hidden_gate", iteration: 1 });
    const found = await place.run(["status"]);
    expect(found.code).toBe(0);
    const { execFileSync } = await import("node:child_process");
    const grep = (where: string): string => {
      try {
        return execFileSync("grep", ["-rl", "held-out-secret", where], { cwd: place.home, encoding: "utf8" });
      } catch {
        // grep exits with 1 when it finds nothing.
        return "";
      }
    };
    for (const where of ["spy-1", "spy-git-1", "spy-env-1"]) expect(grep(where)).toBe("");
    expect(place.read(".ralph/state/report.md")).toContain("held-out-secret");
    expect(place.read(".ralph/state/errors.jsonl")).not.toContain("held-out-secret");
  });

  it("are refused in the plan before anything starts", async () => {
    const place = scratch({ "PLAN.md": front("hidden_gates: [./x.sh]") });
    const ran = await place.run(["run", "--trust", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("your own config directory");
  });
});
