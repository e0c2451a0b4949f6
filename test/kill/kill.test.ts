/** The real program, real git, real agents: killed at random moments and at each named point, then started again by the same command. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agent, type Running, type Scratch, scratch } from "../acceptance/harness.js";
import { random } from "../sim/random.js";
import { disturbed, MAX_DELAY_MS, type Point, reached, SEED, seenSoon, share, tell } from "./points.js";
import { problems } from "./problems.js";

const KILLS = share(64, 15);
const KILLS_PER_RUN = 5;
/** Where it dies, five to a run; with `agent` not the program does, but its agent. */
const ROUND: readonly (Point | "agent")[] = [
  ...(["run.started", "iteration.started", "agent.ended", "moment", "agent"] as const),
  ...(["claims.taken", "gate.verdict", "task.proved", "iteration.judged", "moment"] as const),
  ...(["commit.created", "iteration.ended", "moment", "run.proved", "run.stopped"] as const),
];
const SIGNALS: readonly NodeJS.Signals[] = ["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"];

interface Kill {
  at: (typeof ROUND)[number];
  signal: NodeJS.Signals;
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
      for (const kill of kills) {
        const running = place.start(args);
        if ((await disturbed(running, (ended) => strike(place, kill, { running, agentPid: pid, ended }))).met) met += 1;
      }
      const last = await place.run(args);
      const label = `seed ${SEED}, kills ${JSON.stringify(kills)}: ${last.stderr.slice(-600)}`;
      expect(last.code, label).toBe(0);
      expect(problems(place), label).toEqual([]);
      tell(`${n + KILLS_PER_RUN} kills, ${met} met a living process`);
    }
    // A run may end before its kill comes. Were most of them late, nothing would be tested.
    expect(met).toBeGreaterThan(KILLS / 2);
  },
  Math.max(180_000, KILLS * 40_000),
);

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
  await reached(place, { at, delayMs }, ended);
  return running.child.kill(signal);
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
