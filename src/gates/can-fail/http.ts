/** What an http gate is given: nobody listening, another status, another body, and a server that never answers. */
import { createServer, type RequestListener } from "node:http";
import type { HttpGate } from "../../core/gate.js";
import type { Trial, TrialRoom } from "../can-fail.js";
import { tryIn } from "./command.js";

const SILENCE_MS = 300;

export async function httpTrials(spec: HttpGate, room: TrialRoom): Promise<Trial[]> {
  const wrong = spec.status === 500 ? 200 : 500;
  const stand = (given: string, about: Trial["about"], listener: RequestListener, change: Partial<HttpGate> = {}): Promise<Trial> =>
    withServer(listener, (origin) => tryIn({ ...spec, ...change, url: moved(spec.url, origin), host: null }, room, { given, cwd: room.folder, about }));
  const closed = await withServer(
    () => undefined,
    async (origin) => origin,
  );
  return [
    await tryIn({ ...spec, url: moved(spec.url, closed), host: null }, room, { given: "nobody listening", cwd: room.folder, about: "driver" }),
    await stand(`status ${wrong}`, "content", (_, response) => response.writeHead(wrong).end()),
    ...(spec.body === null ? [] : [await stand(`status ${spec.status} with an empty body`, "content", (_, response) => response.writeHead(spec.status).end())]),
    await stand("a server that never answers", "driver", () => undefined, { timeoutMs: SILENCE_MS }),
  ];
}

function moved(url: string, origin: string): string {
  const { pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

async function withServer<T>(listener: RequestListener, action: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  try {
    if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
    return await action(`http://127.0.0.1:${address.port}`);
  } finally {
    await new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  }
}
