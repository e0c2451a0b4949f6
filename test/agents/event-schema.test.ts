/** Events that any program may print, one a line. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader } from "../../src/agents/event-schema.js";

const read = (value: unknown) => createEventReader()(typeof value === "string" ? value : JSON.stringify(value));

describe("event lines", () => {
  it.each([
    [{ type: "started" }, { type: "started" }],
    [{ type: "text" }, { type: "text", text: "" }],
    [{ type: "toolCall" }, { type: "toolCall", id: "call-1", name: "tool", input: {} }],
    [{ type: "toolResult" }, { type: "toolResult", id: "call-0", ok: true, exitCode: null, output: "" }],
    [
      { type: "toolResult", exitCode: 2 },
      { type: "toolResult", id: "call-0", ok: false, exitCode: 2, output: "" },
    ],
    [{ type: "usage" }, { type: "usage", scope: "delta", inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null }],
    [{ type: "limit" }, { type: "limit", kind: "throttle", resumeAtMs: null, message: "" }],
    [{ type: "error" }, { type: "error", kind: "other", fatal: true, message: "" }],
    [{ type: "finished" }, { type: "finished", ok: true, text: null }],
  ])("needs only the type: %j", (value, event) => expect(read(value)).toEqual(event));

  it("BC-01 a number that is missing or unusable is unknown, never zero", () => {
    expect(read({ type: "usage", inputTokens: "12", outputTokens: -1, costUsd: 0.5 })).toMatchObject({ inputTokens: null, outputTokens: null, costUsd: 0.5 });
  });

  it("ignores unknown fields and keeps the known ones", () => {
    expect(read({ type: "toolCall", id: "x", name: "Write", path: "a.ts", writes: true, content: "\u001b[1m", extra: 1 })).toEqual({
      type: "toolCall",
      id: "x",
      name: "Write",
      input: {},
      path: "a.ts",
      writes: true,
      content: "\u001b[1m",
    });
  });

  it.each(["plain words", '{"type":"finished"', "[1]", "null", '{"kind":"text"}', '{"type":"someday"}'])("SP-05 keeps %s as unknown", (line) => {
    expect(read(line)).toEqual({ type: "unknown", raw: line });
  });

  it("pairs calls and results without ids", () => {
    const reader = createEventReader();
    const ids = [{ type: "toolCall" }, { type: "toolResult" }, { type: "toolCall" }, { type: "toolResult" }].map((event) => reader(JSON.stringify(event)));
    expect(ids.map((event) => "id" in event && event.id)).toEqual(["call-1", "call-1", "call-2", "call-2"]);
  });

  it("TO-07 takes control sequences out of what is shown or matched", () => {
    expect(read({ type: "text", text: "a\u001b]0;t\u0007b" })).toEqual({ type: "text", text: "ab" });
  });

  it("never throws and always gives an event with a known type", () => {
    const type = fc.constantFrom("started", "text", "toolCall", "toolResult", "usage", "limit", "error", "finished", "unknown", "x");
    fc.assert(
      fc.property(
        type,
        fc.dictionary(fc.constantFrom("id", "text", "ok", "kind", "fatal", "scope", "exitCode", "output", "input"), fc.jsonValue()),
        (name, fields) => {
          expect(read({ ...fields, type: name }).type).toBe(name === "x" ? "unknown" : name);
        },
      ),
    );
  });
});
