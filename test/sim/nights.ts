/** Plays the nights of many seeds, each also with a crash at a drawn effect, and counts how they end. */
import { check, shrink, trace } from "./check.js";
import { withCrash } from "./crashes.js";
import { random } from "./random.js";
import { type Scenario, scenario } from "./scenario.js";

export interface Played {
  /** Nights by character and ending. */
  outcomes: Record<string, number>;
  /** The trace of the first night that fails, and of the smallest that still does; null when every invariant held. */
  failure: string | null;
}

/** Seeds `first` to `first + nights - 1`; ends at the first failure. */
export async function playNights(first: number, nights: number): Promise<Played> {
  const outcomes: Played["outcomes"] = {};
  for (let seed = first; seed < first + nights; seed++) {
    const plan = scenario(seed);
    const whole = await check(plan);
    if (whole.problems.length > 0) return { outcomes, failure: await failureOf(plan) };
    const crashed = withCrash(plan, 1 + random(seed + 1).below(whole.effects.length));
    if ((await check(crashed)).problems.length > 0) return { outcomes, failure: await failureOf(crashed) };
    const stopped = whole.night?.state.stopped;
    const key = `${plan.character}: ${stopped?.status} (${stopped?.reason})`;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
  }
  return { outcomes, failure: null };
}

async function failureOf(plan: Scenario): Promise<string> {
  const found = await check(plan);
  return `${trace(found)}\n\nThe smallest night that fails (again with \`npm run sim -- --night\`):\n${trace(await shrink(found))}\n`;
}

export function table(outcomes: Played["outcomes"]): string {
  return Object.entries(outcomes)
    .sort()
    .map(([key, count]) => `${String(count).padStart(8)}  ${key}\n`)
    .join("");
}

/** A whole number from `least` on, or an error that names the flag. */
export function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) throw new Error(`--${flag} wants a whole number from ${least}, not "${text}"`);
  return value;
}
