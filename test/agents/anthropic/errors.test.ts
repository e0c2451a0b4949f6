/** Every class of API failure: what is repeated, and what the driver is told when it ends the run. */
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/core/agent-event.js";
import { ofType, talk } from "./harness.js";

const error = (status: number, type: string, message: string, headers: Record<string, string> = {}) => ({
  error: { status, type, message, headers },
  times: 99,
});
const SOON = Date.now() + 3_600_000;

const FATAL: [string, ReturnType<typeof error>, Partial<AgentEvent>, number][] = [
  ["RL-14 401", error(401, "authentication_error", "invalid x-api-key"), { type: "error", kind: "auth", fatal: true }, 1],
  ["403", error(403, "permission_error", "no access"), { type: "error", kind: "auth", fatal: true }, 1],
  ["RL-13 404 unknown model", error(404, "not_found_error", "model: nope"), { type: "error", kind: "model", fatal: true }, 1],
  ["400", error(400, "invalid_request_error", "messages: bad"), { type: "error", kind: "other", fatal: true }, 1],
  [
    "400 prompt too long",
    error(400, "invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum"),
    { type: "error", kind: "context", fatal: true },
    1,
  ],
  ["413", error(413, "request_too_large", "too large"), { type: "error", kind: "context", fatal: true }, 1],
  ["402", error(402, "billing_error", "pay"), { type: "limit", kind: "credit", resumeAtMs: null }, 1],
  ["400 credit", error(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."), { type: "limit", kind: "credit" }, 1],
  [
    "400 spend limit with a date",
    error(400, "invalid_request_error", "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC."),
    { type: "limit", kind: "credit", resumeAtMs: Date.UTC(2026, 11, 1) },
    1,
  ],
  ["429 without a time, again and again", error(429, "rate_limit_error", "slow down"), { type: "limit", kind: "throttle", resumeAtMs: null }, 3],
  [
    "429 that must not be retried",
    error(429, "rate_limit_error", "plan limit", { "x-should-retry": "false" }),
    { type: "limit", kind: "account", resumeAtMs: null },
    1,
  ],
  ["529 again and again", error(529, "overloaded_error", "Overloaded"), { type: "error", kind: "overload", fatal: true }, 3],
  ["500 again and again", error(500, "api_error", "Internal"), { type: "error", kind: "network", fatal: true }, 3],
  ["408", error(408, "timeout_error", "slow"), { type: "error", kind: "network", fatal: true }, 3],
];

describe("failures that end the run", () => {
  it.each(FATAL)("%s", async (_name, turn, event, tries) => {
    const run = await talk([turn]);
    expect(run.ok).toBe(false);
    expect(run.requests).toHaveLength(tries);
    expect(run.events.at(-2)).toMatchObject(event);
    expect(run.events.at(-1)).toEqual({ type: "finished", ok: false, text: null });
  });

  it("a long retry-after is not slept through but handed to the driver", async () => {
    const run = await talk([error(429, "rate_limit_error", "wait", { "retry-after": "3600" })]);
    expect(run.requests).toHaveLength(1);
    const limit = ofType(run.events, "limit")[0];
    expect(limit?.kind).toBe("account");
    expect(limit?.resumeAtMs).toBeGreaterThan(SOON - 60_000);
    expect(limit?.resumeAtMs).toBeLessThan(SOON + 120_000);
  });

  it("a plan limit names its reset by header", async () => {
    const reset = Math.floor(SOON / 1000);
    const run = await talk([error(429, "rate_limit_error", "limit", { "x-should-retry": "false", "anthropic-ratelimit-unified-reset": String(reset) })]);
    expect(Math.abs((ofType(run.events, "limit")[0]?.resumeAtMs ?? 0) - reset * 1000)).toBeLessThan(2_000);
  });

  it("names the request in the message", async () => {
    const run = await talk([error(400, "invalid_request_error", "bad", { "request-id": "req_42" })]);
    expect(ofType(run.events, "error")[0]?.message).toBe("400 bad (request req_42)");
  });
});

describe("failures that pass", () => {
  it("a short retry-after is waited for exactly", async () => {
    const run = await talk([{ ...error(429, "rate_limit_error", "wait", { "retry-after": "7" }), times: 1 }, { text: "ok" }]);
    expect(run.ok).toBe(true);
    expect(run.waitsMs).toEqual([7000]);
    expect(ofType(run.events, "error")).toMatchObject([{ kind: "overload", fatal: false }]);
  });

  it("overload and server errors are repeated with growing waits", async () => {
    const run = await talk([{ ...error(529, "overloaded_error", "Overloaded"), times: 1 }, { ...error(503, "api_error", "down"), times: 1 }, { text: "ok" }]);
    expect(run.ok).toBe(true);
    expect(run.waitsMs).toEqual([1, 2]);
    expect(ofType(run.events, "finished")[0]?.text).toBe("ok");
  });

  it("an error event inside the stream is repeated, and nothing of the broken answer is kept", async () => {
    const broken = {
      text: "a broken answer ".repeat(20),
      calls: [{ write: { path: "x", content: "y" } }],
      midError: { type: "overloaded_error", message: "Overloaded" },
    };
    const run = await talk([broken, { text: "ok" }]);
    expect(run.ok).toBe(true);
    expect(ofType(run.events, "error")).toMatchObject([{ kind: "overload", fatal: false }]);
    expect(ofType(run.events, "text").map((event) => event.text)).toEqual(["ok"]);
    expect(ofType(run.events, "toolCall")).toEqual([]);
    expect(run.requests[1]?.body).toEqual(run.requests[0]?.body);
  });

  it("SP-07 a cut connection is repeated", async () => {
    const run = await talk([{ text: "cut in the middle ".repeat(20), cut: true }, { text: "ok" }]);
    expect(run.ok).toBe(true);
    expect(ofType(run.events, "error")).toMatchObject([{ kind: "network", fatal: false }]);
  });

  it("BC-02 the tokens of a broken answer count", async () => {
    const run = await talk([
      { text: "cut ".repeat(99), cut: true, usage: { input: 500, output: 9 } },
      { text: "ok", usage: { input: 500, output: 9 } },
    ]);
    expect(ofType(run.events, "usage").map((event) => event.inputTokens)).toEqual([500, 500]);
  });

  it("PH-04 a stream that falls silent is ended by the watchdog and repeated a few times", async () => {
    const stalls = { baseMs: 1, tries: 50, stalls: 50 };
    const once = await talk([{ hang: true }, { text: "ok", times: 50 }], { config: { idleMs: 300, retry: stalls } });
    expect(once.ok).toBe(true);
    expect(ofType(once.events, "error")[0]).toMatchObject({ kind: "network", fatal: false, message: expect.stringContaining("no event") });

    const ever = await talk([{ hang: true, times: 9 }], { config: { idleMs: 50 } });
    expect(ofType(ever.events, "error")).toMatchObject([
      { kind: "network", fatal: false },
      { kind: "network", fatal: true, message: expect.stringContaining("no event") },
    ]);
  });

  it("an answer may not take longer than its deadline", async () => {
    const run = await talk([{ hang: true, times: 9 }], { config: { turnMs: 100 } });
    expect(ofType(run.events, "error").at(-1)?.message).toContain("longer than 100 ms");
  });
});
