/** Requests of other processes arrive once, in order, or are named as unreadable. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ControlRequest } from "../../src/driver/ports.js";
import { sendRequest, takeRequests } from "../../src/workspace/inbox.js";
import { put, scratchFolder } from "./scratch.js";

describe("inbox", () => {
  it("is empty before anyone wrote", () => {
    expect(takeRequests(scratchFolder())).toEqual({ requests: [], invalid: [] });
  });

  it("hands over every kind of request once, in the order of sending", () => {
    const truth = scratchFolder();
    const requests: ControlRequest[] = [
      { kind: "pause", by: "ann" },
      { kind: "note", text: "mind the tests", by: "ann" },
      { kind: "skip", task: "t-1", by: "ann" },
      { kind: "budget", add: { iterations: 5 }, by: "ann" },
      { kind: "resume", by: "bob" },
      { kind: "stop", now: true, by: "bob" },
    ];
    for (const request of requests) sendRequest(truth, request);
    expect(takeRequests(truth)).toEqual({ requests, invalid: [] });
    expect(takeRequests(truth)).toEqual({ requests: [], invalid: [] });
  });

  it("sets invalid files aside under a name it tells, and goes on", () => {
    const truth = scratchFolder();
    put(truth, "inbox/0-cut.json", '{"kind":"pau');
    put(truth, "inbox/1-other.json", '{"kind":"explode","by":"x"}');
    put(truth, "inbox/2-negative.json", '{"kind":"budget","add":{"tokens":-5},"by":"x"}');
    writeFileSync(join(truth, "inbox/.half.tmp"), '{"kind":"stop"');
    sendRequest(truth, { kind: "pause", by: "ann" });
    const taken = takeRequests(truth);
    expect(taken.requests).toEqual([{ kind: "pause", by: "ann" }]);
    expect(taken.invalid.map((entry) => entry.file)).toEqual(["0-cut.json.invalid", "1-other.json.invalid", "2-negative.json.invalid"]);
    expect(existsSync(join(truth, "inbox/1-other.json.invalid"))).toBe(true);
    expect(takeRequests(truth)).toEqual({ requests: [], invalid: [] });
    expect(readdirSync(join(truth, "inbox"))).toContain(".half.tmp");
  });
});
