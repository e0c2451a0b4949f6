import assert from "node:assert/strict";
import { test } from "node:test";
import { truncate } from "../src/truncate.js";

test("truncate leaves short texts alone", () => {
  assert.equal(truncate("short", 10), "short");
});

test("truncate never cuts a word in half", () => {
  assert.equal(truncate("one two three", 10), "one two…");
});

test("truncate cuts a single long word", () => {
  assert.equal(truncate("incomprehensible", 8), "incompr…");
});
