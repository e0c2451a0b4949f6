/** A selection of the hostile agents, for every run of the tests; `npm run test:hostile` tries them all. */
import { expect, it } from "vitest";
import { HOSTILE_AGENTS } from "./agents.js";
import { attack, expectUnharmed, leftovers } from "./attack.js";

it.for(HOSTILE_AGENTS.filter((hostile) => hostile.quick === true))("SE-03 $name: $tries", async (hostile) => {
  const attacked = await attack(hostile, "compared");
  const left = leftovers(attacked.place);
  await expectUnharmed(attacked);
  expect(left, "processes left behind").toEqual([]);
  if (hostile.observed !== null) expect(attacked.journal.map((event) => JSON.stringify(event)).join("\n")).toMatch(hostile.observed);
});
