/** What goes wrong with a real CLI at night: failing commands, a broken, limited or silent API, a person who stops the run. */
import { describe, expect, it } from "vitest";
import type { RecordingInput } from "../src/agents/replay/recording.js";
import { CALL_WITH_LEFTOVER, terminate } from "./interruption.js";
import { openScene, type SceneFacts } from "./scene.js";

type Turn = RecordingInput["iterations"][number]["turns"][number];

const PLAN = "- [ ] write `note.txt`\n";
const FILES = {
  "check.sh": "echo 'expected 5, got 4' >&2\nexit 7\n",
  // A night's waits are long; a test's need not be.
  ".ralph/config.yaml": "backoff: { first: 1s, max: 1s }\nlimits: { resetSlack: 1s }\n",
};

const SUCCESS: Turn[] = [
  { calls: [{ read: { path: "PLAN.md" } }, { write: { path: "note.txt", content: "noted\n" } }] },
  { calls: [{ edit: { path: "PLAN.md", old: "- [ ]", new: "- [x]" } }] },
  { text: "The note is written." },
];

function scene(turns: Turn[][], facts: Partial<SceneFacts> = {}) {
  return openScene({ files: FILES, plan: PLAN, iterations: turns.map((list) => ({ turns: list })), ...facts });
}

describe("a command that fails", () => {
  it("three times in the same way ends the run escalated, with the evidence", async ({ task }) => {
    const { run, events, leftovers } = await scene([
      [{ calls: [{ bash: { command: "sh check.sh" } }] }, { calls: [{ bash: { command: "echo try 2 > try.txt" } }] }, { text: "It fails; I looked at it." }],
      [
        { calls: [{ bash: { command: "sh check.sh 2>&1 | tail -5" } }] },
        { calls: [{ bash: { command: "cd . && sh check.sh" } }] },
        { text: "Again." },
        { text: "More." },
      ],
      [{ calls: [{ bash: { command: "sh check.sh" } }] }, { text: "And again." }],
    ]);
    const { code, stdout, stderr } = await run();
    expect(stdout, stderr).toContain("escalated (gutter_command)");
    expect(code).toBe(4);
    const [hit] = events("brake.hit").map((event) => event.hit);
    expect(hit).toMatchObject({ reason: "gutter_command" });
    expect(hit?.signature).toContain("sh check.sh");
    expect(hit?.lastActions.length).toBeGreaterThan(0);
    expect(events("sign.drafted")).toHaveLength(1);
    expect(leftovers()).toEqual([]);
    task.meta.outcome = `exit ${code} in iteration ${events("brake.hit")[0]?.iteration}: ${hit?.signature}`;
  });
});

describe("an API that fails", () => {
  for (const [status, type, kind] of [
    [529, "overloaded_error", "overload"],
    [500, "api_error", "network"],
  ] as const) {
    it(`${status} through all tries of the CLI costs no iteration, and the next one works`, async ({ task }) => {
      const { run, events, read } = await scene([[{ times: 3, error: { status, type, message: "please come back" } }, ...SUCCESS]]);
      const { code, stderr } = await run("-n", "2");
      expect(code, stderr).toBe(0);
      expect(events("iteration.ended").map((event) => event.class)).toEqual(["infrastructure", "progress"]);
      expect(events("iteration.started").map((event) => event.spent)).toEqual([1, 1]);
      expect(events("agent.ended")[0]?.ending).toMatchObject({ error: { kind }, finishedOk: false, limit: null });
      expect(read("note.txt")).toBe("noted\n");
      task.meta.outcome = `exit ${code}: ${events("agent.ended")[0]?.ending.error?.message}`;
    });
  }

  it("with a usage limit that names its reset is waited for, and costs no iteration", async ({ task }) => {
    const resetS = Math.ceil(Date.now() / 1_000) + 15;
    const headers = {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(resetS),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
      "x-should-retry": "false",
    };
    const limit = { status: 429, type: "rate_limit_error", message: "This request would exceed your account's rate limit." };
    const { run, events } = await scene([[{ error: { ...limit, headers } }, ...SUCCESS]], {
      env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-replayed" },
    });
    const { code, stderr } = await run("-n", "2");
    expect(code, stderr).toBe(0);
    expect(events("iteration.ended").map((event) => event.class)).toEqual(["limit", "progress"]);
    expect(events("agent.ended")[0]?.ending.limit).toMatchObject({ kind: "account", resumeAtMs: resetS * 1_000 });
    expect(events("wait.started")).toMatchObject([{ untilMs: (resetS + 1) * 1_000 }]);
    expect(Date.parse(events("iteration.started")[1]?.at ?? "")).toBeGreaterThanOrEqual((resetS + 1) * 1_000);
    expect(events("iteration.started").map((event) => event.spent)).toEqual([1, 1]);
    task.meta.outcome = `exit ${code}, waited ${events("wait.ended")[0]?.waitedMs} ms: ${events("agent.ended")[0]?.ending.limit?.message}`;
  });

  it("that never answers is ended by the iteration's time", async ({ task }) => {
    const { run, events, leftovers } = await scene([[{ hang: true, times: 9 }]]);
    const { code, stderr } = await run("-n", "1", "--iteration-timeout", "6s");
    expect(code, stderr).toBe(3);
    expect(events("iteration.ended").map((event) => event.class)).toEqual(["timeout"]);
    expect(events("agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "iteration_timeout" });
    expect(leftovers()).toEqual([]);
    task.meta.outcome = `exit ${code} after ${events("agent.ended")[0]?.ending.durationMs} ms`;
  });

  it("that refuses the key ends the run at once and says what to do", async ({ task }) => {
    const { run, events } = await scene([[{ times: 9, error: { status: 401, type: "authentication_error", message: "invalid x-api-key" } }]]);
    const { code, stdout, stderr } = await run();
    expect(code, stderr).toBe(1);
    expect(stdout).toContain("failed (auth)");
    expect(events("iteration.ended").map((event) => event.class)).toEqual(["auth"]);
    task.meta.outcome = `exit ${code}: ${events("run.stopped")[0]?.summary}`;
  });
});

describe("a person", () => {
  it("who sends SIGTERM while a command runs gets an empty process table, and the work stays", async ({ task }) => {
    task.meta.outcome = await terminate(await scene([[{ calls: [{ bash: { command: CALL_WITH_LEFTOVER } }] }, { text: "never said" }]]));
  });
});
