/** The real program while somebody sets the wall clock forwards and back by hours: nothing is lost, and no wait or duration takes the jump for time. */
import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { agent, ofType, type Scratch, scratch } from "../acceptance/harness.js";
import { type Random, random } from "../sim/random.js";
import { disturbed, MAX_DELAY_MS, type Place, type Point, reached, SEED, share, tell } from "./points.js";
import { problems } from "./problems.js";

const JUMPS = share(12, 3);
const JUMPS_PER_RUN = 3;
const HOUR_MS = 3_600_000;
/** No step of these runs takes as long, however busy the machine is. */
const LONG_MS = 600_000;
const POINTS: readonly Point[] = [
  "wait.started",
  "iteration.started",
  "moment",
  "gate.verdict",
  "agent.ended",
  "moment",
  "iteration.judged",
  "run.proved",
  "moment",
  "iteration.ended",
];

const PLAN = `---
gates:
  - name: all
    run: ls work-*.txt
    retries: 0
---
- [ ] one
- [ ] two
- [ ] three
`;
/** The first iteration fails at the agent, which is waited for. */
const WORK = "[ $n = 1 ] && { echo boom >&2; exit 3; }\nset -e; work; echo note >> .ralph/progress.md; tick; sleep 0.05";

interface Jump extends Place {
  hours: number;
  /** The jump comes while the program is not there. */
  kill: boolean;
}

it(
  `PH-21 survives ${JUMPS} jumps of the wall clock`,
  async (context) => {
    const library = fakeClock();
    if (library === null) return context.skip("libfaketime is not on this machine");
    const rng = random(SEED * 17);
    let met = 0;
    for (let n = 0; n < JUMPS; n += JUMPS_PER_RUN) {
      met += await round(library, { n, rng });
      tell(`${n + JUMPS_PER_RUN} jumps of the clock, ${met} met a living process`);
    }
    expect(met).toBeGreaterThanOrEqual(JUMPS / 3);
  },
  JUMPS * 60_000 + 180_000,
);

async function round(library: string, { n, rng }: { n: number; rng: Random }): Promise<number> {
  const place = scratch({ "PLAN.md": PLAN });
  const clock = join(place.home, "clock");
  // Files keep the times that the kernel gave them, as after a real jump.
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
  };
  const args = ["run", "--trust", "-n", "20", ...agent(place, WORK)];
  const jumps = Array.from(
    { length: JUMPS_PER_RUN },
    (_, index): Jump => ({
      at: POINTS[(n + index) % POINTS.length] ?? "moment",
      delayMs: rng.below(MAX_DELAY_MS),
      hours: rng.pick([-1, 1]) * (1 + rng.below(30)),
      kill: rng.chance(0.5),
    }),
  );
  setClock(clock, 0);
  let met = 0;
  for (const jump of jumps) {
    const running = place.start(args, { env });
    const seen = await disturbed(running, async (ended) => {
      const there = await reached(place, jump, ended);
      setClock(clock, jump.hours);
      return there && (!jump.kill || running.child.kill("SIGKILL"));
    });
    if (seen.met) met += 1;
  }
  const last = await place.run(args, { env });
  const label = `seed ${SEED}, jumps ${JSON.stringify(jumps)}: ${last.stderr.slice(-800)}`;
  expect(last.code, label).toBe(0);
  expect([...problems(place), ...oddTimes(place), ...blame(place)], label).toEqual([]);
  const status = await place.run(["status"], { env });
  expect(`${status.code} ${/NaN|-\d+ ?(s|min|h)\b/.exec(status.stdout)?.[0] ?? "sound"}`, `${label}\n${status.stdout}${status.stderr}`).toBe("0 sound");
  // Else the library does not reach the program.
  expect(place.journal().some(jumped), `${label}\nno event has another time`).toBe(true);
  return met;
}

/** Where distributions and its own Makefile put it. */
function fakeClock(): string | null {
  const multiarch = existsSync("/usr/lib")
    ? readdirSync("/usr/lib")
        .filter((name) => name.includes("-linux-"))
        .map((name) => `/usr/lib/${name}/faketime`)
    : [];
  return (
    [...multiarch, "/usr/lib/faketime", "/usr/lib64/faketime", "/usr/local/lib/faketime"].map((folder) => join(folder, "libfaketime.so.1")).find(existsSync) ??
    null
  );
}

/** In one step, since the program may look at any moment. */
function setClock(file: string, hours: number): void {
  writeFileSync(`${file}.next`, `${hours < 0 ? "" : "+"}${hours}h\n`);
  renameSync(`${file}.next`, file);
}

function jumped(event: JournalEvent): boolean {
  return Math.abs(Date.parse(event.at) - Date.now()) > HOUR_MS / 2;
}

/** Durations are no times: whatever the clock did, they stay as long as what they measure. */
function oddTimes(place: Scratch): string[] {
  const found: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value === "number" && /(duration|waited|elapsed|active|ran)Ms$/i.test(path) && (value < 0 || value > LONG_MS)) found.push(`${path} is ${value}`);
    if (typeof value === "object" && value !== null) for (const [key, inner] of Object.entries(value)) look(inner, `${path}.${key}`);
  };
  for (const event of place.journal()) look(event, event.type);
  return found;
}

/** The agent failed once by itself; nothing else may be taken for its failure. */
function blame(place: Scratch): string[] {
  const stopped = ofType(place.journal(), "agent.ended").filter(({ ending }) => ending.exit.kind === "stopped" && ending.exit.cause !== "settled");
  return stopped.map(({ iteration, ending }) => `the agent of iteration ${iteration} was ended: ${JSON.stringify(ending.exit)}`);
}
