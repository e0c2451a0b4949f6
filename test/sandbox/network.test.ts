/** A closed network with real bubblewrap and real sockets: what an agent reaches, and what a gate does. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpointsOf } from "../../src/agents/endpoints.js";
import { runCommand } from "../../src/agents/process/run-command.js";
import { allows, parseEndpoint } from "../../src/core/endpoint.js";
import { probeBubblewrap } from "../../src/sandbox/bubblewrap.js";
import { type ClosedNetwork, openClosedNetwork } from "../../src/sandbox/closed-network.js";
import { chooseClosedSandbox, sandboxWrap } from "../../src/sandbox/sandbox.js";

const works = (await probeBubblewrap(process.env, process.platform, "relayed")).kind === "works";

let folder = "";
let model: HttpServer;
let other: HttpServer;
let network: ClosedNetwork;
const port = (server: HttpServer): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-network-")));
  model = await serve("MODEL");
  other = await serve("OTHER");
  network = await openClosedNetwork(
    endpointsOf({ kind: "claude", args: [], argv: [] }, ["allowed.invalid:8001"], { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port(model)}` }).endpoints,
    {},
  );
});

afterAll(async () => {
  await network.close();
  for (const server of [model, other]) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(word: string): Promise<HttpServer> {
  const server = createHttp((request, response) => response.end(`${word} ${request.method} ${request.url}\n`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** What a hostile agent would run; `relayed` as the agent, else as a gate. */
function inside(script: string, as: "agent" | "gate", env: Record<string, string> = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "try.mjs"), script);
  const wrap = as === "agent" ? sandboxWrap(() => network.mounts, "relayed", network.relayed) : sandboxWrap(() => network.mounts, "off");
  const argv = [process.execPath, join(folder, "try.mjs")];
  return runCommand({
    argv,
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    timeoutMs: 20_000,
    outputPath: null,
    signal: new AbortController().signal,
    token: `net-${Math.random()}`,
    killGraceMs: 500,
    wrap,
  });
}

// Each request says itself whether it goes through the proxy: with an agent of its own, since the usual one of Node 24 does so by the environment.
const TRY = `
import net from "node:net"; import http from "node:http"; import dns from "node:dns/promises";
const say = (name, text) => console.log(name + ": " + String(text).trim().split("\\n").at(-1));
const get = (url) => new Promise((done) => http.get(url, { agent: new http.Agent(), timeout: 3000 }, (r) => { let t = ""; r.on("data", (c) => t += c).on("end", () => done(t)); }).on("timeout", function () { this.destroy(new Error("timeout")); }).on("error", (e) => done("failed " + (e.code ?? e.message))));
const viaProxy = (url) => new Promise((done) => http.get({ agent: new http.Agent(), host: "127.0.0.1", port: new URL(process.env.HTTP_PROXY ?? "http://127.0.0.1:30128").port, path: url, headers: { host: new URL(url).host } }, (r) => { let t = ""; r.on("data", (c) => t += c).on("end", () => done(r.statusCode + " " + t)); }).on("error", (e) => done("failed " + e.code)));
const connect = (target) => new Promise((done) => { const s = net.connect(30128, "127.0.0.1", () => s.write("CONNECT " + target + " HTTP/1.1\\r\\n\\r\\n")); s.on("data", (c) => { done(String(c).split("\\r\\n")[0]); s.destroy(); }).on("error", (e) => done("failed " + e.code)); });
`;

describe.skipIf(!works)("an agent whose network is off", () => {
  it("reaches its model, by its address and through the proxy, and nothing else", async () => {
    const { output } = await inside(
      `${TRY}
      say("model", await get("http://127.0.0.1:${port(model)}/v1"));
      say("model by proxy", await viaProxy("http://127.0.0.1:${port(model)}/v2"));
      say("model by tunnel", await connect("127.0.0.1:${port(model)}"));
      say("other", await get("http://127.0.0.1:${port(other)}/"));
      say("other by proxy", await viaProxy("http://127.0.0.1:${port(other)}/"));
      say("other by tunnel", await connect("127.0.0.1:${port(other)}"));
      say("other in disguise", await viaProxy("http://127.0.0.1:${port(model)}@127.0.0.1:${port(other)}/"));
      say("address", await get("http://192.0.2.1/"));
      say("name", await dns.resolve4("example.com").catch((e) => "failed " + e.code));
      say("name of a host", (await dns.lookup("allowed.invalid").catch((e) => ({ address: e.code }))).address);
      process.exit(7);`,
      "agent",
      { NO_PROXY: "*" },
    );
    expect(output.split("\n").filter(Boolean)).toEqual([
      "model: MODEL GET /v1",
      "model by proxy: 200 MODEL GET /v2",
      "model by tunnel: HTTP/1.1 200 Connection Established",
      "other: failed ECONNREFUSED",
      expect.stringMatching(/^other by proxy: 403 ralphd: the network is off/),
      "other by tunnel: HTTP/1.1 403 Forbidden",
      expect.stringMatching(/^other in disguise: 403/),
      expect.stringMatching(/^address: failed E(NETUNREACH|HOSTUNREACH)/),
      expect.stringMatching(/^name: failed/),
      "name of a host: 127.0.1.2",
    ]);
    expect(network.take().join("\n")).toContain(`asked for 127.0.0.1:${port(other)}, which is none of its model's hosts`);
    expect(network.take()).toEqual([]);
  });

  it("ends as it would without the relay: code, signal, and its own grace", async () => {
    expect((await inside("process.exit(7)", "agent")).exit).toEqual({ kind: "exited", code: 7 });
    expect((await inside("process.kill(process.pid, 'SIGKILL')", "agent")).exit).toEqual({ kind: "signalled", signal: "SIGKILL" });
  });

  it("leaves gates with loopback alone", async () => {
    const { output } = await inside(
      `${TRY}
      say("model", await get("http://127.0.0.1:${port(model)}/"));
      say("tunnel", await connect("127.0.0.1:${port(model)}"));
      const own = http.createServer((q, r) => r.end("own")).listen(8123, "127.0.0.1", async () => { say("own", await get("http://127.0.0.1:8123/")); own.close(); });`,
      "gate",
    );
    expect(output).toBe("model: failed ECONNREFUSED\ntunnel: failed ECONNREFUSED\nown: own\n");
  });

  it("can't call services that listen on known sockets", async () => {
    const path = join(folder, "agent.sock");
    const service = createServer((socket) => socket.end("SERVICE"));
    await new Promise<void>((resolve) => service.listen(path, resolve));
    const closed = await openClosedNetwork([], { SSH_AUTH_SOCK: path });
    const call = `import net from "node:net"; net.connect(${JSON.stringify(path)}).on("data", (c) => console.log(String(c))).on("error", (e) => console.log(e.code));`;
    writeFileSync(join(folder, "call.mjs"), call);
    const { output } = await runCommand({
      argv: [process.execPath, join(folder, "call.mjs")],
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 20_000,
      outputPath: null,
      signal: new AbortController().signal,
      token: "call",
      killGraceMs: 500,
      wrap: sandboxWrap(() => closed.mounts, "relayed", closed.relayed),
    });
    await closed.close();
    service.close();
    expect(output).toBe("ECONNREFUSED\n");
  });
});

describe("a closed network", () => {
  it("sweeps folders of drivers that were killed, and leaves those of living ones and what it does not know", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "rn-"));
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = temporary;
    try {
      const open = `import("${fileURLToPath(new URL("../../dist/sandbox/closed-network.js", import.meta.url))}").then(({ openClosedNetwork }) => openClosedNetwork([], {})).then(() => process.kill(process.pid, "SIGKILL"))`;
      spawnSync(process.execPath, ["-e", open], { env: { ...process.env, TMPDIR: temporary } });
      const [dead = "none"] = readdirSync(temporary);
      expect(existsSync(join(temporary, dead, "proxy"))).toBe(true);
      mkdirSync(join(temporary, "ralphd-net-other"));
      const first = await openClosedNetwork([], {});
      const second = await openClosedNetwork([], {});
      const left = readdirSync(temporary);
      expect([left.includes(dead), left.includes("ralphd-net-other"), left.length]).toEqual([false, true, 3]);
      await first.close();
      await second.close();
      expect(readdirSync(temporary)).toEqual(["ralphd-net-other"]);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(temporary, { recursive: true, force: true });
    }
  });

  it("needs the sandbox, and says what to do without it", async () => {
    const failing = async () => ({ kind: "fails" as const, why: "no namespaces" });
    expect(await chooseClosedSandbox("auto", {}, failing)).toMatchObject({
      kind: "refused",
      message: expect.stringMatching(/no namespaces[\s\S]*sandbox\.network/),
    });
    expect(await chooseClosedSandbox("off", {}, failing)).toMatchObject({ kind: "refused", message: expect.stringContaining("--sandbox auto") });
  });

  it("knows hosts in every spelling, and nothing that only looks like one", () => {
    const rules = ["api.example.com", "*.cursor.sh", "http://localhost:8787/v1", "[::1]:9"].map((text) => parseEndpoint(text) ?? { host: "", port: 0 });
    const asked = (text: string): boolean => allows(rules, parseEndpoint(text) ?? { host: "", port: 1 });
    expect(["API.example.com:443", "api2.cursor.sh:443", "localhost:8787", "[::1]:9"].map(asked)).toEqual([true, true, true, true]);
    expect(["api.example.com:80", "evil-cursor.sh:443", "cursor.sh:443", "api.example.com.evil:443", "localhost:8788"].map(asked)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(["", "a b", "http://", "x:99999", "*", "*.*"].map(parseEndpoint)).toEqual([null, null, null, null, null, null]);
  });

  it("takes a moved model's host instead of the vendor's, and says when it knows none", () => {
    const agent = { kind: "codex", args: ["-c", 'model_providers.x.base_url="http://127.0.0.1:8788/v1"'], argv: [] };
    expect(endpointsOf(agent, [], {}).endpoints).toEqual([{ host: "127.0.0.1", port: 8788 }]);
    expect(endpointsOf({ kind: "claude", args: [], argv: [] }, ["example.com"], {}).endpoints.map(({ host }) => host)).toEqual(
      expect.arrayContaining(["api.anthropic.com", "example.com"]),
    );
    expect(endpointsOf({ kind: "command", args: [], argv: ["./a.sh"] }, [], {})).toMatchObject({
      endpoints: [],
      note: expect.stringContaining("sandbox.hosts"),
    });
  });
});
