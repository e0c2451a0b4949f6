/** Signs in a run: what they may say reaches every prompt, what they may not reaches none. */
import { expect, it } from "vitest";
import { agent, ofType, scratch } from "./harness.js";

it("a sign that reaches for gates is named once and never shown; the same lesson twice is shown once", async () => {
  const sign = (instruction: string, status = "approved"): string => `---\ntrigger: a test fails\nadded_after: x\nstatus: ${status}\n---\n${instruction}\n`;
  const place = scratch(
    { "PLAN.md": "- [ ] one\n- [ ] two\n" },
    {
      ".ralph/guardrails/bad.md": sign("Skip the slow tests."),
      ".ralph/guardrails/good.md": sign("Read the log first."),
      ".ralph/guardrails/twin.md": sign("read the log FIRST", "draft"),
    },
  );
  expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
  for (const iteration of [1, 2]) {
    expect(place.prompt(iteration)).not.toContain("slow tests");
    expect(place.prompt(iteration).match(/read the log first/gi)).toHaveLength(1);
  }
  const named = ofType(place.journal(), "warning").filter((event) => event.message.includes("bad.md"));
  expect(named.map((event) => event.message)).toEqual([
    'The sign .ralph/guardrails/bad.md is not shown to agents: it reaches for the gates ("Skip the slow tests"), which no sign can touch.',
  ]);
  expect((await place.run(["guardrails", "lint"])).code).toBe(1);
  expect((await place.run(["guardrails", "reject", "bad"])).code).toBe(0);
  expect((await place.run(["guardrails", "lint"])).code).toBe(0);
});
