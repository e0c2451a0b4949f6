import assert from "node:assert/strict";
import { test } from "node:test";
import { wordCount } from "../src/word-count.js";

test("wordCount counts words", () => {
  assert.equal(wordCount("one two three"), 3);
});

test("wordCount counts across line breaks and repeated blanks", () => {
  assert.equal(wordCount("one  two\nthree"), 3);
});

test("wordCount of nothing is zero", () => {
  assert.equal(wordCount("   "), 0);
});
