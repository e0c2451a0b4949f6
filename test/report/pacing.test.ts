/** Views follow a fast loop at a pace, and show its last state in the end. */
import { expect, it } from "vitest";
import { pace } from "../../src/report/pacing.js";

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
};

it("acts at once, then once more for all that came meanwhile", async () => {
  let asked = 0;
  const acts: number[] = [];
  const paced = pace(() => acts.push(asked), 50);
  for (asked = 1; asked <= 5; asked++) paced.soon();
  expect(acts).toEqual([1]);
  await until(() => acts.length > 1);
  expect(acts).toEqual([1, 6]);
});

it("does not act a second time for what was done at once", async () => {
  const acts: string[] = [];
  let what = "";
  const paced = pace(() => acts.push(what), 50);
  for (what of ["first", "second"]) paced.soon();
  what = "at once";
  paced.now();
  const other = pace(() => acts.push("other"), 100);
  other.soon();
  other.soon();
  await until(() => acts.filter((name) => name === "other").length === 2);
  expect(acts).toEqual(["first", "at once", "other", "other"]);
});
