import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "../src/duration.js";

test("parseDuration reads seconds", () => {
  assert.equal(parseDuration("90s"), 90);
});

test("parseDuration reads minutes and hours", () => {
  assert.equal(parseDuration("15m"), 900);
  assert.equal(parseDuration("2h"), 7200);
});

test("parseDuration adds up its parts", () => {
  assert.equal(parseDuration("1h30m"), 5400);
});

test("parseDuration refuses what is no duration", () => {
  assert.throws(() => parseDuration("soon"), RangeError);
});
