/** `npm run sim -- --nights N --seed S`, or `--night JSON` for one that was printed: ends with a table, or with the smallest night that fails. */
import { parseArgs } from "node:util";
import { check, shrink, trace } from "./check.js";
import { withCrash } from "./crashes.js";
import { random } from "./random.js";
import { type Scenario, scenario } from "./scenario.js";

const { values } = parseArgs({ options: { nights: { type: "string", default: "10000" }, seed: { type: "string", default: "1" }, night: { type: "string" } } });
const nights = Number(values.nights);
const first = Number(values.seed);
if (!Number.isInteger(nights) || nights < 1 || !Number.isInteger(first)) throw new Error("--nights wants a number from 1, --seed a whole number");

if (values.night !== undefined) {
  const checked = await check(JSON.parse(values.night) as Scenario);
  process.stdout.write(`${trace(checked)}\n`);
  process.exit(checked.problems.length === 0 ? 0 : 1);
}

const outcomes = new Map<string, number>();
for (let seed = first; seed < first + nights; seed++) {
  const plan = scenario(seed);
  const whole = await held(plan);
  const at = 1 + random(seed + 1).below(whole.effects.length);
  await held(withCrash(plan, at));
  const stopped = whole.night?.state.stopped;
  const key = `${plan.character}: ${stopped?.status} (${stopped?.reason})`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
}
for (const [key, count] of [...outcomes].sort()) process.stdout.write(`${String(count).padStart(8)}  ${key}\n`);
process.stdout.write(`${nights} nights from seed ${first}, each also with a crash at a drawn effect: every invariant held.\n`);

async function held(plan: Scenario): ReturnType<typeof check> {
  const checked = await check(plan);
  if (checked.problems.length === 0) return checked;
  process.stdout.write(`${trace(checked)}\n\nThe smallest night that fails (again with \`--night\`):\n${trace(await shrink(checked))}\n`);
  process.exit(1);
}
