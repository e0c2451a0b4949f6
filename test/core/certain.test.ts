/** A bug shows where it is, instead of as a plan or a state that is missing somewhere later. */
import { expect, it } from "vitest";
import { certain } from "../../src/core/certain.js";

it("gives what is there, and names the bug where it isn't", () => {
  expect(certain(0, "no number")).toBe(0);
  expect(() => certain(null, "no number")).toThrow("no number");
});
