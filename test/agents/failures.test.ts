/** What each product's own wording means: typed fields first, and words only where there are none. */
import { describe, expect, it } from "vitest";
import { failureOf as acp } from "../../src/agents/acp/failure.js";
import type { TranslatorContext } from "../../src/agents/cli/translator-context.js";
import { failureOf as codex } from "../../src/agents/codex/failure.js";
import { innerCommand } from "../../src/agents/codex/items.js";
import { failureOf as copilot } from "../../src/agents/copilot/failure.js";
import { crashOf as geminiCrash, failureOf as gemini } from "../../src/agents/gemini/failure.js";
import { failureOf as opencode } from "../../src/agents/opencode/failure.js";
import { failureOf as pi } from "../../src/agents/pi/failure.js";
import type { AgentExit } from "../../src/core/agent-event.js";
import { translate, translator } from "./recordings.js";

const NOW = Date.parse("2026-11-30T20:00:00Z");
const context: TranslatorContext = { roots: [], nowMs: () => NOW, localZone: "UTC", prices: {} };
const said = (failure: { type: string; kind: string; resumeAtMs?: number | null }): string =>
  `${failure.type} ${failure.kind}${failure.resumeAtMs == null ? "" : ` +${(failure.resumeAtMs - NOW) / 1_000}s`}`;

describe("codex", () => {
  it.each([
    ["You’ve hit your usage limit. Upgrade to Pro or try again at 9:39 PM.", "limit account +5940s"],
    ["You've hit your usage limit. To get more access now, send a request to your admin or try again at Dec 7th, 2026 8:00 AM.", "limit account +561600s"],
    ["Quota exceeded. Check your plan and billing details.", "limit credit"],
    ["rate limit exceeded: Rate limit reached. Please try again in 1.2s.", "limit throttle +1.2s"],
    ["exceeded retry limit, last status: 429 Too Many Requests, request id: r", "limit throttle"],
    ["unexpected status 401 Unauthorized: invalid x-api-key", "error auth"],
    ["exceeded retry limit, last status: 401 Unauthorized", "error auth"],
    ["unexpected status 404 Not Found: model: fake-model not found", "error model"],
    ["Codex ran out of room in the model's context window.", "error context"],
    ["We’re currently experiencing high demand, which may cause temporary errors.", "error overload"],
    ["stream disconnected before completion: Transport error", "error network"],
    ['{"error":{"message":"no","type":"invalid_request_error","code":"invalid_request_error"}}', "error other"],
    ['{"error":{"message":"too long","code":"context_length_exceeded"}}', "error context"],
    ["Incomplete response returned, reason: max_output_tokens", "error other"],
    ["error on line 429 of the file: 401", "error other"],
  ])("RL-03 RL-04 %s", (message, expected) => expect(said(codex(message, context))).toBe(expected));

  it("RL-01 tells a limit that it was waiting for when the watchdog ended it, and not one that had passed", () => {
    const retry = '{"type":"error","message":"Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)"}\n';
    const work = '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"on it"}}\n';
    const idle: AgentExit = { kind: "stopped", cause: "idle" };
    const limits = (stream: string) => translate(translator("codex"), stream, "", idle).filter((event) => event.type === "limit");
    expect(limits(retry)).toMatchObject([{ kind: "throttle" }]);
    expect(limits(retry + work)).toEqual([]);
  });

  it.each([
    ["/bin/bash -lc 'npm test'", "npm test"],
    ["bash -c \"npm test && echo 'ok'\"", "npm test && echo 'ok'"],
    ["/bin/zsh -lc ls", "ls"],
    ["/bin/bash -lc 'echo '\\''a b'\\'''", "echo 'a b'"],
    ["npm test", "npm test"],
    ["bash script.sh", "bash script.sh"],
    ["bash -c ls extra", "bash -c ls extra"],
    ["bash -lc 'a", "a"],
  ])("runs %s, which is %s", (command, inner) => expect(innerCommand(command)).toBe(inner));

  it("a file change is a write for each of its files, and a refused command is denied", () => {
    const item = (value: object) => `${JSON.stringify({ type: "item.completed", item: value })}\n`;
    const changes = item({
      id: "a",
      type: "file_change",
      status: "completed",
      changes: [
        { path: "/home/dev/repo/x.ts", kind: "update" },
        { path: "y.ts", kind: "delete" },
      ],
    });
    const refused = item({ id: "b", type: "command_execution", command: "rm -rf /", aggregated_output: "", exit_code: null, status: "declined" });
    const events = translate(translator("codex"), changes + refused, "", { kind: "stopped", cause: "human" });
    expect(events.filter((event) => event.type === "toolCall")).toMatchObject([
      { path: "x.ts", writes: true },
      { path: "y.ts", writes: true },
      { command: "rm -rf /" },
    ]);
    expect(events.filter((event) => event.type === "toolResult").map((event) => event.denied ?? false)).toEqual([false, false, true]);
  });
});

describe("gemini", () => {
  const api = (code: number, message: string, status = "") => ({
    type: "unknown",
    message: `[API Error: ${JSON.stringify({ error: { code, message, status } })}]`,
  });

  it.each([
    [api(401, "invalid", "UNAUTHENTICATED"), 145, "error auth"],
    [api(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"), 144, "error auth"],
    [api(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "INVALID_ARGUMENT"), 144, "error context"],
    [api(404, "models/nope is not found"), 148, "error model"],
    [api(503, "The model is overloaded.", "UNAVAILABLE"), 247, "error overload"],
    [api(500, "Internal"), 244, "error network"],
    [
      { type: "unknown", message: "[API Error: x]\nPlease wait and try again later. To increase your limits, request a quota increase" },
      null,
      "limit throttle",
    ],
    [{ type: "unknown", message: "[API Error: You exceeded your current quota. Please retry in 34s.]" }, 173, "limit throttle +34s"],
    [{ type: "unknown", message: "[API Error: You exceeded your current quota, please check your plan and billing details.]" }, 173, "limit account"],
    [{ type: "FatalTurnLimitedError", message: "Reached max session turns" }, 53, "error turn_cap"],
    [{ type: "unknown", message: "[API Error: terminated]" }, 1, "error network"],
    [{ type: "unknown", message: "odd" }, 1, "error other"],
  ])("RL-04 %j with exit code %s", (error, code, expected) => expect(said(gemini(error, code, context))).toBe(expected));

  it.each([
    [41, "error auth"],
    [53, "error turn_cap"],
    [173, "limit throttle"],
    [145, "error auth"],
    [244, "error network"],
    [1, "error crash"],
  ])("without a result, exit code %s tells the HTTP status", (code, expected) => expect(said(geminiCrash(code, "", context))).toBe(expected));
});

describe("opencode", () => {
  const api = (statusCode: number, code: string, headers: Record<string, string> = {}) => ({
    name: "APIError",
    data: { message: "m", statusCode, responseHeaders: headers, responseBody: JSON.stringify({ error: { message: "m", code } }) },
  });

  it.each([
    [api(429, "rate_limit_error", { "retry-after": "3600" }), "limit throttle +3600s"],
    [api(429, "rate_limit_error", { "retry-after": "Mon, 30 Nov 2026 20:01:00 GMT" }), "limit throttle +60s"],
    [api(429, "insufficient_quota"), "limit credit"],
    [api(402, ""), "limit credit"],
    [api(401, "invalid_api_key"), "error auth"],
    [api(404, "model_not_found"), "error model"],
    [api(529, "overloaded_error"), "error overload"],
    [{ name: "ContextOverflowError", data: { message: "too long" } }, "error context"],
    [{ name: "ProviderAuthError", data: { message: "no key" } }, "error auth"],
    [{ name: "UnknownError", data: { message: "Error: Unable to connect. Is the computer able to access the url?" } }, "error network"],
    [{ name: "UnknownError", data: { message: "Model not found: a/b" } }, "error model"],
    [{}, "error other"],
  ])("RL-04 %j", (error, expected) => expect(said(opencode(error, context))).toBe(expected));

  it("ends a compaction that will not end, and is then silent", () => {
    const overflow = '{"type":"error","sessionID":"s","error":{"name":"ContextOverflowError","data":{"message":"too long"}}}\n';
    const tool = '{"type":"tool_use","sessionID":"s","part":{"callID":"c","tool":"read","state":{"status":"completed","input":{},"output":""}}}\n';
    const step = '{"type":"step_finish","sessionID":"s","part":{"reason":"stop"}}\n';
    const settled: AgentExit = { kind: "stopped", cause: "settled" };
    const types = (stream: string) =>
      translate(translator("opencode"), stream, "", settled).map((event) => (event.type === "finished" ? event.ok : event.type));
    expect(types((overflow + step).repeat(6)).slice(-2)).toEqual(["error", false]);
    expect(types((overflow + tool + step).repeat(6)).at(-1)).toBe(true);
  });
});

describe("copilot, pi and acp", () => {
  it.each([
    [{ errorType: "authentication", statusCode: 401, message: "m" }, "error auth"],
    [{ errorType: "rate_limit", statusCode: 429, message: "m" }, "limit throttle"],
    [{ errorType: "rate_limit", message: "You have exceeded your premium request allowance" }, "limit credit"],
    [{ errorType: "quota", message: "m" }, "limit credit"],
    [{ errorType: "query", statusCode: 500, message: "m" }, "error network"],
    [{ errorType: "query", message: "fetch failed" }, "error network"],
    [{}, "error other"],
  ])("copilot RL-04 %j", (data, expected) => expect(said(copilot(data, context))).toBe(expected));

  it.each([
    ['401: {"message":"invalid x-api-key","type":"authentication_error"}', "error auth"],
    ['429: {"message":"slow","type":"rate_limit_error"}', "limit throttle"],
    ['429: {"message":"spent","type":"insufficient_quota"}', "limit credit"],
    ['429 {"type":"error","error":{"type":"rate_limit_error","message":"slow"}}', "limit throttle"],
    ["You have hit your ChatGPT usage limit (pro plan). Try again in ~90 min.", "limit account +5400s"],
    ["500: Internal server error", "error network"],
    ["prompt is too long: 215000 tokens > 200000 maximum", "error context"],
    ["terminated", "error network"],
    ["a bug on line 429", "error other"],
  ])("pi RL-04 %s", (message, expected) => expect(said(pi(message, context))).toBe(expected));

  it.each([
    [{ code: -32000, message: "Authentication required" }, "error auth"],
    [{ code: -32603, message: "Internal error", data: { details: "usage limit reached, resets 9pm" } }, "limit account +3600s"],
    [{ code: -32603, message: "Internal error", data: { status: 529 } }, "error overload"],
    [{ code: -32603, message: "Internal error", data: "boom" }, "error other"],
    [new Error("ACP connection closed"), "error crash"],
  ])("acp RL-04 %j", (error, expected) => expect(said(acp(error, context))).toBe(expected));
});
