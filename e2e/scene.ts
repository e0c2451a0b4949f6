/** Claude Code in a scratch repository, with a replayed model on the loopback interface. */
import { onTestFinished } from "vitest";
import { readRecording, type RecordingInput } from "../src/agents/replay/recording.js";
import { type ReplayServer, startReplayServer } from "../src/agents/replay/server.js";
import { executableOf } from "./clis.js";
import { openPlace, type Place } from "./place.js";

export interface SceneFacts {
  /** Paths below the root with their content; the plan is not committed. */
  files: Record<string, string>;
  plan: string;
  iterations: RecordingInput["iterations"];
  env?: Record<string, string>;
  /** Paths below HOME. */
  home?: Record<string, string>;
}

export interface Scene extends Place {
  server: ReplayServer;
}

export async function openScene(facts: SceneFacts): Promise<Scene> {
  const server = await startReplayServer(recordingOf(facts.iterations), { iteration: "byConversation" });
  onTestFinished(() => server.close());
  const place = openPlace({
    files: facts.files,
    plan: facts.plan,
    agent: "claude",
    home: facts.home ?? {},
    env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "replayed-key", RALPHD_CLAUDE_PATH: executableOf("claude"), ...facts.env },
  });
  return { ...place, server };
}

function recordingOf(iterations: RecordingInput["iterations"]) {
  const read = readRecording(JSON.stringify({ version: 1, model: "claude-opus-5-5", iterations }));
  if (read.kind === "unreadable") throw new Error(read.message);
  return read.recording;
}
