/** Recorded streams of the real CLIs. `UPDATE_GOLDEN=1 npx vitest run test/agents/endings.test.ts` writes the goldens anew. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { product as claude } from "../../src/agents/claude.js";
import type { CliProduct } from "../../src/agents/cli/cli-agent.js";
import type { TranslatorContext } from "../../src/agents/cli/translator-context.js";
import { product as codex } from "../../src/agents/codex.js";
import { product as copilot } from "../../src/agents/copilot.js";
import { product as cursor } from "../../src/agents/cursor.js";
import { product as gemini } from "../../src/agents/gemini.js";
import { product as opencode } from "../../src/agents/opencode.js";
import { product as pi } from "../../src/agents/pi.js";
import { createLineReader } from "../../src/agents/process/lines.js";
import type { Translator } from "../../src/agents/process/tree.js";
import type { AgentEvent, AgentExit } from "../../src/core/agent-event.js";

export interface Recording {
  /** `<agent>-<scenario>`. */
  label: string;
  agent: string;
  exit: AgentExit;
}

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** The moment of the recordings, for reset times without a date. */
const RECORDED_AT = Date.parse("2026-11-30T20:40:00Z");

export const PRODUCTS: Readonly<Record<string, CliProduct>> = { claude, codex, gemini, opencode, copilot, pi, cursor };

export const recordings: Recording[] = readFileSync(`${fixtures}streams/META.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { label: string; code: number | null; signal: string | null })
  .map(({ label, code, signal }) => ({
    label,
    agent: label.split("-")[0] ?? "",
    exit: signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal },
  }));

export function translator(agent: string, over: Partial<TranslatorContext> = {}): Translator {
  const product = PRODUCTS[agent];
  if (product === undefined) throw new Error(`no product ${agent}`);
  return product.translator({ roots: ["/home/dev/repo"], nowMs: () => RECORDED_AT, localZone: "UTC", prices: {}, ...over });
}

export function rawStream(label: string): Buffer {
  return readFileSync(`${fixtures}streams/${label}.jsonl`);
}

export function translate(into: Translator, stdout: Uint8Array | string, stderr: string, exit: AgentExit): AgentEvent[] {
  const reader = createLineReader();
  const events: AgentEvent[] = [];
  for (const line of [...reader.push(Buffer.from(stdout)), ...reader.end()]) {
    if (line.kind === "line") events.push(...into.line(line.text, "stdout"));
  }
  for (const line of stderr.split("\n")) if (line !== "") events.push(...into.line(line, "stderr"));
  return [...events, ...into.end(exit)];
}

export function translateRecording({ label, agent, exit }: Recording): AgentEvent[] {
  const stderr = `${fixtures}streams/${label}.stderr`;
  return translate(translator(agent), rawStream(label), existsSync(stderr) ? readFileSync(stderr, "utf8") : "", exit);
}

export function golden(label: string, events: AgentEvent[]): unknown {
  const path = `${fixtures}golden/${label}.json`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, `[\n${events.map((event) => `  ${JSON.stringify(event)}`).join(",\n")}\n]\n`);
  return JSON.parse(readFileSync(path, "utf8"));
}
