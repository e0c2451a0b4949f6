/** Hosts that a closed network still lets through: how they are written, and what they match. Pure. */

export interface Endpoint {
  /** Lower case; `*.example.com` stands for every name below it. */
  host: string;
  port: number;
}

const DEFAULT_PORT = 443;
const HOST = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** `api.example.com`, `*.example.com:8443`, `127.0.0.1:8787`, `[::1]:8787`, or the address of an API; null for anything else. */
export function parseEndpoint(written: string): Endpoint | null {
  const text = written.trim().toLowerCase();
  if (/^https?:\/\//.test(text)) return ofAddress(text);
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/\s]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? DEFAULT_PORT : Number(match[3]);
  if (host === undefined || port < 1 || port > 65_535) return null;
  return match?.[1] !== undefined || HOST.test(host) ? { host, port } : null;
}

function ofAddress(text: string): Endpoint | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  // Never empty: of http and https no address without a host can be parsed.
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: port !== "" ? Number(port) : protocol === "http:" ? 80 : DEFAULT_PORT };
}

export function formatEndpoint({ host, port }: Endpoint): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === DEFAULT_PORT ? name : `${name}:${port}`;
}

export function allows(endpoints: readonly Endpoint[], asked: Endpoint): boolean {
  const host = asked.host.toLowerCase().replace(/\.$/, "");
  return endpoints.some((one) => one.port === asked.port && (one.host === host || (one.host.startsWith("*.") && host.endsWith(one.host.slice(1)))));
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
