/** A Messages API server on the loopback interface that answers from a recording. Serves the SDK and the `claude` CLI. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { type ClientRequest, readClientRequest } from "./client-request.js";
import { usageSource } from "./derive-usage.js";
import { buildAnswer, wholeMessage } from "./message.js";
import type { Recording } from "./recording.js";
import { type IterationChoice, type Script, startScript } from "./script.js";
import { streamAnswer } from "./stream-answer.js";

export interface LoggedRequest {
  method: string;
  path: string;
  body: unknown;
  /** `turn` consumed a recorded turn; `side` declared no tools (titles, classifiers) and consumed nothing. */
  kind: "turn" | "side" | "other";
}

export interface ReplayServer {
  /** Base URL for a client. */
  url: string;
  /** Everything that was asked, oldest first. */
  requests: readonly LoggedRequest[];
  close(): Promise<void>;
}

const SIDE_TEXT = "side answer";

export async function startReplayServer(recording: Recording, options: { iteration: IterationChoice }): Promise<ReplayServer> {
  const requests: LoggedRequest[] = [];
  const state: ServerState = { recording, script: startScript(recording, options.iteration), derive: usageSource(), requests };
  const server = createServer((request, response) => {
    handle(request, response, state).catch((error: unknown) => {
      // A fault in here must reach the client as an answer, or it would wait and retry.
      if (response.headersSent) response.destroy();
      else sendError(response, 400, "invalid_request_error", String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

interface ServerState {
  recording: Recording;
  script: Script;
  derive: ReturnType<typeof usageSource>;
  requests: LoggedRequest[];
}

async function handle(request: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  const method = request.method ?? "GET";
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const body: unknown = method === "POST" ? await readJson(request) : null;
  const asked = method === "POST" && path === "/v1/messages" ? readClientRequest(body) : null;
  const kind = asked === null ? "other" : asked.tools.length > 0 ? "turn" : "side";
  state.requests.push({ method, path, body, kind });
  if (asked !== null) return kind === "turn" ? answerTurn(asked, response, state) : answerSide(asked, response);
  answerOther(method, path, body, response, state.recording.model);
}

function answerTurn(asked: ClientRequest, response: ServerResponse, state: ServerState): void {
  const { turn, id } = state.script.next(!asked.messages.some((message) => message.role === "assistant"));
  if (turn.error !== undefined) {
    return sendError(response, turn.error.status, turn.error.type, turn.error.message, { "request-id": `req_${id}`, ...turn.error.headers });
  }
  const answer = buildAnswer(turn, id, asked, (chars) => state.derive(asked, chars));
  if (asked.stream) return streamAnswer(response, answer, turn);
  if (!turn.hang) sendJson(response, 200, wholeMessage(answer), { "request-id": `req_${id}` });
}

function answerSide(asked: ClientRequest, response: ServerResponse): void {
  const properties = asked.output_config?.format?.schema?.properties;
  const fields = Object.keys(properties ?? {}).map((name) => [name, SIDE_TEXT]);
  const text = properties === undefined ? SIDE_TEXT : JSON.stringify(Object.fromEntries(fields));
  const turn = { text, usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 }, times: 1 };
  const answer = buildAnswer(turn, "side", asked, () => turn.usage);
  if (asked.stream) streamAnswer(response, answer, turn);
  else sendJson(response, 200, wholeMessage(answer));
}

function answerOther(method: string, path: string, body: unknown, response: ServerResponse, model: string): void {
  if (method === "HEAD") {
    response.writeHead(200).end();
  } else if (method === "POST" && path === "/v1/messages/count_tokens") {
    sendJson(response, 200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
  } else if (method === "GET" && path === "/v1/models") {
    sendJson(response, 200, { data: [modelInfo(model)], has_more: false, first_id: model, last_id: model });
  } else if (method === "GET" && path.startsWith("/v1/models/")) {
    sendJson(response, 200, modelInfo(decodeURIComponent(path.slice("/v1/models/".length))));
  } else {
    sendError(response, 404, "not_found_error", `${method} ${path}`);
  }
}

function modelInfo(id: string): Record<string, unknown> {
  return { type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z", max_input_tokens: 200_000, max_tokens: 64_000 };
}

function sendError(response: ServerResponse, status: number, type: string, message: string, headers: Record<string, string> = {}): void {
  sendJson(response, status, { type: "error", error: { type, message } }, headers);
}

function sendJson(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}
