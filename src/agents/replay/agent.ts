/** The `replay` agent: recorded model answers through the built-in agent's real tool loop; no key, no network. */
import { resolve } from "node:path";
import type { AgentSettings } from "../../core/settings.js";
import type { Agent, AgentCheck } from "../../driver/ports.js";
import { type BuiltInDeps, replayBuiltIn, startBuiltIn } from "../anthropic/built-in.js";
import { sweep } from "../process/tree.js";
import { readRecordingFile } from "./recording.js";

export interface ReplayDeps extends BuiltInDeps {
  /** Path of the recording when the settings name none. */
  recording: string;
}

/** The first element of `argv` names the recording. */
export function replayAgent(settings: AgentSettings, deps: ReplayDeps): Agent {
  // Absolute, because the agent's working directory need not be the one where the name was given.
  const recording = resolve(settings.argv[0] ?? deps.recording);
  return {
    kind: "replay",
    reach: { streams: true, reportsUsage: true, reportsCost: false, reportsCommands: true },
    check: async () => check(recording),
    start: (request) => startBuiltIn(request, { prices: settings.prices, replay: { recording, iteration: request.iteration } }, deps),
    replayStream: replayBuiltIn,
    reap: sweep,
  };
}

function check(recording: string): AgentCheck {
  const read = readRecordingFile(recording);
  if (read.kind === "unreadable") return { kind: "missing", message: read.message };
  return { kind: "ready", version: "recording", billing: "free: nothing is sent" };
}
