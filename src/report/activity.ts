/** Turns agent events into activity lines: every tool call with its outcome and the tokens spent since the line before. */
import type { AgentEvent } from "../core/agent-event.js";
import { oneLine } from "./markdown-text.js";

export interface ActivityLine {
  iteration: number;
  /** The tool's name; null for a turn without a tool (its text is the agent's message). */
  tool: string | null;
  command?: string;
  path?: string;
  writes?: boolean;
  text?: string;
  /** Null when the agent ended before its tool did. */
  ok: boolean | null;
  exitCode: number | null;
  denied?: boolean;
  /** Characters of the tool's output. */
  outputLength: number | null;
  durationMs: number | null;
  tokens: TokenCount;
}

/** Null is unknown. `context` is the size of the latest prompt. */
export interface TokenCount {
  input: number | null;
  cachedInput: number | null;
  output: number | null;
  context: number | null;
  costUsd: number | null;
}

type ToolCall = Extract<AgentEvent, { type: "toolCall" }>;
type UsageReport = Extract<AgentEvent, { type: "usage" }>;

/** Long commands and messages are in the raw stream of the iteration; a log line stays a line. */
const MAX_TEXT = 500;

export interface ActivityLog {
  take(iteration: number, event: AgentEvent, nowMs: number): ActivityLine[];
  /** At the end of an iteration: calls without a result, and tokens that no line has shown yet. */
  flush(iteration: number): ActivityLine[];
}

export function createActivityLog(): ActivityLog {
  const open = new Map<string, { call: ToolCall; atMs: number }>();
  let meter = createMeter();
  let message: string | null = null;

  const take = (iteration: number, event: AgentEvent, nowMs: number): ActivityLine[] => {
    switch (event.type) {
      case "toolCall":
        open.set(event.id, { call: event, atMs: nowMs });
        return [];
      case "usage":
        meter.add(event);
        return [];
      case "text":
        message = event.text;
        return [];
      case "toolResult": {
        const known = open.get(event.id);
        open.delete(event.id);
        const outcome = { ok: event.ok, exitCode: event.exitCode, outputLength: event.output.length };
        const denied = event.denied === true ? { denied: true } : {};
        const durationMs = known === undefined ? null : nowMs - known.atMs;
        return [{ iteration, ...callFields(known?.call), ...outcome, ...denied, durationMs, tokens: meter.spend() }];
      }
      default:
        return [];
    }
  };

  const flush = (iteration: number): ActivityLine[] => {
    const nothing = { ok: null, exitCode: null, outputLength: null, durationMs: null };
    const lines = [...open.values()].map(({ call }) => ({ iteration, ...callFields(call), ...nothing, tokens: meter.spend() }));
    if (meter.pending() || message !== null) {
      const text = message === null ? {} : { text: oneLine(message, MAX_TEXT) };
      lines.push({ iteration, tool: null, ...text, ...nothing, tokens: meter.spend() });
    }
    open.clear();
    message = null;
    meter = createMeter();
    return lines;
  };
  return { take, flush };
}

function callFields(call: ToolCall | undefined): Pick<ActivityLine, "tool" | "command" | "path" | "writes"> {
  if (call === undefined) return { tool: "unknown" };
  return {
    tool: oneLine(call.name, 100),
    ...(call.command === undefined ? {} : { command: oneLine(call.command, MAX_TEXT) }),
    ...(call.path === undefined ? {} : { path: oneLine(call.path, MAX_TEXT) }),
    ...(call.writes === undefined ? {} : { writes: call.writes }),
  };
}

const FIELDS = ["inputTokens", "cachedInputTokens", "outputTokens", "costUsd"] as const;
type Counted = Record<(typeof FIELDS)[number], number | null>;

/** Keeps what was reported and what lines have shown of it; a total that shrinks (a new session) counts from zero. */
function createMeter(): { add(report: UsageReport): void; spend(): TokenCount; pending(): boolean } {
  const total: Counted = { inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null };
  let fresh: Counted = { ...total };
  let context: number | null = null;
  const add = (report: UsageReport): void => {
    context = report.contextTokens ?? context;
    for (const field of FIELDS) {
      const value = report[field];
      if (value === null) continue;
      const before = total[field] ?? 0;
      const delta = report.scope === "delta" ? value : value >= before ? value - before : value;
      total[field] = report.scope === "delta" ? before + value : value;
      fresh[field] = (fresh[field] ?? 0) + delta;
    }
  };
  const spend = (): TokenCount => {
    const { inputTokens, cachedInputTokens, outputTokens, costUsd } = fresh;
    fresh = { inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null };
    return { input: inputTokens, cachedInput: cachedInputTokens, output: outputTokens, context, costUsd };
  };
  return { add, spend, pending: () => FIELDS.some((field) => fresh[field] !== null && fresh[field] !== 0) };
}
