/** Requests of other processes arrive once, in order, or are named as unreadable. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ask, forgetRequest, readRequests, sendRequest, waitUntilTaken } from "../../src/workspace/inbox.js";
import { senderText, thisSender } from "../../src/workspace/sender.js";
import { put, scratchFolder } from "./scratch.js";

describe("inbox", () => {
  it("is empty before anyone wrote", () => {
    expect(readRequests(scratchFolder())).toEqual({ requests: [], refused: [], invalid: [] });
  });

  it("hands over every kind of request until it is forgotten, in the order of sending", () => {
    const truth = scratchFolder();
    const asks: Ask[] = [
      { kind: "pause" },
      { kind: "note", text: "mind the tests" },
      { kind: "skip", task: "t-1" },
      { kind: "budget", add: { iterations: 5 } },
      { kind: "resume" },
      { kind: "stop", now: true },
    ];
    for (const ask of asks) sendRequest(truth, ask);
    const by = senderText(thisSender());
    const read = readRequests(truth);
    expect(read).toEqual({ requests: asks.map((ask) => ({ ...ask, by, id: expect.stringMatching(/./) })), refused: [], invalid: [] });
    // Whoever read them may die before they are in the journal.
    expect(readRequests(truth)).toEqual(read);
    for (const { id } of read.requests) forgetRequest(truth, id);
    expect(readRequests(truth)).toEqual({ requests: [], refused: [], invalid: [] });
  });

  it("sets invalid files aside under a name it tells, and goes on", () => {
    const truth = scratchFolder();
    put(truth, "inbox/0-cut.json", '{"kind":"pau');
    put(truth, "inbox/1-other.json", '{"kind":"explode","by":"x"}');
    put(truth, "inbox/3-anonymous.json", '{"kind":"pause","by":"root"}');
    put(truth, "inbox/2-negative.json", '{"kind":"budget","add":{"tokens":-5},"by":"x"}');
    writeFileSync(join(truth, "inbox/.half.tmp"), '{"kind":"stop"');
    sendRequest(truth, { kind: "pause" });
    const taken = readRequests(truth);
    expect(taken.requests).toMatchObject([{ kind: "pause" }]);
    expect(taken.invalid.map((entry) => entry.file)).toEqual([
      "0-cut.json.invalid",
      "1-other.json.invalid",
      "2-negative.json.invalid",
      "3-anonymous.json.invalid",
    ]);
    expect(existsSync(join(truth, "inbox/1-other.json.invalid"))).toBe(true);
    for (const { id } of taken.requests) forgetRequest(truth, id);
    expect(readRequests(truth)).toEqual({ requests: [], refused: [], invalid: [] });
    expect(readdirSync(join(truth, "inbox"))).toContain(".half.tmp");
  });

  it("names a sender that had ended, since nothing can be said about it any more", () => {
    const truth = scratchFolder();
    sendRequest(truth, { kind: "pause" }, { ...thisSender(), start: "0" });
    expect(readRequests(truth).requests).toMatchObject([{ kind: "pause", by: expect.stringMatching(/had ended before/) }]);
  });

  it("raises no limit for a sender that had ended: the file may be the agent's own", () => {
    const truth = scratchFolder();
    sendRequest(truth, { kind: "budget", add: { iterations: 5 } }, { ...thisSender(), start: "0" });
    expect(readRequests(truth)).toMatchObject({ requests: [], refused: [{ why: expect.stringMatching(/raise limits was refused/) }] });
  });

  it("tells the sender whether its request was taken", async () => {
    const truth = scratchFolder();
    const path = sendRequest(truth, { kind: "pause" });
    expect(await waitUntilTaken(path, 0)).toBe(false);
    const waiting = waitUntilTaken(path, 60_000);
    for (const { id } of readRequests(truth).requests) forgetRequest(truth, id);
    expect(await waiting).toBe(true);
  });
});
