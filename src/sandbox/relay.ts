/**
 * Runs inside a sandbox without network, in front of the agent: listens on loopback and hands every connection to the
 * driver's proxy, whose socket is a file. Then it is the agent's parent, and ends as the agent ends.
 *
 * Two ways lead out, so that an agent needs no setting of its own: the proxy that the environment names, and for each
 * endpoint a listener at the address that the sandbox's hosts file gives it.
 */
import { spawn } from "node:child_process";
import { connect, createServer, type Socket } from "node:net";
import { PROXY_PORT, type RelayPlan } from "./relay-plan.js";

async function main(): Promise<void> {
  const [, , text = "", ...argv] = process.argv;
  // Written by the driver's own command line.
  const plan = JSON.parse(text) as RelayPlan;
  await listen("127.0.0.1", PROXY_PORT, (client) => join(client, kept(connect({ path: plan.socket, allowHalfOpen: true }))));
  for (const { address, port, target } of plan.direct) await listen(address, port, (client) => throughProxy(client, plan.socket, target));
  runAgent(argv);
}

/** Open connections; they end with the agent, and this process with them. */
const open = new Set<Socket>();

/** A port that can't be had (no IPv6, no right to low ports) leaves the way through the proxy. */
function listen(address: string, port: number, take: (client: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, (client) => take(kept(client)));
    server.once("error", () => resolve());
    server.listen(port, address, () => resolve());
    server.unref();
  });
}

function kept(socket: Socket): Socket {
  open.add(socket);
  socket.once("close", () => open.delete(socket));
  return socket;
}

function throughProxy(client: Socket, socket: string, target: string): void {
  const proxy = kept(connect({ path: socket, allowHalfOpen: true }));
  let head = Buffer.alloc(0);
  client.once("error", () => proxy.destroy());
  proxy.once("error", () => client.destroy());
  proxy.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    proxy.off("data", read);
    if (!/^HTTP\/1\.\d 200/.test(head.toString("latin1", 0, end))) {
      client.destroy();
      proxy.destroy();
      return;
    }
    if (head.length > end + 4) client.write(head.subarray(end + 4));
    join(client, proxy);
  };
  proxy.on("data", read);
}

function join(client: Socket, proxy: Socket): void {
  for (const [one, other] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
    one.pipe(other);
  }
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

function runAgent([file = "", ...args]: string[]): void {
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const { NO_PROXY: _, no_proxy: __, ...env } = process.env;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  // Newer versions of Node take no notice of these variables without the last one.
  const child = spawn(file, args, { stdio: "inherit", env: { ...env, ...Object.fromEntries(names.map((name) => [name, proxy])), NODE_USE_ENV_PROXY: "1" } });
  // The driver tells every process of the tree by itself; this one stays for as long as the agent needs its way out.
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  child.once("error", (error) => {
    process.stderr.write(`cannot start ${file}: ${error.message}\n`);
    process.exitCode = 127;
  });
  child.once("exit", (code, signal) => {
    for (const socket of open) socket.destroy();
    process.exitCode = code ?? 0;
    if (signal === null) return;
    for (const one of SIGNALS) process.removeAllListeners(one);
    process.kill(process.pid, signal);
  });
}

await main();
