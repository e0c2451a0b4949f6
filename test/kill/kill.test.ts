/** The real program, real git, real agents: killed at random moments and at each named point, then started again by the same command. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { random } from "../sim/random.js";
import { agent, type Running, type Scratch, scratch } from "../acceptance/harness.js";
import { problems } from "./problems.js";

const IN_SUITE = 15;
/** `npm run test:kill` does a thousand. */
const KILLS = Number(process.env["KILLS"] ?? IN_SUITE);
const SEED = Number(process.env["KILL_SEED"] ?? "1");
/** Longer than an undisturbed run takes, so that every phase is met. */
const MAX_DELAY_MS = 2_000;
const KILLS_PER_RUN = 5;
/**
 * Where it dies, five to a run: when this event is to be seen in the journal (nothing in the program knows of it),
 * at a random moment, or not the program but its agent.
 */
const ROUND: readonly (JournalEvent["type"] | "moment" | "agent")[] = [
  ...(["run.started", "iteration.started", "agent.ended", "moment", "agent"] as const),
  ...(["claims.taken", "gate.verdict", "task.proved", "iteration.judged", "moment"] as const),
  ...(["commit.created", "iteration.ended", "moment", "run.proved", "run.stopped"] as const),
];
const SIGNALS: readonly NodeJS.Signals[] = ["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"];

interface Kill {
  at: (typeof ROUND)[number];
  signal: NodeJS.Signals;
  /** Of a random moment, from the start of the program. */
  delayMs: number;
}

const PLAN = `---
gates:
  - name: all
    run: test -f work-1.txt
    retries: 0
  - name: task
    run: test -f work-1.txt
    for: tasks
    retries: 0
---
- [ ] one <!-- gate: task -->
- [ ] two
- [ ] three
`;

it(
  `survives ${KILLS} kills: nothing lost, doubled or left running`,
  async () => {
    const rng = random(SEED);
    let met = 0;
    for (let n = 0; n < KILLS; n += KILLS_PER_RUN) {
      const place = scratch({ "PLAN.md": PLAN });
      const pid = join(place.home, "agent.pid");
      const args = ["run", "--trust", "-n", "12", ...agent(place, `echo $$ > ${pid}; work; echo note >> .ralph/progress.md; tick; sleep 0.05 & sleep 0.03`)];
      const kills = Array.from(
        { length: KILLS_PER_RUN },
        (_, index): Kill => ({ at: ROUND[(n + index) % ROUND.length] ?? "moment", signal: rng.pick(SIGNALS), delayMs: rng.below(MAX_DELAY_MS) }),
      );
      for (const kill of kills) if (await killed(place, args, kill, pid)) met += 1;
      const last = await place.run(args);
      const label = `seed ${SEED}, kills ${JSON.stringify(kills)}: ${last.stderr.slice(-600)}`;
      expect(last.code, label).toBe(0);
      expect(problems(place), label).toEqual([]);
      if (KILLS > IN_SUITE) process.stdout.write(`${n + KILLS_PER_RUN} kills, ${met} met a living process\n`);
    }
    // A run may end before its kill comes. Were most of them late, nothing would be tested.
    expect(met).toBeGreaterThan(KILLS / 2);
  },
  Math.max(180_000, KILLS * 40_000),
);

/** Whether there was somebody to kill. */
async function killed(place: Scratch, args: string[], kill: Kill, agentPid: string): Promise<boolean> {
  const running = place.start(args);
  const ended = new AbortController();
  void running.ended.then(() => ended.abort());
  const met = await strike(place, kill, { running, agentPid, ended: ended.signal });
  await running.ended;
  return met;
}

async function strike(
  place: Scratch,
  { at, signal, delayMs }: Kill,
  { running, agentPid, ended }: { running: Running; agentPid: string; ended: AbortSignal },
): Promise<boolean> {
  if (at === "agent") {
    let met = false;
    await seenSoon(() => (met = killAgent(place, agentPid)), ended);
    return met;
  }
  if (at === "moment") await passed(delayMs, ended);
  else {
    const before = seen(place, at);
    await seenSoon(() => seen(place, at) !== before, ended);
  }
  return running.child.kill(signal);
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  const untilMs = Date.now() + ms;
  return seenSoon(() => Date.now() >= untilMs, signal);
}

/** Looks again and again; what it waits for may never come before the program ends. */
async function seenSoon(there: () => boolean, ended: AbortSignal): Promise<void> {
  while (!ended.aborted && !there()) await new Promise((resolve) => setTimeout(resolve, 3));
}

/** Read from outside, without asking git or the program. */
function seen(place: Scratch, type: JournalEvent["type"]): number {
  const runs = join(place.root, ".git/ralphd/runs");
  const run = existsSync(runs) ? readdirSync(runs).sort().at(-1) : undefined;
  const journal = run === undefined ? "" : join(runs, run, "journal.jsonl");
  return existsSync(journal) ? readFileSync(journal, "utf8").split(`"type":"${type}"`).length - 1 : 0;
}

function killAgent(place: Scratch, file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    // The number may belong to somebody else by now.
    if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(place.home)) return false;
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    // Not written yet, half written, or gone: another one comes.
    return false;
  }
}
