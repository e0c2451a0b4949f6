/** The `replay` agent as the driver sees it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replayAgent } from "../../../src/agents/replay/agent.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import { tempRoot } from "../anthropic/harness.js";

const RECORDING = {
  version: 1,
  model: "replayed",
  iterations: [{ turns: [{ text: "one" }] }, { turns: [{ text: "Working.", calls: [{ bash: { command: "echo 中 > x; false" } }] }, { text: "two" }] }],
};
const DEPS = { env: {}, context: { warnTokens: 70_000, rotateTokens: 80_000 }, killGraceMs: 2_000, settleGraceMs: 5_000 };

function agentFor(recording: string) {
  const dir = tempRoot({ "recording.json": recording });
  return replayAgent({ ...DEFAULT_SETTINGS.agent, kind: "replay" }, { ...DEPS, recording: join(dir, "recording.json") });
}

describe("replayAgent", () => {
  it("plays the iteration it is started for through real tools", async () => {
    const agent = agentFor(JSON.stringify(RECORDING));
    const cwd = tempRoot();
    const streamPath = join(tempRoot(), "stream.jsonl");
    const env = { PATH: process.env["PATH"] ?? "" };
    const run = agent.start({ prompt: "go", cwd, run: "r", iteration: 2, token: `r-${process.pid}`, streamPath, env });
    const types: string[] = [];
    for (let event = await run.next(); event !== null; event = await run.next()) types.push(event.type);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
    expect(readFileSync(join(cwd, "x"), "utf8")).toBe("中\n");
    expect(types).toEqual(["started", "usage", "text", "toolCall", "toolResult", "usage", "text", "finished"]);

    const raw = readFileSync(streamPath);
    expect(agent.replayStream(raw.toString()).map((event) => event.type)).toEqual(types);
    for (let end = 0; end < raw.length; end++) {
      const whole = raw.subarray(0, end).toString().split("\n").length - 1;
      const events = agent.replayStream(raw.subarray(0, end).toString());
      expect(events.slice(0, whole).map((event) => event.type)).toEqual(types.slice(0, whole));
      // A torn line is unknown, or its event when only the line end is missing.
      expect(events.slice(whole).every((event) => event.type === "unknown" || event.type === types[whole])).toBe(true);
    }
  });

  it("is ready with a recording and says what is wrong with another file", async () => {
    expect(await agentFor(JSON.stringify(RECORDING)).check()).toMatchObject({ kind: "ready" });
    expect(await agentFor('{"version":1,"model":"m","iterations":[{"turns":[{"tex":1}]}]}').check()).toMatchObject({
      kind: "missing",
      message: expect.stringMatching(/recording\.json.*tex/s),
    });
    expect(await agentFor("{").check()).toMatchObject({ kind: "missing", message: expect.stringContaining("not a recording") });
  });
});
