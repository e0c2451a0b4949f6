/** The walk through an audit's sample with a person who answers. */
import { expect, it } from "vitest";
import { walk } from "../../src/cli/audit-walk.js";

async function answered(answers: (string | null)[], env: NodeJS.ProcessEnv = {}) {
  const said: unknown[] = [];
  const lines: string[] = [];
  const stops = [1, 2, 3].map((iteration) => ({ iteration, shown: ` iteration ${iteration}`, diff: async () => Buffer.from(`diff of ${iteration}\n`) }));
  const out = (line: string): void => void lines.push(line);
  await walk({ stops, env: { ...process.env, ...env }, ask: async () => answers.shift() ?? null, judge: (one) => said.push(one), out, err: out });
  return { said, text: lines.join("\n"), left: answers.length };
}

it("takes a verdict with its reason for each commit, and asks again for what it can't read", async () => {
  const { said, text, left } = await answered(["what", "p", " ", "pass", "clean", "skip", "F", "leaks a key"]);
  expect(said).toEqual([
    { verdict: "pass", iteration: 1, reason: "clean" },
    { verdict: "fail", iteration: 3, reason: "leaks a key" },
  ]);
  expect([left, text]).toEqual([0, expect.stringMatching(/one of the letters[\s\S]*needs its reason[\s\S]*\(3 of 3\) iteration 3/)]);
});

it("ends where the person ends, with nothing said of the rest", async () => {
  expect((await answered(["q", "p", "x"])).said).toEqual([]);
  const { said, text } = await answered(["p", "good", null]);
  expect(said).toHaveLength(1);
  expect(text).toContain("waits for the next `ralphd audit`");
});

it("shows the diff by the pager, and itself when that fails", async () => {
  expect((await answered(["d", "q"], { GIT_PAGER: "cat > /dev/null" })).text).not.toContain("diff of 1");
  expect((await answered(["d", "q"], { GIT_PAGER: "exit 3" })).text).toMatch(/pager exit 3 ended with 3[\s\S]*diff of 1/);
});
