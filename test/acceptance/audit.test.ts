/** The audit of a run, from outside. */
import { expect, it } from "vitest";
import { parseSign } from "../../src/core/sign.js";
import { agent, scratch } from "./harness.js";

it("draws, shows evidence, records judgements with their reason, and drafts a lesson from a failed one", async () => {
  const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n", ".ralph/config.yaml": "gates:\n  - name: has-work\n    run: test -f src/auth-1.ts\n" });
  await place.run(["run", "--trust", "--quiet", ...agent(place, "mkdir -p src; echo $n > src/auth-$n.ts; tick")]);

  const shown = await place.run(["audit"]);
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(/2 of 2 commits drawn[\s\S]*iteration 1, commit \w+, risk high[\s\S]*src\/auth-1\.ts[\s\S]*iteration 2[\s\S]*gate has-work: pass/),
  ]);

  expect(await place.run(["audit", "--pass", "1"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--reason") });
  expect(await place.run(["audit", "--pass", "9", "--reason", "x"])).toMatchObject({ code: 2, stderr: expect.stringContaining("not in the sample: 1, 2") });
  expect(await place.run(["audit", "--ratio", "10,30"])).toMatchObject({ code: 2 });
  expect(await place.run(["audit"], { env: { RALPHD_RUN: "x" } })).toMatchObject({ code: 2, stderr: expect.stringContaining("for people") });

  expect((await place.run(["audit", "--pass", "1", "--reason", "clean"])).code).toBe(0);
  expect((await place.run(["audit", "--fail", "2", "--reason", "Never keep passwords in plain text."])).code).toBe(0);
  const { run } = await place.status();
  const record = place.read(`.ralph/audits/${run}.md`);
  expect(record).toMatch(/# Audit of run[\s\S]*Iteration 1, commit \w+: pass[\s\S]*reason: clean[\s\S]*Iteration 2, commit \w+: fail/);
  expect(await place.run(["audit", "--pass", "2", "--reason", "x"])).toMatchObject({ code: 2, stderr: expect.stringContaining("judged already") });

  const sign = place
    .git("status", "--porcelain", "-uall")
    .split("\n")
    .map((line) => line.slice(3))
    .find((path) => path.includes("guardrails/audit-"));
  expect(parseSign(place.read(sign ?? ""))).toMatchObject({ status: "draft", instruction: "Never keep passwords in plain text." });
  expect((await place.run(["audit"])).stdout).toContain("Nothing is left to judge");
});
