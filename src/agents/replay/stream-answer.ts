/** Sends an answer as server-sent events, whole or broken in the way the recording wants. */
import type { ServerResponse } from "node:http";
import { type Answer, type Block, messageHead } from "./message.js";
import type { RecordedTurn } from "./recording.js";

type StreamEvent = { type: string } & Record<string, unknown>;

/** Small enough that texts and inputs of usual size arrive in several pieces. */
const PIECE_CHARS = 64;

export function streamAnswer(response: ServerResponse, answer: Answer, turn: RecordedTurn): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "request-id": `req_${answer.id}` });
  const events = answerEvents(answer);
  if (turn.hang) return sendAll(response, events.slice(0, 1));
  if (turn.cut) {
    sendAll(response, firstHalf(events));
    // After the bytes are on their way, so that the client sees a beginning.
    setImmediate(() => response.destroy());
    return;
  }
  if (turn.midError !== undefined) {
    sendAll(response, [...firstHalf(events), { type: "error", error: turn.midError, request_id: `req_${answer.id}` }]);
    response.end();
    return;
  }
  sendAll(response, events);
  response.end();
}

function firstHalf(events: StreamEvent[]): StreamEvent[] {
  return events.slice(0, Math.ceil(events.length / 2));
}

function sendAll(response: ServerResponse, events: StreamEvent[]): void {
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function answerEvents(answer: Answer): StreamEvent[] {
  const lastIndex = answer.blocks.length - 1;
  return [
    { type: "message_start", message: messageHead(answer) },
    { type: "ping" },
    ...answer.blocks.flatMap((block, index) => blockEvents(block, index, answer.stop === "max_tokens" && index === lastIndex)),
    { type: "message_delta", delta: { stop_reason: answer.stop, stop_sequence: null }, usage: answer.usage },
    { type: "message_stop" },
  ];
}

/** `cutOff`: the output limit was reached in this block, so the input of a call is only half there. */
function blockEvents(block: Block, index: number, cutOff: boolean): StreamEvent[] {
  const delta = (of: Record<string, unknown>): StreamEvent => ({ type: "content_block_delta", index, delta: of });
  const start = (content_block: Record<string, unknown>): StreamEvent => ({ type: "content_block_start", index, content_block });
  const stop: StreamEvent = { type: "content_block_stop", index };
  switch (block.type) {
    case "text":
      return [start({ type: "text", text: "" }), ...pieces(block.text).map((text) => delta({ type: "text_delta", text })), stop];
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...pieces(block.thinking).map((thinking) => delta({ type: "thinking_delta", thinking })),
        delta({ type: "signature_delta", signature: block.signature }),
        stop,
      ];
    case "tool_use": {
      const json = JSON.stringify(block.input);
      const sent = cutOff ? json.slice(0, json.length / 2) : json;
      return [start({ ...block, input: {} }), ...pieces(sent).map((partial_json) => delta({ type: "input_json_delta", partial_json })), stop];
    }
  }
}

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += PIECE_CHARS) found.push(text.slice(at, at + PIECE_CHARS));
  return found;
}
