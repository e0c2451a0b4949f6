/** How every recorded run of a real CLI ended: its golden translation, and the class that the driver gives it. */
import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentExit } from "../../src/core/agent-event.js";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import { classify } from "../../src/core/class.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { Session } from "../../src/driver/session.js";
import { type Recording, golden, rawStream, recordings, translate, translateRecording, translator } from "./recordings.js";

/** Folds the events as the driver does. In a recording nothing has progressed. */
function endingOf(events: AgentEvent[], exit: AgentExit): { said: string; session: Session } {
  const session = new Session({
    settings: DEFAULT_SETTINGS,
    watch: EMPTY_WATCH,
    baseline: [],
    exempt: [],
    read: () => null,
    prompt: "",
    model: null,
    plainText: false,
  });
  for (const event of events) session.take(event, 0);
  const ending = session.ending(exit, { durationMs: 1, outputBytes: 1 });
  const why = ending.limit?.kind ?? ending.error?.kind;
  const kind = classify({ ending, claims: session.claims(exit), progressed: false });
  return { session, said: why === undefined ? kind : `${kind}: ${why}` };
}

/** Class and cause; what is not listed ended well and, as nothing changed, is a `no_op`. */
const EXPECTED: Record<string, string> = {
  "claude-badresume": "infrastructure: other",
  "claude-budget": "no_op: budget",
  "claude-credit": "limit: credit",
  "claude-e400": "infrastructure: other",
  "claude-e401": "auth: auth",
  "claude-e401-default": "auth: auth",
  "claude-e403": "auth: auth",
  "claude-e404": "infrastructure: model",
  "claude-e429": "limit: throttle",
  "claude-e500": "infrastructure: network",
  "claude-e529": "infrastructure: overload",
  "claude-e529-default": "infrastructure: overload",
  "claude-emptystdin": "infrastructure: crash",
  "claude-hang": "infrastructure: network",
  "claude-latest-budget": "no_op: budget",
  "claude-latest-e429long": "limit: throttle",
  "claude-latest-e529": "infrastructure: overload",
  "claude-latest-maxturns": "no_op: turn_cap",
  "claude-latest-oauth-usagelimit": "limit: account",
  "claude-latest-sigint": "infrastructure: other",
  "claude-latest-sigterm": "infrastructure: crash",
  "claude-latest-usagelimit": "limit: throttle",
  "claude-maxtokens": "infrastructure: other",
  "claude-maxturns": "no_op: turn_cap",
  "claude-oauth-usagelimit": "limit: account",
  "claude-perm-bypass-noroot": "infrastructure: crash",
  "claude-refusal": "no_op: refusal",
  "claude-root-refuse": "infrastructure: crash",
  "claude-sigint": "infrastructure: other",
  "claude-sigterm": "infrastructure: crash",
  "claude-toolong": "infrastructure: context",
  "claude-usagelimit": "limit: throttle",
  "codex-codexlimit": "limit: account",
  "codex-e400": "infrastructure: other",
  "codex-e401": "auth: auth",
  "codex-e403": "auth: auth",
  "codex-e404": "infrastructure: model",
  "codex-e429": "limit: throttle",
  "codex-e429long": "limit: throttle",
  "codex-e500": "infrastructure: overload",
  "codex-emptystdin": "infrastructure: crash",
  "codex-failedcontext": "infrastructure: context",
  "codex-failedratelimit": "limit: throttle",
  "codex-hang": "killed: crash",
  "codex-maxtokens": "infrastructure: other",
  "codex-quota": "limit: credit",
  "codex-sigint": "infrastructure: crash",
  "codex-sigterm": "killed: crash",
  "copilot-e401": "auth: auth",
  "copilot-e429": "limit: throttle",
  "copilot-e500": "infrastructure: network",
  "copilot-sigint": "killed",
  "copilot-sigterm": "killed",
  "gemini-cut": "infrastructure: network",
  "gemini-e400": "infrastructure: other",
  "gemini-e401": "auth: auth",
  "gemini-e403": "auth: auth",
  "gemini-e429": "limit: throttle",
  "gemini-e429-default": "limit: throttle",
  "gemini-e500": "infrastructure: network",
  "gemini-e500-default": "infrastructure: network",
  "gemini-jsonfmt": "infrastructure: crash",
  "gemini-maxturns": "no_op: turn_cap",
  "gemini-quota": "limit: account",
  "gemini-refusal": "no_op: refusal",
  "gemini-sigint-group": "infrastructure: crash",
  "gemini-sigterm-group": "infrastructure: crash",
  "gemini-sigterm-norelaunch": "infrastructure: crash",
  "opencode-ask": "infrastructure: other",
  "opencode-e400": "infrastructure: other",
  "opencode-e401": "auth: auth",
  "opencode-e403": "auth: auth",
  "opencode-e429": "limit: throttle",
  "opencode-e429long": "killed: crash",
  "opencode-e500": "killed: crash",
  "opencode-e500-default": "infrastructure: network",
  "opencode-maxtokens": "infrastructure: other",
  "opencode-quota": "killed: crash",
  "opencode-sigint": "killed: crash",
  "opencode-sigterm": "killed: crash",
  "opencode-toolong": "killed: context",
  "pi-e401": "auth: auth",
  "pi-e429": "limit: throttle",
  "pi-e500": "infrastructure: network",
  "pi-maxtokens": "infrastructure: other",
  "pi-quota": "limit: credit",
  "pi-sigint": "killed: crash",
  "pi-sigterm": "infrastructure: crash",
};

function recording(label: string): Recording {
  const found = recordings.find((candidate) => candidate.label === label);
  if (found === undefined) throw new Error(`no recording ${label}`);
  return found;
}

describe("recorded runs", () => {
  it("name only recordings that exist in the table", () => {
    for (const label of Object.keys(EXPECTED)) recording(label);
  });

  it.each(recordings)("$label", (run) => {
    const events = translateRecording(run);
    expect(events).toEqual(golden(run.label, events));
    expect(endingOf(events, run.exit).said).toBe(EXPECTED[run.label] ?? "no_op");
  });
});

describe("what a final event says", () => {
  const finishedOk = (label: string) => {
    const { session } = endingOf(translateRecording(recording(label)), recording(label).exit);
    return session.finished;
  };

  it.each(["codex-success", "gemini-success", "opencode-success", "copilot-success", "pi-success", "pi-v074-success"])("%s came to its own end", (label) => {
    expect(finishedOk(label)).toBe(true);
  });

  it.each(["pi-e401", "pi-e429", "pi-e500", "pi-quota", "gemini-sigterm-group", "gemini-refusal", "opencode-ask", "opencode-maxtokens"])(
    "RL-13 %s exited with 0 and did not come to its own end",
    (label) => {
      expect(recording(label).exit).toEqual({ kind: "exited", code: 0 });
      expect(finishedOk(label)).toBe(false);
    },
  );

  it.each(["codex-flaky", "codex-cut", "codex-miderror", "codex-openaienv", "gemini-miderror", "opencode-cut", "pi-cut"])(
    "SP-06 %s went wrong on the way and ended well",
    (label) => {
      expect(finishedOk(label)).toBe(true);
    },
  );

  it("a marker counts only with the final event", () => {
    const text = '{"type":"item.completed","item":{"id":"a","type":"agent_message","text":"<ralph>COMPLETE</ralph>"}}\n';
    const done = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\n';
    const exit = { kind: "exited", code: 0 } as const;
    const claimed = (stream: string) => endingOf(translate(translator("codex"), stream, "", exit), exit).session.claims(exit).complete;
    expect(claimed(text + done)).toBe(true);
    expect(claimed(text)).toBe(false);
  });
});

describe("usage", () => {
  const usage = (label: string) => endingOf(translateRecording(recording(label)), recording(label).exit).session.usage;

  it.each([
    ["codex-success", { inputTokens: 3900, cachedInputTokens: 1500, outputTokens: 120, costMicroUsd: null }],
    ["gemini-success", { inputTokens: 3950, cachedInputTokens: 1500, outputTokens: 125, costMicroUsd: null }],
    ["opencode-success", { inputTokens: 3900, cachedInputTokens: 1500, outputTokens: 120, costMicroUsd: 13_950 }],
    ["pi-success", { inputTokens: 3900, cachedInputTokens: 1500, outputTokens: 120, costMicroUsd: 13_950 }],
    ["copilot-success", { inputTokens: null, cachedInputTokens: null, outputTokens: null, costMicroUsd: null }],
  ])("BC-01 of %s is what it reported, and unknown where it reported nothing", (label, expected) => {
    expect(usage(label)).toEqual(expected);
  });
});

describe("the form of a stream", () => {
  const exit = { kind: "exited", code: 0 } as const;
  const known = (agent: string, stream: string) => translate(translator(agent), stream, "", exit).filter((event) => event.type !== "unknown");

  it.each(["codex-success", "gemini-success", "opencode-success", "copilot-success", "pi-success"])(
    "SP-05 SP-11 %s reads the same as one array, behind a prefix, and among log lines",
    (label) => {
      const { agent } = recording(label);
      const lines = rawStream(label).toString().trim().split("\n");
      const expected = known(agent, lines.join("\n"));
      expect(expected.some((event) => event.type === "finished" && event.ok)).toBe(true);
      expect(known(agent, `[${lines.join(",")}]`)).toEqual(expected);
      expect(known(agent, `[warn] slow start ${lines.join("\n")}`)).toEqual(expected);
      expect(known(agent, lines.join("\nERROR {broken\n"))).toEqual(expected);
    },
  );

  it("SP-11 the only event may be spread over many lines", () => {
    const spread = JSON.stringify({ type: "turn.completed", usage: { input_tokens: 7, output_tokens: 1 } }, null, 2);
    expect(known("codex", spread).map((event) => event.type)).toEqual(["usage", "finished"]);
  });
});

describe("cut streams", () => {
  /** Without the longest lines (pi repeats its system prompt), so that every byte can be tried. */
  const shortened = (label: string): Buffer =>
    Buffer.from(
      rawStream(label)
        .toString()
        .split("\n")
        .filter((line) => line.length < 2_500)
        .join("\n"),
    );

  it.each(["codex-codexlimit", "gemini-success", "opencode-success", "copilot-argv", "pi-e401"])(
    "SP-04 %s, cut at every byte, throws nothing and gives a prefix of its events",
    (label) => {
      const { agent } = recording(label);
      const raw = shortened(label);
      const stopped = { kind: "stopped", cause: "human" } as const;
      // A message that comes in parts is cut with them, so its text may differ; all else may only be missing.
      const known = (stream: Uint8Array) =>
        translate(translator(agent), stream, "", stopped).filter((event) => event.type !== "unknown" && event.type !== "text");
      const whole = known(raw);
      for (let length = 0; length <= raw.length; length += 1) {
        const events = known(raw.subarray(0, length));
        expect(whole.slice(0, events.length)).toEqual(events);
      }
    },
  );
});
