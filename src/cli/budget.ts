/** `ralphd budget`: raises limits of a running loop. A run that a limit has ended already is not brought back by it. */
import { parseCount, parseMoney, parsePositiveDuration, parseTokens, type Reading } from "../config/values.js";
import { MAX_ITERATIONS } from "../config/schema.js";
import type { RunState } from "../core/run-state.js";
import type { Limits } from "../core/settings.js";
import { EXIT_CODES } from "../core/words.js";
import { count, duration, money } from "../report/format.js";
import type { Ask } from "../workspace/inbox.js";
import { askLoop, type ControlOptions } from "./ask-loop.js";
import { frozenSettings } from "./frozen-settings.js";

export interface BudgetFlags {
  addIterations?: string | undefined;
  addTokens?: string | undefined;
  addCost?: string | undefined;
  addTime?: string | undefined;
}

type Add = Extract<Ask, { kind: "budget" }>["add"];
type Key = keyof Required<Add>;

const FLAGS: readonly { flag: keyof BudgetFlags; key: Key; name: string; read(raw: string): Reading<number | null>; show(amount: number): string }[] = [
  {
    flag: "addIterations",
    key: "iterations",
    name: "--add-iterations",
    read: (raw) => parseCount(raw, { min: 1, max: MAX_ITERATIONS }),
    show: (n) => `${n} iterations`,
  },
  { flag: "addTokens", key: "tokens", name: "--add-tokens", read: parseTokens, show: (n) => `${count(n)} tokens` },
  { flag: "addCost", key: "costMicroUsd", name: "--add-cost", read: parseMoney, show: money },
  { flag: "addTime", key: "timeMs", name: "--add-time", read: parsePositiveDuration, show: duration },
];

export async function runBudget(options: ControlOptions & { flags: BudgetFlags }): Promise<number> {
  const read = readAdd(options.flags);
  if ("problem" in read) {
    options.err(`ralphd: ${read.problem}`);
    return EXIT_CODES.refused;
  }
  const { add } = read;
  const limits = frozenSettings(options.truthDir)?.limits ?? null;
  return askLoop(
    options,
    ({ run, state }) => {
      const named = FLAGS.filter(({ key }) => add[key] !== undefined);
      const unlimited = named.filter(({ key }) => limits !== null && limits[key] === null);
      if (unlimited.length > 0)
        return { kind: "cannot", why: `run ${run} has no limit that ${unlimited.map(({ name }) => name).join(", ")} could raise. Nothing was changed.` };
      const lines = named.map(({ key, show }) => `${show(add[key] ?? 0)}${total(key, add, limits, state, show)}`);
      return {
        kind: "ask",
        ask: { kind: "budget", add },
        says: `Run ${run} gets ${lines.join(", ")}. It counts from now on, also for the running iteration.`,
        json: { add },
      };
    },
    (state) =>
      state?.stopped?.status === "capped"
        ? `Run ${state.run} was ended by its limit (${state.stopped.reason}), and a higher budget does not bring it back. Start again with a higher limit: \`ralphd run --max-iterations N\` (or --max-tokens, --max-cost, --max-time) goes on with the open tasks.`
        : "Limits of a new run are flags: `ralphd run --max-iterations N --max-cost USD`.",
  );
}

function total(key: Key, add: Add, limits: Limits | null, state: RunState | null, show: (amount: number) => string): string {
  const limit = limits?.[key] ?? null;
  return limit === null || state === null ? "" : ` more (${show(limit + state.granted[key] + (add[key] ?? 0))} in all)`;
}

function readAdd(flags: BudgetFlags): { add: Add } | { problem: string } {
  const add: Add = {};
  for (const { flag, key, name, read } of FLAGS) {
    const raw = flags[flag];
    if (raw === undefined) continue;
    const reading = read(raw);
    if (reading.kind === "bad") return { problem: `${name}: ${reading.message}` };
    if (reading.value === null) return { problem: `${name}: an amount is added; \`unlimited\` is only possible when a run starts` };
    add[key] = reading.value;
  }
  if (Object.keys(add).length === 0) return { problem: "say what to add: --add-iterations 10, --add-tokens 100k, --add-cost 5 or --add-time 2h" };
  return { add };
}
