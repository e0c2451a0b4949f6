/** Builds the Messages API answer of a recorded turn. */
import type { ClientRequest } from "./client-request.js";
import type { TurnUsage } from "./derive-usage.js";
import type { RecordedTurn } from "./recording.js";
import { translateCall } from "./translate-call.js";

export type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

export interface Answer {
  id: string;
  model: string;
  blocks: Block[];
  stop: string;
  usage: Record<string, unknown>;
}

/** Clients send it back unchanged and nobody else reads it. */
const SIGNATURE = Buffer.from("replayed thinking").toString("base64");

export function buildAnswer(turn: RecordedTurn, id: string, request: ClientRequest, derive: (chars: number) => TurnUsage): Answer {
  const blocks = blocksOf(turn, id, request);
  const stop = turn.stop ?? (blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn");
  const usage = turn.usage ?? derive(JSON.stringify(blocks).length);
  return { id: `msg_replay_${id}`, model: request.model, blocks, stop, usage: wireUsage(usage) };
}

function blocksOf(turn: RecordedTurn, id: string, request: ClientRequest): Block[] {
  const blocks: Block[] = [];
  const thinks = request.thinking !== undefined && request.thinking.type !== "disabled";
  if (turn.thinking !== undefined && thinks) blocks.push({ type: "thinking", thinking: turn.thinking, signature: SIGNATURE });
  if (turn.text !== undefined && turn.text !== "") blocks.push({ type: "text", text: turn.text });
  for (const [at, call] of (turn.calls ?? []).entries()) {
    blocks.push({ type: "tool_use", id: `toolu_replay_${id}_${at}`, ...translateCall(call, request) });
  }
  return blocks;
}

function wireUsage(usage: TurnUsage): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
    service_tier: "standard",
  };
}

/** The form of an answer that is not streamed. */
export function wholeMessage(answer: Answer): Record<string, unknown> {
  return { ...messageHead(answer), content: answer.blocks, stop_reason: answer.stop, usage: answer.usage };
}

/** The message as it stands at the start of a stream. */
export function messageHead(answer: Answer): Record<string, unknown> {
  return {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...answer.usage, output_tokens: 1 },
  };
}
