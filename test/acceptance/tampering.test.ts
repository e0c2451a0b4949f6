/** What an agent may not change comes back and is named; insisting on it ends the run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, ofType, type Scratch, scratch, write } from "./harness.js";

/** Without a kernel's help: what the agent did is compared and put back. */
const RUN = ["run", "--sandbox=off"];

const THREE = "- [ ] one\n- [ ] two\n- [ ] three\n- [ ] four\n";
const FRONT = `---\ngates:\n  - { name: tests, run: sh check.sh }\n---\n${THREE}`;
const TEST = "test('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";

function restored(place: Scratch): string[] {
  return ofType(place.journal(), "path.restored").map((event) => `${event.iteration} ${event.rule} ${event.path}`);
}

describe("tampering", () => {
  it("SE-03 frozen config, gate scripts and front matter come back; the second time escalates", async () => {
    const files = { ".ralph/config.yaml": "limits: { iterations: 9 }\n", "check.sh": "exit 0\n", "PLAN.md": FRONT };
    const place = scratch({}, files);
    const fake = agent(
      place,
      `work; tick
case $n in
2) echo 'limits: { iterations: 999 }' > .ralph/config.yaml; echo 'true' > check.sh; sed -i 's/run: sh check.sh/run: "true"/' PLAN.md ;;
3) rm .ralph/config.yaml ;;
esac`,
    );
    const ran = await place.run([...RUN, "--trust", ...fake]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "tampering", iteration: 3 });
    expect(place.read(".ralph/config.yaml")).toBe(files[".ralph/config.yaml"]);
    expect(place.read("check.sh")).toBe(files["check.sh"]);
    expect(place.read("PLAN.md")).toContain("run: sh check.sh");
    expect(restored(place)).toEqual(["2 frozen .ralph/config.yaml", "2 frozen check.sh", "3 frozen .ralph/config.yaml"]);
    expect(ofType(place.journal(), "plan.restored")).toMatchObject([{ iteration: 2, frozen: true }]);
    expect(place.prompt(3)).toMatch(/check\.sh.*put back/);
    const kept = ofType(place.journal(), "path.restored").find((event) => event.path === "check.sh")?.keptAs ?? "";
    expect(readFileSync(join(place.runDir(), kept), "utf8")).toBe("true\n");
    expect(place.git("log", "--all", "-p", "--format=")).not.toContain("999");
    expect(place.read(".ralph/state/report.md")).toContain("check.sh");
  });

  it("SE-03 protected tests may grow but not shrink, be skipped, emptied or deleted; three times in a row escalate", async () => {
    const place = scratch({}, { "test/a.test.js": TEST, "test/b.test.js": TEST, "PLAN.md": THREE });
    const fake = agent(
      place,
      `work; tick
case $n in
1) echo "// a new line" >> test/a.test.js; echo "test('more', () => {});" > test/c.test.js ;;
2) sed -i 's/toBe(3)/toBe(4)/' test/a.test.js ;;
3) sed -i "s/^test(/test.skip(/" test/b.test.js ;;
4) rm test/a.test.js; : > test/b.test.js ;;
esac`,
    );
    const ran = await place.run([...RUN, ...fake]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "tampering", iteration: 4 });
    expect(restored(place)).toEqual(["2 compared test/a.test.js", "3 compared test/b.test.js", "4 compared test/a.test.js", "4 compared test/b.test.js"]);
    expect(place.read("test/a.test.js")).toBe(`${TEST}// a new line\n`);
    expect(place.read("test/b.test.js")).toBe(TEST);
    expect(place.git("show", "HEAD:test/c.test.js")).toContain("more");
    expect(place.prompt(3)).toMatch(/test\/a\.test\.js.*put back/);
  });

  it("SE-03 a task that declares `edits:` may change tests; one that the agent adds may not", async () => {
    const place = scratch({}, { "test/a.test.js": TEST, "PLAN.md": "- [ ] split <!-- edits: test/** -->\n" });
    const fake = agent(
      place,
      `[ $n = 1 ] && { sed -i 's/toBe(3)/toBe(5)/' test/a.test.js; tick; echo '- [ ] later <!-- edits: test/** -->' >> PLAN.md; exit 0; }\nwork; echo gone > test/a.test.js; tick`,
    );
    const ran = await place.run([...RUN, ...fake]);
    expect(ran.code).toBe(0);
    expect(restored(place)).toEqual(["2 compared test/a.test.js"]);
    expect(place.git("show", "HEAD:test/a.test.js")).toContain("toBe(5)");
  });

  it("SE-01 git hooks and config cannot be bent, and the truth below the git directory is noticed when touched", async () => {
    const place = scratch({ "PLAN.md": THREE });
    const fake = agent(
      place,
      `work; tick; [ $n = 1 ] && { printf '#!/bin/sh\\ntouch ../hooked\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.hooksPath /tmp; }; [ $n = 2 ] && rm -rf .ralph; true`,
    );
    const ran = await place.run([...RUN, ...fake]);
    expect(place.has("../hooked")).toBe(false);
    // What git does not run is left: it may have been a person's own file that only became executable.
    expect(() => place.git("-c", "alias.x=!test -x .git/hooks/pre-commit", "x")).toThrow();
    expect(
      restored(place)
        .filter((line) => line.startsWith("1 frozen"))
        .join(),
    ).toMatch(/config.*pre-commit/);
    expect(place.read(".git/config")).not.toContain("hooksPath");
    expect([0, 4]).toContain(ran.code);
    const forged = scratch({ "PLAN.md": THREE });
    const forging = agent(forged, `work; tick; for f in .git/ralphd/runs/*/journal.jsonl; do echo '{"type":"run.proved"}' >> "$f"; done`);
    expect((await forged.run([...RUN, ...forging])).code).toBe(4);
    expect((await forged.status()).reason ?? "damaged").toMatch(/tampering|damaged/);
  });

  it.each(["ralphd", ""])("SE-01 an agent that deletes .git/%s ends the run as tampering, with the work left where it is", async (folder) => {
    const place = scratch({ "PLAN.md": THREE });
    const ran = await place.run([...RUN, ...agent(place, `work; tick; rm -rf .git/${folder}`)]);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toMatch(/escalated \(tampering\)/);
    expect(ran.stdout).toMatch(/journal.* was deleted/);
    expect(ran.stderr).not.toContain("internal error");
    expect(place.read("work-1.txt")).toBe("1\n");
    if (folder !== "") expect(await place.status()).toMatchObject({ status: "escalated", reason: "tampering" });
  });

  it("SE-07 a state folder that is a link is not followed", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    write(join(place.home, "elsewhere/keep.txt"), "mine\n");
    place.git("-c", "alias.x=!mkdir -p .ralph && ln -s ../../elsewhere .ralph/state", "x");
    const ran = await place.run([...RUN, ...agent(place, "work; tick")]);
    expect([0, 2]).toContain(ran.code);
    expect(place.git("-c", "alias.x=!ls ../elsewhere", "x")).toBe("keep.txt");
  });

  it("SE-05 secrets of the environment and key shapes are in no file of the run", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const secret = "tok-9f8e7d6c5b4a39281706";
    const key = "sk-ant-api03-AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjjKKKK";
    const ran = await place.run([...RUN, "--gate", `echo ${key}; false`, "-n", "1", ...agent(place, `work; echo "the token is $MY_API_TOKEN"; tick`)], {
      env: { MY_API_TOKEN: secret },
    });
    expect(ran.code).toBe(3);
    const found = place.git(
      "-c",
      `alias.x=!grep -rlE '${secret}|${key}' .git/ralphd/runs/*/journal.jsonl .git/ralphd/runs/*/iterations/*/gates .ralph/state || true`,
      "x",
    );
    expect(found).toBe("");
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(secret);
    expect(ran.stderr).toContain("the token is [redacted");
  });
});
