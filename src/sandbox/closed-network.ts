/**
 * A sandbox without network: a namespace of its own with nothing but loopback, and for the agent alone a way to its
 * model's hosts. Sockets in the file system lead out of it as well, so those of well-known services are covered.
 */
import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Endpoint, isLoopback } from "../core/endpoint.js";
import { shippedFile } from "../shipped.js";
import { acquireLock } from "../workspace/lock.js";
import { readLock } from "../workspace/lock-state.js";
import type { Mount } from "./bubblewrap.js";
import { openEndpointProxy } from "./endpoint-proxy.js";
import type { RelayPlan } from "./relay-plan.js";

export interface ClosedNetwork {
  /** What lies over the file system of every process. */
  mounts: Mount[];
  /** The agent's command line behind the relay. */
  relayed(argv: readonly string[]): string[];
  /** Hosts that were refused since the last call, in words. */
  take(): string[];
  close(): Promise<void>;
}

/** Services that act outside of the sandbox for whoever asks: containers, units, sessions, name lookups, keys. */
const SERVICES = [
  "dbus",
  "systemd",
  "user",
  "docker.sock",
  "docker",
  "containerd",
  "podman",
  "libvirt",
  "snapd.socket",
  "snapd-snap.socket",
  "nscd",
  "avahi-daemon",
].map((name) => `/run/${name}`);
const SOCKET_VARIABLES = ["SSH_AUTH_SOCK", "DOCKER_HOST", "DBUS_SESSION_BUS_ADDRESS", "GPG_AGENT_INFO"];
const HOSTS_FILE = "/etc/hosts";
const FOLDER_PREFIX = "ralphd-net-";

export async function openClosedNetwork(endpoints: readonly Endpoint[], env: NodeJS.ProcessEnv): Promise<ClosedNetwork> {
  // Short, because the path of a socket may not be longer than some hundred bytes.
  sweepDead(tmpdir());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), FOLDER_PREFIX)));
  acquireLock(folder, { run: "closed-network" });
  const socket = join(folder, "proxy");
  const proxy = await openEndpointProxy(socket, endpoints, upstreams(env));
  const direct = directListeners(endpoints);
  const plan: RelayPlan = { socket, direct: direct.map(({ address, port, target }) => ({ address, port, target })) };
  const relay = [process.execPath, shippedFile("dist/sandbox/relay.js"), JSON.stringify(plan)];
  return {
    mounts: [...covered(env), { path: folder, mode: "readOnly" }, ...hostsMount(folder, direct)],
    relayed: (argv) => [...relay, ...argv],
    take: () => proxy.takeRefused().map((host) => `the network is off: the agent asked for ${host}, which is none of its model's hosts`),
    async close() {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Folders of drivers that were killed: only the person's own, and only where the owner that it names is gone. */
function sweepDead(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(FOLDER_PREFIX))) {
    const path = join(parent, name);
    try {
      const stats = lstatSync(path);
      if (!stats.isDirectory() || stats.uid !== process.getuid?.()) continue;
      const lock = readLock(path);
      if (lock.kind === "stale" && lock.owner !== null) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another start swept it, or it is closed to us: a folder that stays is no reason not to start.
    }
  }
}

interface Direct {
  name: string;
  address: string;
  port: number;
  target: string;
}

/** Each name gets a loopback address of its own; what is on loopback outside keeps its address. */
function directListeners(endpoints: readonly Endpoint[]): Direct[] {
  const exact = endpoints.filter(({ host }) => !host.startsWith("*."));
  const names = [...new Set(exact.map(({ host }) => host))];
  return exact.flatMap(({ host, port }) => {
    const target = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    if (host === "localhost") return ["127.0.0.1", "::1"].map((address) => ({ name: host, address, port, target }));
    return [{ name: host, address: isLoopback(host) ? host : `127.0.1.${names.indexOf(host) + 1}`, port, target }];
  });
}

/** Names lead to the relay by the hosts file; where it is a link, the way through the proxy is the only one. */
function hostsMount(folder: string, direct: readonly Direct[]): Mount[] {
  if (!existsSync(HOSTS_FILE) || lstatSync(HOSTS_FILE).isSymbolicLink()) return [];
  const path = join(folder, "hosts");
  const own = direct.filter(({ name }) => !isLoopback(name)).map(({ name, address }) => `${address} ${name}`);
  writeFileSync(path, ["127.0.0.1 localhost", "::1 localhost", ...new Set(own), ""].join("\n"));
  return [{ path: HOSTS_FILE, mode: "readOnly", from: path }];
}

function covered(env: NodeJS.ProcessEnv): Mount[] {
  const named = SOCKET_VARIABLES.flatMap((name) => /(?:unix:(?:path=|\/\/))?(\/[^,;:]+)/.exec(env[name] ?? "")?.[1] ?? []);
  return [...new Set([...SERVICES, ...named])].flatMap((path) => {
    if (!existsSync(path)) return [];
    const real = realpathSync(path);
    return [lstatSync(real).isDirectory() ? { path: real, mode: "empty" as const } : { path: real, mode: "readOnly" as const, from: "/dev/null" }];
  });
}

/** The proxy that the person's own environment prescribes; null without one. */
export function personalProxy(env: NodeJS.ProcessEnv): URL | null {
  const text = env["HTTPS_PROXY"] ?? env["https_proxy"] ?? env["ALL_PROXY"] ?? env["all_proxy"] ?? "";
  return URL.canParse(text) ? new URL(text) : null;
}

/** That proxy stays between us and the vendor, as it is without a sandbox. */
function upstreams(env: NodeJS.ProcessEnv): (host: string) => URL | null {
  const url = personalProxy(env);
  const except = (env["NO_PROXY"] ?? env["no_proxy"] ?? "")
    .split(",")
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ""),
    )
    .filter(Boolean);
  return (host) => (url === null || isLoopback(host) || except.some((part) => part === "*" || host === part || host.endsWith(`.${part}`)) ? null : url);
}
