/** What a running agent does, read from the raw output that its driver records. Read only. */
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "../../core/agent-event.js";
import { iterationDir } from "../../core/paths.js";
import type { Agent } from "../../driver/ports.js";
import { readRange } from "../../journal/read.js";
import { type AgentNow, newAgent, seeAgent } from "./agent-now.js";

/** A longer recording is read from near its end: what it did last is seen, what it used is not summed. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export interface RecordedAgent {
  /** Null when nothing was recorded since the last look. */
  look(iteration: number): AgentNow | null;
}

/** `agent`: who makes the open iteration. */
export function recordedAgent(runDir: string, agent: () => Pick<Agent, "replayStream"> | undefined): RecordedAgent {
  let seen = { iteration: 0, bytes: 0 };
  return {
    look: (iteration) => {
      const recording = read(join(runDir, iterationDir(iteration), "stream.jsonl"), seen.iteration === iteration ? seen.bytes : 0);
      if (recording === null) return null;
      seen = { iteration, bytes: recording.bytes };
      const events = agent()?.replayStream(recording.text) ?? [];
      const now = events.filter(isWork).reduce((sum, event) => seeAgent(sum, event, recording.writtenMs), newAgent(iteration));
      return recording.whole ? now : { ...now, usage: newAgent(iteration).usage };
    },
  };
}

/** Replaying takes the end of the text for the end of the agent; the trouble it makes of that is not real. */
function isWork(event: AgentEvent): boolean {
  return event.type !== "error" && event.type !== "limit";
}

interface Recording {
  text: string;
  bytes: number;
  whole: boolean;
  writtenMs: number;
}

/** Whole lines only; null when the file is absent or has not grown. */
function read(path: string, known: number): Recording | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // The agent has not said anything yet.
    return null;
  }
  try {
    const { size, mtimeMs } = fstatSync(file);
    if (size <= known) return null;
    const from = Math.max(0, size - MAX_READ_BYTES);
    const text = readRange(file, from, size).toString("utf8");
    const begin = from === 0 ? 0 : text.indexOf("\n") + 1;
    return { text: text.slice(begin, text.lastIndexOf("\n") + 1), bytes: size, whole: from === 0, writtenMs: mtimeMs };
  } finally {
    closeSync(file);
  }
}
