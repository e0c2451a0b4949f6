/** The built program and the other real CLIs: a plan to its end, and what goes wrong at night. Only the models are fakes. */
import { describe, expect, it } from "vitest";
import { openAgentPlace, type OtherCli, SETUPS } from "./agents.js";
import { CHOSEN } from "./clis.js";
import type { Call, Turn } from "./fakes/turns.js";
import { CALL_WITH_LEFTOVER, terminate } from "./interruption.js";

const NAMES = ["one", "two", "three"] as const;
const GATE = 'import assert from "node:assert";\nimport { readFileSync } from "node:fs";\nimport { test } from "node:test";\n';
const FILES = {
  "package.json": '{ "type": "module" }\n',
  // A night's waits are long; a test's need not be.
  ".ralph/config.yaml": "backoff: { first: 1s, max: 1s }\nlimits: { resetSlack: 1s }\n",
  ...Object.fromEntries(
    NAMES.map((name) => [`test/${name}.test.js`, `${GATE}test("${name}", () => assert.equal(readFileSync("${name}.txt", "utf8"), "${name}\\n"));\n`]),
  ),
};
const PLAN = `---
gates:
${NAMES.map((name) => `  - { name: ${name}, run: node --test test/${name}.test.js, for: tasks, retries: 0 }`).join("\n")}
---
${NAMES.map((name) => `- [ ] write \`${name}\` <!-- gate: ${name} -->`).join("\n")}
`;
const NOTE_PLAN = "- [ ] write `note.txt`\n";

const tick = (name: string): Call[] => [{ shell: `sed -i 's/- \\[ \\] write .${name}/- [x] write \`${name}/' PLAN.md` }];
const work = (name: string, content = `${name}\n`): Turn[] => [
  { text: "I write the file.", calls: [{ write: { path: `${name}.txt`, content } }] },
  { text: "Its test ran; I tick it.", calls: tick(name) },
  { text: `\`${name}\` is written.` },
];
const NOTE: Turn[] = [{ text: "I write.", calls: [{ shell: "echo noted > note.txt" }] }, { calls: tick("note.txt") }, { text: "The note is written." }];

/** How often each asks before it gives up a throttled request. */
const TRIES: Record<OtherCli, number> = { codex: 2, gemini: 2, opencode: 6, copilot: 6, pi: 4 };

const others = CHOSEN.filter((cli): cli is OtherCli => cli !== "claude");

describe.each(others)("%s", (cli) => {
  it(`${cli}: three tasks to done, although one tick was a lie`, async ({ task }) => {
    const lie: Turn[] = [{ text: "I say so.", calls: tick("two") }, { text: "`two` is written, I am sure." }];
    const place = await openAgentPlace(cli, { files: FILES, plan: PLAN, turns: [...work("one"), ...lie, ...work("two"), ...work("three")] });
    const { code, stdout, stderr } = await place.run();
    expect(`${stdout}${stderr}`).toContain("done (all_tasks_checked, verified)");
    expect(code).toBe(0);
    expect(place.read("PLAN.md")).toBe(PLAN.replaceAll("- [ ]", "- [x]"));
    expect(place.git("status", "--porcelain")).toBe("");
    expect(place.events("task.unticked").map((event) => `${event.iteration} ${event.gate}`)).toEqual(["2 two"]);
    const ended = place.events("agent.ended");
    for (const { ending } of ended) expect(ending).toMatchObject({ exit: { kind: "exited", code: 0 }, finishedOk: true, error: null, limit: null });
    expect(ended.map(({ ending }) => ending.toolCalls)).toEqual([2, 1, 2, 2]);
    const tokens = ended.map(({ usage }) => usage.inputTokens);
    if (cli === "copilot") expect(new Set(tokens)).toEqual(new Set([null]));
    else for (const count of tokens) expect(count).toBeGreaterThan(0);
    expect(place.leftovers()).toEqual([]);
    task.meta.outcome = `exit ${code}, ${ended.length} iterations, input tokens ${tokens.join("+")}`;
  });

  it(`${cli}: a command that fails three times in the same way is escalated`, async ({ task }) => {
    // A test runner's words: Gemini tells no exit codes, so there they alone show that it failed.
    const fails: Turn[] = [{ text: "I run it.", calls: [{ shell: "node --test test/one.test.js" }] }, { text: "It fails; I looked at it." }];
    const edits: Turn[] = [{ text: "A try.", calls: [{ shell: "date +%s%N >> tries.txt" }] }];
    const place = await openAgentPlace(cli, { files: FILES, plan: NOTE_PLAN, turns: [...fails.slice(0, 1), ...edits, ...fails, ...fails, ...fails] });
    const { code, stdout, stderr } = await place.run();
    expect(stdout, stderr).toContain("escalated (gutter_command)");
    expect(code).toBe(4);
    const [hit] = place.events("brake.hit").map((event) => event.hit);
    expect(hit).toMatchObject({ reason: "gutter_command", signature: expect.stringContaining("node --test test/one.test.js") });
    expect(place.events("sign.drafted")).toHaveLength(1);
    expect(place.leftovers()).toEqual([]);
    task.meta.outcome = `exit ${code} in iteration ${place.events("brake.hit")[0]?.iteration}: ${hit?.summary.slice(0, 80)}`;
  });

  it(`${cli}: an API that refuses the key ends the run and says what to do`, async ({ task }) => {
    const place = await openAgentPlace(cli, {
      files: FILES,
      plan: NOTE_PLAN,
      turns: [{ times: 30, error: { status: 401, code: "invalid_api_key", message: "invalid key" } }],
    });
    const { code, stdout, stderr } = await place.run();
    expect(stdout, stderr).toContain("failed (auth)");
    expect(code).toBe(1);
    expect(place.events("iteration.ended").map((event) => event.class)).toEqual(["auth"]);
    task.meta.outcome = `exit ${code}: ${place.events("agent.ended")[0]?.ending.error?.message.slice(0, 80)}`;
  });

  it(`${cli}: an API that never answers is ended by the iteration's time`, async ({ task }) => {
    const place = await openAgentPlace(cli, { files: FILES, plan: NOTE_PLAN, turns: [{ hang: true, times: 9 }] });
    const { code, stderr } = await place.run("-n", "1", "--iteration-timeout", "12s");
    expect(code, stderr).toBe(3);
    expect(place.events("iteration.ended").map((event) => event.class)).toEqual(["timeout"]);
    expect(place.events("agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "iteration_timeout" });
    expect(place.leftovers()).toEqual([]);
    task.meta.outcome = `exit ${code} after ${place.events("agent.ended")[0]?.ending.durationMs} ms`;
  });

  it(`${cli}: SIGTERM while a command runs leaves an empty process table, and the work stays`, async ({ task }) => {
    const call: Turn = { text: "I wait.", calls: [{ shell: CALL_WITH_LEFTOVER }] };
    task.meta.outcome = await terminate(await openAgentPlace(cli, { files: FILES, plan: NOTE_PLAN, turns: [call, { text: "never said" }] }));
  });

  it(`${cli}: a throttle costs no iteration, and the next one works`, async ({ task }) => {
    const throttle: Turn = { times: TRIES[cli], error: { status: 429, code: "rate_limit_error", message: "slow down", headers: { "retry-after": "1" } } };
    const place = await openAgentPlace(cli, { files: FILES, plan: NOTE_PLAN, turns: [throttle, ...NOTE] });
    const { code, stderr } = await place.run("-n", "2");
    expect(code, stderr).toBe(0);
    expect(place.events("iteration.ended").map((event) => event.class)).toEqual(["limit", "progress"]);
    expect(place.events("iteration.started").map((event) => event.spent)).toEqual([1, 1]);
    expect(place.events("agent.ended")[0]?.ending.limit).toMatchObject({ kind: "throttle" });
    task.meta.outcome = `exit ${code}: ${place.events("agent.ended")[0]?.ending.limit?.message.slice(0, 80)}`;
  });
});

describe.runIf(others.includes("codex"))("codex", () => {
  it("codex: a usage limit with a reset time is waited for, and costs no iteration", async ({ task }) => {
    // Codex names the time to the minute, so the test takes one that begins a minute.
    const resetS = Math.ceil((Date.now() / 1_000 + 5) / 60) * 60;
    const limit = {
      status: 429,
      code: "usage_limit_reached",
      message: "The usage limit has been reached",
      extra: { plan_type: "plus", resets_at: resetS, resets_in_seconds: resetS - Math.floor(Date.now() / 1_000) },
    };
    const place = await openAgentPlace("codex", { files: FILES, plan: NOTE_PLAN, turns: [{ error: limit }, ...NOTE] });
    const { code, stderr } = await place.run("-n", "2");
    expect(code, stderr).toBe(0);
    expect(place.events("iteration.ended").map((event) => event.class)).toEqual(["limit", "progress"]);
    const seen = place.events("agent.ended")[0]?.ending.limit;
    expect(seen).toMatchObject({ kind: "account", resumeAtMs: resetS * 1_000, message: expect.stringContaining("usage limit") });
    expect(place.events("iteration.started").map((event) => event.spent)).toEqual([1, 1]);
    task.meta.outcome = `exit ${code}, waited ${place.events("wait.ended")[0]?.waitedMs} ms: ${seen?.message.slice(-30)}`;
  });
});

describe.each(others.filter((cli) => SETUPS[cli].acp !== undefined))("acp:%s", (cli) => {
  it(`acp:${cli}: a task to done through the Agent Client Protocol, permissions included`, async ({ task }) => {
    const place = await openAgentPlace(cli, { files: FILES, plan: PLAN.replace(/^.*(?:two|three).*\n/gm, ""), turns: work("one"), through: "acp" });
    const { code, stdout, stderr } = await place.run("-n", "2");
    expect(`${stdout}${stderr}`).toContain("done (all_tasks_checked, verified)");
    expect(code).toBe(0);
    expect(place.events("agent.ended")[0]?.ending).toMatchObject({ finishedOk: true, toolCalls: 2, error: null });
    expect(place.leftovers()).toEqual([]);
    task.meta.outcome = `exit ${code}, 1 iteration`;
  });
});
