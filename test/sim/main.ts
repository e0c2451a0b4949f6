/** `npm run sim -- --nights N --seed S`: as many nights as wanted, one crash at a drawn effect in each; ends with a table or a trace. */
import { parseArgs } from "node:util";
import { violations } from "./invariants.js";
import { type Night, runNight, type Scenario, scenario } from "./night.js";
import { random } from "./random.js";

const { values } = parseArgs({ options: { nights: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } } });
const nights = Number(values.nights);
const first = Number(values.seed);
if (!Number.isInteger(nights) || nights < 1 || !Number.isInteger(first)) throw new Error("--nights wants a number from 1, --seed a whole number");

const outcomes = new Map<string, number>();
for (let seed = first; seed < first + nights; seed++) {
  const plan = scenario(seed);
  const whole = await runNight(plan);
  report(plan, whole, null);
  const crashAt = 1 + random(seed + 1).below(whole.disk.effects.length);
  report(plan, await runNight(plan, crashAt), crashAt);
  const key = `${plan.character}: ${whole.state.stopped?.status} (${whole.state.stopped?.reason})`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
}
for (const [key, count] of [...outcomes].sort()) process.stdout.write(`${String(count).padStart(8)}  ${key}\n`);
process.stdout.write(`${nights} nights from seed ${first}, each also with a crash at a drawn effect: every invariant held.\n`);

function report(plan: Scenario, night: Night, crashAt: number | null): void {
  const wrong = violations(plan, night);
  if (wrong.length === 0) return;
  const crash = crashAt === null ? "" : `, crash at effect ${crashAt} (${night.disk.effects[crashAt - 1]})`;
  process.stdout.write(`seed ${plan.seed}: ${plan.character}, ${plan.tasks} tasks, gates ${plan.gated}${crash}\n`);
  for (const line of night.disk.journal) process.stdout.write(`  ${line.slice(0, 300)}\n`);
  for (const sentence of wrong) process.stdout.write(`BROKEN: ${sentence}\n`);
  process.exit(1);
}
