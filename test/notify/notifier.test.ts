/** Notifications arrive where they should, as each receiver reads them, and never hold anybody up. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTICE_KINDS, type Notice, type NotifySpec } from "../../src/core/notice.js";
import { messageFor } from "../../src/notify/bodies.js";
import { startHeartbeat } from "../../src/notify/heartbeat.js";
import { createNotifier } from "../../src/notify/notifier.js";
import { createRedactor } from "../../src/journal/redact.js";
import { timeline } from "../journal/events.js";

interface Seen {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const seen: Seen[] = [];
let server: Server;
let base = "";
const folder = mkdtempSync(join(tmpdir(), "ralphd-notify-"));

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push({ path: request.url ?? "", headers: request.headers, body });
      if (request.url === "/hang") return;
      response.writeHead(request.url === "/broken" ? 500 : 200).end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const webhook = (path: string, format: "slack" | "discord" | "ntfy" | "json" = "json", on: NotifySpec["on"] = NOTICE_KINDS): NotifySpec => ({
  kind: "webhook",
  url: `${base}${path}`,
  format,
  on,
});
const stopped = (summary: string) => ({
  type: "run.stopped" as const,
  status: "capped" as const,
  reason: "cost" as const,
  verified: false,
  summary,
  evidence: [],
});
const [END] = timeline([[3, stopped("Used up with sk-ant-abcdefghijklmnop in it.")]]);
const parked = (n: number) => timeline([[1, { type: "task.parked", task: `t-${n}`, question: "Which database?" }]])[0];

function notifier(specs: NotifySpec[], more: { env?: NodeJS.ProcessEnv; nowMs?: () => number; store?: string } = {}) {
  const env = { PATH: process.env["PATH"] ?? "", ...more.env };
  return createNotifier({
    specs,
    waitMs: 600_000,
    redact: createRedactor(env),
    carrier: { env, commandEnv: { PATH: env.PATH }, cwd: folder, token: "notify-test" },
    store: more.store ?? null,
    ...(more.nowMs === undefined ? {} : { nowMs: more.nowMs }),
  });
}

function send(one: ReturnType<typeof notifier>, event: ReturnType<typeof timeline>[number] | undefined): void {
  if (event !== undefined) one.journal(event);
}

const at = (path: string): Seen[] => seen.filter((request) => request.path === path);

describe("notifier", () => {
  it("sends the end of a run to those who asked for it, without secrets", async () => {
    const one = notifier([webhook("/all"), webhook("/done-only", "json", ["done"])]);
    send(one, END);
    await one.close(5_000);
    expect(at("/done-only")).toEqual([]);
    expect(JSON.parse(at("/all")[0]?.body ?? "")).toMatchObject({
      kind: "capped",
      title: "ralphd: capped (cost)",
      text: "Used up with [redacted:ANTHROPIC_KEY] in it.",
      iteration: 3,
    });
    expect(one.take()).toEqual([]);
  });

  it.each([
    ["slack", { text: "ralphd: t\na &lt;!channel&gt; &amp; b" }],
    ["discord", { content: "ralphd: t\na <!channel> & b", allowed_mentions: { parse: [] } }],
  ] as const)("speaks %s, in which nothing calls everyone", (format, body) => {
    const notice: Notice = { kind: "wait", title: "ralphd: t", text: "a <!channel> & b", run: "r", iteration: 1, at: "2026-01-01T00:00:00Z" };
    expect(JSON.parse(messageFor(format, notice).body)).toEqual(body);
  });

  it("speaks ntfy with headers that every server takes", async () => {
    const one = notifier([webhook("/ntfy", "ntfy")]);
    one.ended({ kind: "failed", title: "ralphd: gescheitert – schön", text: "größer\nals", run: "r", iteration: 1, at: "" });
    await one.close(5_000);
    expect(at("/ntfy")[0]).toMatchObject({ body: "größer\nals", headers: { title: "ralphd: gescheitert ? sch?n", priority: "5", tags: "ralphd,failed" } });
  });

  it("tells long waits and questions, and keeps short waits to itself", async () => {
    const one = notifier([webhook("/news")]);
    const [short, long] = timeline([[1, { type: "wait.started", untilMs: 0, why: "x" }, { type: "wait.started", untilMs: 0, why: "account limit" }]]);
    if (short?.type === "wait.started") send(one, { ...short, untilMs: Date.parse(short.at) + 600_000 });
    if (long?.type === "wait.started") send(one, { ...long, untilMs: Date.parse(long.at) + 600_001 });
    send(one, parked(1));
    await one.close(5_000);
    const kinds = at("/news").map((request) => (JSON.parse(request.body) as Notice).kind);
    expect(kinds.sort()).toEqual(["needs_person", "wait"]);
  });

  it("is bounded in number, but always tells the end", async () => {
    const one = notifier([webhook("/many")], { nowMs: () => 0 });
    for (let n = 0; n < 20; n++) send(one, parked(n));
    send(one, END);
    await one.close(5_000);
    expect(at("/many")).toHaveLength(7);
    expect(one.take()).toEqual([expect.stringMatching(/more than 6 in ten minutes/)]);
  });

  it("NT-01 a receiver that is missing, failing or refusing is a problem in words, without the address", async () => {
    const script = join(folder, "fails");
    writeFileSync(script, "#!/bin/sh\ncat > said.json\nexit 3\n");
    chmodSync(script, 0o755);
    const one = notifier([
      webhook("/broken"),
      { kind: "webhook", url: "http://127.0.0.1:1/secret-part", format: "json", on: NOTICE_KINDS },
      { kind: "webhook", url: "${NO_SUCH_HOOK}", format: "json", on: NOTICE_KINDS },
      { kind: "command", argv: [script], on: NOTICE_KINDS },
      { kind: "command", argv: ["/no/such/program"], on: NOTICE_KINDS },
    ]);
    send(one, END);
    await one.close(5_000);
    const problems = one.take();
    expect(problems).toHaveLength(5);
    for (const wanted of [/answered 500/, /127\.0\.0\.1:1: /, /NO_SUCH_HOOK is not set/, /exited 3/, /could not be started/])
      expect(problems).toContainEqual(expect.stringMatching(wanted));
    expect(problems.join()).not.toContain("secret-part");
    expect(JSON.parse(readFileSync(join(folder, "said.json"), "utf8"))).toMatchObject({ kind: "capped" });
  });

  it("NT-01 gives up on receivers that hang when the run is over", async () => {
    const one = notifier([webhook("/hang"), { kind: "command", argv: ["sleep", "600"], on: NOTICE_KINDS }]);
    send(one, END);
    await expect.poll(() => at("/hang").length).toBe(1);
    await one.close(0);
    expect(one.take().sort()).toEqual([expect.stringMatching(/sleep was not waited for/), expect.stringMatching(/webhook could not be told: 127\.0\.0\.1/)]);
  });

  it("tells a fact once that a restart journals again, keeps nothing secret, and never repeats what may have arrived", async () => {
    const store = join(folder, "writes");
    const asked = { kind: "command" as const, argv: ["/no/such/program", "secret-part"], on: NOTICE_KINDS };
    for (let start = 0; start < 2; start++) {
      const one = notifier([webhook("/once"), asked], { store });
      send(one, parked(1));
      send(one, END);
      await one.close(5_000);
      // What nobody was told is tried again.
      expect(one.take()).toEqual([expect.stringContaining("could not be started")]);
    }
    expect(
      at("/once")
        .map(({ body }) => (JSON.parse(body) as Notice).kind)
        .sort(),
    ).toEqual(["capped", "needs_person"]);
    for (let start = 0; start < 2; start++) {
      const cut = notifier([webhook("/hang")], { store });
      const before = at("/hang").length;
      send(cut, parked(2));
      if (start === 0) await expect.poll(() => at("/hang").length).toBe(before + 1);
      await cut.close(start === 0 ? 0 : 5_000);
      expect(at("/hang").length - before).toBe(1 - start);
      expect(cut.take()).toEqual([expect.stringMatching(start === 0 ? /could not be told/ : /unknown, so it is not told again.*once --resolve notify:/)]);
    }
    const records = readdirSync(store).flatMap((name) => readdirSync(join(store, name)).map((file) => readFileSync(join(store, name, file), "utf8")));
    expect(records.join("")).not.toMatch(/secret-part|127\.0\.0\.1/);
  });

  it("takes the address of a webhook from the environment", async () => {
    const one = notifier([{ kind: "webhook", url: "${HOOK}/env", format: "json", on: NOTICE_KINDS }], { env: { HOOK: base } });
    send(one, END);
    await one.close(5_000);
    expect(at("/env")).toHaveLength(1);
  });
});

describe("heartbeat", () => {
  it("B-13 NT-03 touches the file and calls the address while it lives, and not afterwards", async () => {
    const path = join(folder, "heartbeat");
    const heart = startHeartbeat({ path, url: `${base}/beat`, everyMs: 20, env: {}, state: () => null, beatMs: 20 });
    const first = readFileSync(path, "utf8");
    await expect.poll(() => at("/beat").length).toBeGreaterThan(2);
    await expect.poll(() => readFileSync(path, "utf8")).not.toBe(first);
    heart.stop();
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid, run: null, noProgressSince: null });
    expect(heart.take()).toEqual([]);
  });

  it("names a dead address once and goes on", async () => {
    const heart = startHeartbeat({ path: join(folder, "no/such/folder"), url: "http://127.0.0.1:1/", everyMs: 10, env: {}, state: () => null, beatMs: 10 });
    const problems: string[] = [];
    await expect.poll(() => problems.push(...heart.take())).toBeGreaterThanOrEqual(2);
    heart.stop();
    expect(problems.filter((problem) => problem.includes("127.0.0.1:1"))).toHaveLength(1);
  });
});
