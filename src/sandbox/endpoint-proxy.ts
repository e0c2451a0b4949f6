/**
 * The way out of a closed network: an HTTP proxy on a socket of the file system, on the driver's side. It lets through
 * what the endpoints name and refuses the rest. What is inside of TLS stays between the agent and its vendor.
 */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { allows, type Endpoint, formatEndpoint, parseEndpoint } from "../core/endpoint.js";

export interface EndpointProxy {
  /** Hosts that were asked for and refused since the last call, each once a run. */
  takeRefused(): string[];
  close(): Promise<void>;
}

/** A hostile agent could ask for millions of names; a report needs few. */
const MAX_REFUSED = 50;
const HOP_HEADERS = ["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "trailer", "upgrade"];

/** `upstreamOf`: the proxy that the person's own environment prescribes for a host. Throws when the socket can't be made. */
export async function openEndpointProxy(socketPath: string, endpoints: readonly Endpoint[], upstreamOf: (host: string) => URL | null): Promise<EndpointProxy> {
  const refused = new Set<string>();
  const fresh: string[] = [];
  const open = new Set<Duplex>();
  const refuse = (asked: Endpoint | null, target: string): string => {
    const name = asked === null ? target.slice(0, 100) : formatEndpoint(asked);
    if (!refused.has(name) && refused.size < MAX_REFUSED) {
      refused.add(name);
      fresh.push(name);
    }
    const allowed = endpoints.map(formatEndpoint).join(", ");
    return `ralphd: the network is off (sandbox.network); ${name} can't be reached${allowed === "" ? "" : `, only ${allowed}`}.\n`;
  };
  const server = createServer((request, response) => forward(request, response, { endpoints, upstreamOf, refuse }));
  server.on("connect", (request, socket, head) => {
    const asked = parseEndpoint(request.url ?? "");
    if (asked === null || !allows(endpoints, asked)) {
      const body = refuse(asked, request.url ?? "");
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
      return;
    }
    tunnel(asked, { client: socket, head, upstream: upstreamOf(asked.host) });
  });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  server.unref();
  return {
    takeRefused: () => fresh.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

interface Tunnel {
  client: Duplex;
  /** What the client sent behind its request. */
  head: Buffer;
  upstream: URL | null;
}

function tunnel({ host, port }: Endpoint, { client, head, upstream }: Tunnel): void {
  const target = upstream === null ? connect({ host, port }) : connect({ host: upstream.hostname, port: Number(upstream.port || 80) });
  let joined = false;
  target.once("error", () => {
    if (joined || client.destroyed) client.destroy();
    else client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  // Either side that goes takes the other with it, as it would without a proxy between them.
  client.once("error", () => target.destroy());
  client.once("close", () => target.destroy());
  target.once("connect", () => {
    joined = true;
    // What a proxy of the person's answers, a refusal included, goes to the client as it is.
    if (upstream === null) client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    else askUpstream(target, { host, port }, upstream);
    target.once("close", () => client.destroy());
    if (head.length > 0) target.write(head);
    target.pipe(client);
    client.pipe(target);
  });
}

function askUpstream(target: Socket, { host, port }: Endpoint, upstream: URL): void {
  const name = host.includes(":") ? `[${host}]` : host;
  const login =
    upstream.username === ""
      ? ""
      : `Proxy-Authorization: Basic ${Buffer.from(`${decodeURIComponent(upstream.username)}:${decodeURIComponent(upstream.password)}`).toString("base64")}\r\n`;
  target.write(`CONNECT ${name}:${port} HTTP/1.1\r\nHost: ${name}:${port}\r\n${login}\r\n`);
}

interface Rules {
  endpoints: readonly Endpoint[];
  upstreamOf(host: string): URL | null;
  refuse(asked: Endpoint | null, target: string): string;
}

/** Plain HTTP, as a client sends it to a proxy: with the whole address. */
function forward(request: IncomingMessage, response: ServerResponse, { endpoints, upstreamOf, refuse }: Rules): void {
  const address = request.url ?? "";
  const asked = address.startsWith("http://") ? parseEndpoint(address) : null;
  if (asked === null || !allows(endpoints, asked)) {
    response.writeHead(403, { "content-type": "text/plain", connection: "close" }).end(refuse(asked, address));
    return;
  }
  const url = new URL(address);
  const upstream = upstreamOf(asked.host);
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.includes(name)));
  const place =
    upstream === null
      ? { host: asked.host, port: asked.port, path: `${url.pathname}${url.search}` }
      : { host: upstream.hostname, port: Number(upstream.port || 80), path: address };
  const onward = httpRequest({ ...place, method: request.method, headers: { ...headers, host: url.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.once("error", () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  response.once("close", () => onward.destroy());
  request.pipe(onward);
}
