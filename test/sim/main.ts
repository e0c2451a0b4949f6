/** `npm run sim -- --nights N --seed S`, or `--night JSON` for one that was printed: ends with a table, or with the smallest night that fails. */
import { parseArgs } from "node:util";
import { check, trace } from "./check.js";
import { playNights, table, wholeNumber } from "./nights.js";
import type { Scenario } from "./scenario.js";

const { values } = parseArgs({ options: { nights: { type: "string", default: "10000" }, seed: { type: "string", default: "1" }, night: { type: "string" } } });
const nights = wholeNumber("nights", values.nights, 1);
const first = wholeNumber("seed", values.seed, 0);

if (values.night !== undefined) {
  const checked = await check(JSON.parse(values.night) as Scenario);
  process.stdout.write(`${trace(checked)}\n`);
  process.exit(checked.problems.length === 0 ? 0 : 1);
}

const { outcomes, failure } = await playNights(first, nights);
process.stdout.write(failure ?? `${table(outcomes)}${nights} nights from seed ${first}, each also with a crash at a drawn effect: every invariant held.\n`);
process.exitCode = failure === null ? 0 : 1;
