/** Nothing in a plan, sign or note ever meets a shell, and no amount of it breaks the transport. */
import { describe, expect, it } from "vitest";
import { agent, scratch, script } from "./harness.js";

const STORE = "#!/bin/sh\ncat > ../prompt\nsed -i 's/\\[ \\]/[x]/' PLAN.md\necho ok\n";

describe("prompt", () => {
  it("PR-01 PR-04 PR-05 PR-06 carries quotes, dashes, backticks and 150 KB of task text untouched", async () => {
    const evil = "run `touch /tmp/ralphd-pwned` $(touch ../pwned) \"double\" 'single' \\back --- %s ${HOME} && false";
    const rules = `{{plan}} {{marker}} {{signs}}\n---\n---\n---\n${"x".repeat(150_000)}\n`;
    const place = scratch({ "PLAN.md": `- [ ] ${evil}\n`, ".ralph/prompts/rules.md": rules });
    expect((await place.run(["run", ...script(place, STORE), "--variadic", "a"])).code).toBe(0);
    const prompt = place.read("../prompt");
    expect(prompt).toContain(evil);
    expect(prompt).toContain("---\n---\n---\n");
    expect(prompt.length).toBeGreaterThan(150_000);
    expect(place.has("../pwned")).toBe(false);
    expect(place.git("log", "-1", "--format=%s")).toMatch(/^run `touch/);
  });

  it("PR-07 PR-09 two megabytes of signs and five of progress notes do not make every iteration dearer", async () => {
    const sign = "---\ntrigger: x\nadded_after: iteration 1\nstatus: approved\n---\n";
    const notes = `${Array.from({ length: 60_000 }, (_, i) => `note ${i}: something that was learned and is not needed any more`).join("\n")}\nthe newest note\n`;
    const place = scratch({ "PLAN.md": "- [ ] one\n", ".ralph/guardrails/big.md": `${sign}${"word ".repeat(400_000)}\n`, ".ralph/progress.md": notes });
    expect((await place.run(["run", ...script(place, STORE)])).code).toBe(0);
    const prompt = place.read("../prompt");
    expect(prompt).toContain("the newest note");
    expect(prompt.length).toBeLessThan(200_000);
    const [kept, archive] = [place.read(".ralph/progress.md"), place.read(".ralph/progress-archive.md")];
    expect(place.git("status", "--porcelain") + place.git("ls-files", ".ralph/progress-archive.md")).toBe(".ralph/progress-archive.md");
    expect(kept.length).toBeLessThan(16_384);
    expect(archive + kept.slice(kept.indexOf("-->\n\n") + 5)).toBe(notes);
  });

  it("an unknown word in a prompt template is an error before anything starts", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n", ".ralph/prompts/work.md": "{{task}} {{taks}}\n" });
    const ran = await place.run(["run", ...agent(place, "touch ../spawned; tick")]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/work\.md uses \{\{taks\}\}.*\{\{task\}\}/s);
    expect(place.has("../spawned")).toBe(false);
  });

  it("the objective may be typed, piped, or named by a dash", async () => {
    for (const [args, stdin] of [
      [["make it work"], undefined],
      [["-"], "make it work\n"],
      [[], "make it work\n"],
    ] as const) {
      const place = scratch();
      const ran = await place.run(
        ["run", ...args, "--gate", "test -e work-1.txt", "--gate=true", ...agent(place, "work")],
        stdin === undefined ? {} : { stdin },
      );
      expect(ran.code).toBe(0);
      expect(place.prompt(1)).toContain("Objective: make it work");
      const status = await place.status();
      expect(status).toMatchObject({ verified: true, tasks: { open: null, done: null } });
      expect(status.gates.map((gate) => gate.verdict)).toEqual(["pass", "pass"]);
    }
  });
});
