/** `ralphd gates` from outside: what is in force, what it says now, and which gate could never say no. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, type Scratch, scratch, write } from "../acceptance/harness.js";

const front = (gates: string[]): string => `---\ngates:\n${gates.map((gate) => `  - ${gate}\n`).join("")}---\n- [ ] work\n`;

interface Tested {
  gates: { name: string; canFail: boolean; trials: { given: string; verdict: string; about: string }[] }[];
}

async function tested(place: Scratch): Promise<{ code: number | null; canFail: Record<string, boolean>; trials: Record<string, string[]> }> {
  const ran = await place.run(["gates", "test", "--json", "--trust"]);
  const { gates } = JSON.parse(ran.stdout) as Tested;
  return {
    code: ran.code,
    canFail: Object.fromEntries(gates.map((gate) => [gate.name, gate.canFail])),
    trials: Object.fromEntries(gates.map((gate) => [gate.name, gate.trials.map((trial) => `${trial.given}: ${trial.verdict}`)])),
  };
}

function hide(place: Scratch, gate: string): void {
  const path = join(place.home, "config/ralphd/config.yaml");
  write(path, `${readFileSync(path, "utf8")}hidden_gates: [${gate}]\n`);
}

describe("list", () => {
  it("names each gate with kind, weight and origin; hidden ones only to people", async () => {
    const place = scratch({
      "PLAN.md": front(["{ name: tests, run: npm test, for: tasks }", "{ name: doc, file: README.md, matches: readme, required: false }"]),
      ".ralph/config.yaml": "gates:\n  - { name: cov, json: c.json, path: a.b, min: 80 }\n",
    });
    hide(place, "{ name: secret, run: ./x }");
    const rows = (JSON.parse((await place.run(["gates", "list", "--json"])).stdout) as { gates: Record<string, unknown>[] }).gates;
    expect(rows.map(({ name, kind, scope, required, hidden, origin, check }) => [name, kind, scope, required, hidden, origin, check])).toEqual([
      ["tests", "run", "tasks", true, false, "PLAN.md:3", "npm test"],
      ["doc", "file", "plan", false, false, "PLAN.md:4", "README.md matches /readme/"],
      ["cov", "json", "plan", true, false, ".ralph/config.yaml:2", "c.json: a.b is at least 80"],
      ["secret", "run", "plan", true, true, "your own config.yaml", "./x"],
    ]);
    expect((await place.run(["gates", "list"])).stdout).toMatch(/^NAME .*\ntests +run +tasks +required +PLAN.md:3 +npm test\n/);
    expect((await place.run(["gates", "list"], { env: { RALPHD_RUN: "r" } })).stdout).not.toContain("secret");
  });
});

describe("run", () => {
  it("judges the files as they are; only a required gate makes exit code 1", async () => {
    const place = scratch({ "PLAN.md": front(["{ name: good, run: 'true' }", "{ name: advice, run: 'echo no; exit 3', required: false, retries: 0 }"]) });
    const untrusted = await place.run(["gates", "run"]);
    expect([untrusted.code, untrusted.stderr]).toEqual([2, expect.stringContaining("--trust")]);
    const ran = await place.run(["gates", "run", "--trust"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/good +pass .*\nadvice +fail \(advisory\) .*exit 3: no/);
    const log = /advice: (\/\S+)/.exec(ran.stderr)?.[1] ?? "";
    expect(readFileSync(log, "utf8")).toBe("no\n");
    place.put(".ralph/config.yaml", "gates:\n  - { name: bad, file: gone.txt, matches: x }\n");
    const again = await place.run(["gates", "run", "--json"]);
    expect(again.code).toBe(1);
    expect((JSON.parse(again.stdout) as { gates: { name: string; verdict: string }[] }).gates.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["good", "pass"],
      ["advice", "fail"],
      ["bad", "fail"],
    ]);
    expect((await place.run(["gates", "run", "good"])).code).toBe(0);
    const unknown = await place.run(["gates", "run", "goood"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("known are good, advice, bad")]);
  });

  it("judges a diff since the last commit, and since its start after a run; a model is asked last", async () => {
    const place = scratch(
      {
        "PLAN.md": front([
          "{ name: model, rubric: { questions: [Good?], votes: 1, reviewer: { agent: command, argv: [node, judge.mjs] } } }",
          "{ name: scope, diff: { only: ['work-*', judge.mjs] } }",
        ]),
      },
      {
        "judge.mjs":
          'import { writeFileSync } from "node:fs";\nwriteFileSync("../asked", "");\nconsole.log(JSON.stringify({ answers: [{ question: 1, answer: "yes", evidence: { file: "README.md", line: 1 } }] }));\n',
      },
    );
    place.put("other.txt", "x");
    const before = await place.run(["gates", "run", "--trust"]);
    expect(before.code).toBe(1);
    expect(before.stdout).toContain("but other.txt changed");
    expect(before.stderr).toMatch(/since the last commit[\s\S]*model: not asked/);
    expect(existsSync(join(place.home, "asked"))).toBe(false);
    const { rmSync } = await import("node:fs");
    rmSync(join(place.root, "other.txt"));
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    place.put("other.txt", "x");
    const after = await place.run(["gates", "run", "scope"]);
    expect(after.stderr).toContain("since the start of run");
    expect(after.stdout).toContain("but other.txt changed");
    expect(place.git("status", "--porcelain")).toBe("?? other.txt");
  });
});

describe("test", () => {
  it("shows of each kind that it can say no", async () => {
    const place = scratch(
      {
        "PLAN.md": front([
          "{ name: script, run: ./check.sh }",
          "{ name: doc, file: README.md, matches: readme }",
          "{ name: cov, json: c.json, path: a.b, min: 80 }",
          "{ name: health, http: 'http://localhost:9/health', body: ok }",
          "{ name: scope, diff: { only: [src/**], maxLines: 9, noDeletedAssertions: [test/**], noSkips: [test/**] } }",
          "{ name: model, rubric: { questions: [Good?], reviewer: { agent: command, argv: [./none] } } }",
        ]),
      },
      { "test/a.test.js": "expect(1).toBe(1);\n", "check.sh": "#!/bin/sh\ngrep -q readme README.md\n" },
    );
    const { code, canFail, trials } = await tested(place);
    expect(canFail).toEqual({ script: true, doc: true, cov: true, health: true, scope: true, model: true });
    expect(code).toBe(0);
    expect(trials["script"]).toEqual(["an empty folder: fail", "its files, replaced by garbage: fail", "one millisecond of time: fail"]);
    expect(trials["cov"]).toEqual(["no such file: fail", "an empty file: fail", "a file of garbage: fail", "a document without the field: fail"]);
    expect(trials["health"]).toEqual([
      "nobody listening: fail",
      "status 500: fail",
      "status 200 with an empty body: fail",
      "a server that never answers: fail",
    ]);
    expect(trials["scope"]?.every((trial) => trial.endsWith(": fail"))).toBe(true);
    expect(trials["scope"]).toHaveLength(4);
    expect(trials["model"]).toHaveLength(4);
    expect(place.git("status", "--porcelain", "--untracked-files=no")).toBe("");
  });

  it("names a gate that passes whatever it is given", async () => {
    const place = scratch({
      "PLAN.md": front([
        "{ name: nothing, run: 'true' }",
        "{ name: swallowed, run: './check.sh || true' }",
        "{ name: anything, file: README.md, matches: '.*' }",
        "{ name: wide, diff: { only: ['**'] } }",
        "{ name: unguarded, diff: { noSkips: [spec/**] } }",
        "{ name: real, run: grep -q readme README.md }",
      ]),
    });
    const { code, canFail } = await tested(place);
    expect(code).toBe(1);
    expect(canFail).toEqual({ nothing: false, swallowed: false, anything: false, wide: false, unguarded: false, real: true });
    const ran = await place.run(["gates", "test"]);
    expect(ran.stdout).toContain("swallowed passes whatever it is given: it proves nothing.");
    expect(ran.stdout).not.toContain("real passes whatever");
    expect((await place.run(["gates", "test", "real"])).code).toBe(0);
  });
});
