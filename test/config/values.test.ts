/** Values as people write them, and the refusals that say what to write instead. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseBranch,
  parseBytes,
  parseCount,
  parseDuration,
  parseGateName,
  parseLimit,
  parseMoney,
  parsePositiveDuration,
  parseTokens,
} from "../../src/config/values.js";
import { parseMarker } from "../../src/config/marker-value.js";

const value = <T>(of: T) => ({ kind: "value", value: of });
const bad = (part: string | RegExp) => ({ kind: "bad", message: typeof part === "string" ? expect.stringContaining(part) : expect.stringMatching(part) });

describe("durations", () => {
  it.each([
    ["90s", 90_000],
    ["10m", 600_000],
    ["12h", 43_200_000],
    ["1d", 86_400_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["250ms", 250],
    [" 10 M ", 600_000],
    ["0s", 0],
  ])("reads %s", (text, ms) => expect(parseDuration(text)).toEqual(value(ms)));

  it.each([
    ["28800", "28800s, 28800m"],
    [28800, "28800s, 28800m"],
    ["8 hours", "not a duration"],
    ["-5m", "not a duration"],
    ["", "not a duration"],
    ["1e3s", "not a duration"],
    ["99999999999999d", "too long"],
    ["unlimited", "time always has an end"],
  ])("refuses %s", (text, message) => expect(parseDuration(text)).toEqual(bad(message)));

  it.each(["0", 0, "0s", "0h0m", "0.0"])("BC-04 takes %s for no unlimited time", (text) => {
    expect(parsePositiveDuration(text)).toEqual(bad("0 does not mean unlimited"));
  });
});

describe("money", () => {
  it.each([
    ["5", 5_000_000],
    ["$5", 5_000_000],
    ["2.50", 2_500_000],
    [2.5, 2_500_000],
    ["$ 0.000001", 1],
    ["3 USD", 3_000_000],
    ["unlimited", null],
  ])("reads %s", (text, micro) => expect(parseMoney(text)).toEqual(value(micro)));

  it.each([
    ["5€", "not an amount of US dollars"],
    ["-5", "not an amount"],
    ["1e400", "not an amount"],
    [Number.POSITIVE_INFINITY, "not an amount"],
    [Number.NaN, "not an amount"],
    ["99999999999", "too much"],
  ])("refuses %s", (text, message) => expect(parseMoney(text)).toEqual(bad(message)));

  it.each([0, "0", "$0.00", "0.0000001"])("BC-04 takes %s for no unlimited money", (text) => {
    expect(parseMoney(text)).toEqual(bad("0 does not mean unlimited"));
  });
});

describe("tokens", () => {
  it.each([
    ["50000", 50_000],
    [50_000, 50_000],
    ["100_000", 100_000],
    ["200k", 200_000],
    ["1.5M", 1_500_000],
    ["Unlimited", null],
  ])("reads %s", (text, tokens) => expect(parseTokens(text)).toEqual(value(tokens)));

  it.each(["0", "0k", 0])("BC-04 takes %s for no unlimited tokens", (text) => {
    expect(parseTokens(text)).toEqual(bad("0 does not mean unlimited"));
  });

  it.each(["many", "200kb", "-1", "1.5.2k", ""])("refuses %s", (text) => expect(parseTokens(text)).toEqual(bad("not a number of tokens")));
});

describe("counts", () => {
  const range = { min: 1, max: 100_000 };
  it.each([
    ["20", value(20)],
    [20, value(20)],
    ["unlimited", value(null)],
    ["0", bad(/0 does not mean unlimited.*`unlimited`/)],
    ["2.5", bad("not a whole number")],
    ["ten", bad("not a whole number")],
    ["100001", bad("out of range")],
    ["-1", bad("not a whole number")],
  ])("BC-04 reads the limit %s", (text, expected) => expect(parseLimit(text, range)).toEqual(expected));

  it("reads every whole number in range and nothing else", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 200_000 }), (number) => {
        const fits = number >= range.min && number <= range.max;
        expect(parseCount(number, range).kind).toBe(fits ? "value" : "bad");
      }),
    );
  });
});

it.each([
  ["16k", value(16_384)],
  ["10MB", value(10 * 1024 * 1024)],
  [16_384, value(16_384)],
  ["0", bad("out of range")],
  ["big", bad("not a size")],
])("reads the size %s", (text, expected) => expect(parseBytes(text)).toEqual(expected));

describe("names", () => {
  it.each(["", " ", "OK", "   X   "])("CD-09 refuses the empty or short marker %j", (word) => {
    expect(parseMarker(word)).toEqual(bad(/empty|too short/));
  });
  it("CD-06 reads two spaces as the one that the agent's line is read with", () => expect(parseMarker("ALL  DONE")).toEqual(value("ALL DONE")));
  it("refuses markers that mean something else", () => expect(parseMarker("BLOCKED")).toEqual(bad("meaning of its own")));
  it.each(["COMPLETE", "ALL DONE", "ship-it_1"])("takes the marker %s", (word) => expect(parseMarker(word)).toEqual(value(word)));

  it.each(["feature/x", "ralph/2026.1"])("takes the branch %s", (name) => expect(parseBranch(name)).toEqual(value(name)));
  it.each(["", "-x", "a b", "a..b", "x.lock", "a/", "HEAD", "a~1", "a//b", "@{u}"])("refuses the branch %j", (name) => {
    expect(parseBranch(name).kind).toBe("bad");
  });

  it.each(["tests", "unit tests", "größe", "a:b/c"])("takes the gate name %s", (name) => expect(parseGateName(name)).toEqual(value(name)));
  it.each(["", "a, b", "a -->", "a\nb", "x".repeat(81)])("refuses the gate name %j", (name) => expect(parseGateName(name).kind).toBe("bad"));
});
