/** A model server on the loopback interface that plays turns in order, in the protocol that it is asked in. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { chat } from "./chat.js";
import { gemini } from "./gemini.js";
import { responses } from "./responses.js";
import { type Tool, type ToolUse, useOf } from "./tools.js";
import type { Turn } from "./turns.js";

/** Parsed JSON of a request; what is read from it is tested by the CLIs themselves. */
// biome-ignore lint/suspicious/noExplicitAny: vendors' requests have no types here
export type Body = any;

/** One vendor's way to ask and to answer. */
export interface Protocol {
  matches(method: string, path: string): boolean;
  tools(body: Body): Tool[];
  /** Requests beside the conversation, such as one for a title, cost no turn. */
  isSide(body: Body): boolean;
  error(error: NonNullable<Turn["error"]>): { status: number; body: object };
  answer(response: ServerResponse, asked: Asked): void;
}

export interface Asked {
  path: string;
  body: Body;
  text: string;
  uses: ToolUse[];
  tools: Tool[];
}

export interface Models {
  url: string;
  /** Bodies of the requests that cost a turn. */
  asked: Body[];
  close(): Promise<void>;
}

const PROTOCOLS: readonly Protocol[] = [responses, chat, gemini];

export async function startModels(turns: readonly Turn[]): Promise<Models> {
  const script = turns.flatMap((turn) => Array.from({ length: turn.times ?? 1 }, () => turn));
  const asked: Body[] = [];
  const server = createServer((request, response) => {
    void serve(request, response, (body) => {
      asked.push(body);
      return script[asked.length - 1] ?? { text: "There is nothing left to do." };
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, next: (body: Body) => Turn): Promise<void> {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const raw = await buffer(request);
  const protocol = PROTOCOLS.find((candidate) => candidate.matches(request.method ?? "", path));
  if (protocol === undefined) return json(response, 404, { error: { message: `no route ${request.method} ${path}`, code: "not_found" } });
  const body = JSON.parse(raw.toString("utf8")) as Body;
  const turn = protocol.isSide(body) ? { text: "Side answer" } : next(body);
  if (turn.hang === true) return;
  if (turn.error !== undefined) {
    const { status, body: answer } = protocol.error(turn.error);
    return json(response, status, answer, turn.error.headers);
  }
  const tools = protocol.tools(body);
  try {
    protocol.answer(response, { path, body, text: turn.text ?? "", uses: (turn.calls ?? []).map((call) => useOf(call, tools)), tools });
  } catch (error) {
    // A call that the CLI has no tool for is a fault of the test; the CLI's log then shows it.
    json(response, 500, { error: { message: String(error), code: "fake_error" } });
  }
}

export function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** A writer of server-sent events; the caller ends the response. */
export function events(response: ServerResponse): (data: object | string, name?: string) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (data, name) => {
    response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  };
}
