import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slugify.js";

test("slugify joins words with a dash", () => {
  assert.equal(slugify("Hello World"), "hello-world");
});

test("slugify writes accented letters as plain ones", () => {
  assert.equal(slugify("Crème brûlée"), "creme-brulee");
});

test("slugify leaves no dash at the ends", () => {
  assert.equal(slugify("  What? No!  "), "what-no");
});
