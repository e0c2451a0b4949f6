/** Recorded streams of Claude Code and what they mean. `UPDATE_GOLDEN=1 npx vitest run test/agents/claude` writes the goldens anew. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ClaudeContext, createClaudeTranslator } from "../../../src/agents/claude/translate.js";
import { createLineReader } from "../../../src/agents/process/lines.js";
import type { Translator } from "../../../src/agents/process/tree.js";
import type { AgentEvent, AgentExit } from "../../../src/core/agent-event.js";

export interface Recording {
  label: string;
  exit: AgentExit;
}

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));

/** The moment of the recordings, for reset times without a date. */
const RECORDED_AT = Date.parse("2026-11-30T20:40:00Z");

export const recordings: Recording[] = readFileSync(`${fixtures}streams/META.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { label: string; code: number | null; signal: string | null })
  .filter(({ label }) => label.startsWith("claude-"))
  .map(({ label, code, signal }) => ({
    label,
    exit: signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal },
  }));

export function rawStream(label: string): Buffer {
  return readFileSync(`${fixtures}streams/${label}.jsonl`);
}

export function translator(over: Partial<ClaudeContext> = {}): Translator {
  return createClaudeTranslator({ roots: ["/home/dev/repo"], prices: {}, nowMs: () => RECORDED_AT, localZone: "UTC", ...over });
}

export function translate(stdout: Uint8Array, stderr: string, exit: AgentExit, into: Translator = translator()): AgentEvent[] {
  const reader = createLineReader();
  const events: AgentEvent[] = [];
  for (const line of [...reader.push(stdout), ...reader.end()]) {
    if (line.kind === "line") events.push(...into.line(line.text, "stdout"));
  }
  for (const line of stderr.split("\n")) if (line !== "") events.push(...into.line(line, "stderr"));
  return [...events, ...into.end(exit)];
}

export function translateRecording({ label, exit }: Recording): AgentEvent[] {
  const stderr = `${fixtures}streams/${label}.stderr`;
  return translate(rawStream(label), existsSync(stderr) ? readFileSync(stderr, "utf8") : "", exit);
}

export function golden(label: string, events: AgentEvent[]): unknown {
  const path = `${fixtures}golden/${label}.json`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, `[\n${events.map((event) => `  ${JSON.stringify(event)}`).join(",\n")}\n]\n`);
  return JSON.parse(readFileSync(path, "utf8"));
}
