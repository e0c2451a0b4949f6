/** The real program while its disk refuses: it names the disk or goes on, and behind it the same command loses nothing. */
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { agent, ofType, type Ran, type Scratch, scratch } from "../acceptance/harness.js";
import { type Random, random } from "../sim/random.js";
import { type Fault, mayMount, onSmallDisk, readOnly } from "./disk-faults.js";
import { disturbed, MAX_DELAY_MS, type Place, type Point, reached, SEED, seenSoon, share, tell } from "./points.js";
import { problems } from "./problems.js";

const FULL = share(12, 2);
const READ_ONLY = share(12, 2);
const FAULTS_PER_RUN = 2;
const POINTS: readonly Point[] = [
  "moment",
  "iteration.started",
  "agent.ended",
  "moment",
  "gate.verdict",
  "iteration.judged",
  "run.started",
  "commit.created",
  "moment",
  "iteration.ended",
  "run.proved",
];

const PLAN = `---
gates:
  - name: all
    run: test -f work-1.txt -o -f work-2.txt -o -f work-3.txt
    retries: 0
  - name: task
    run: ls work-*.txt
    for: tasks
    retries: 0
---
- [ ] one <!-- gate: task -->
- [ ] two
- [ ] three
`;
const WORK = "set -e; work; echo note >> .ralph/progress.md; tick; sleep 0.05";

interface Disk {
  place: Scratch;
  faults: readonly { name: string; fault: Fault; goesOn: boolean }[];
  close(): void;
}

describe("a disk that refuses", () => {
  it(
    `ST-13 full ${FULL} times: the run ends with that reason or goes on, and with room the same command ends it`,
    (context) => rounds(context, { faults: FULL, open: fullDisk, salt: 1 }),
    FULL * 60_000 + 180_000,
  );

  it(
    `ST-13 ${READ_ONLY} times a read-only folder: views are not worth a run, the truth is`,
    (context) => rounds(context, { faults: READ_ONLY, open: readOnlyFolders, salt: 2 }),
    READ_ONLY * 60_000 + 180_000,
  );
});

function fullDisk(): Disk | string {
  const disk = onSmallDisk(scratch({ "PLAN.md": PLAN }));
  if (disk === null) return "mounting is not permitted here";
  const faults = [
    { name: "full of bytes", fault: disk.bytes, goesOn: false },
    { name: "full of files", fault: disk.files, goesOn: false },
  ];
  return { place: disk.place, faults, close: disk.unmount };
}

function readOnlyFolders(): Disk | string {
  if (process.getuid?.() === 0 && !mayMount()) return "root ignores modes, and mounting is not permitted here";
  const place = scratch({ "PLAN.md": PLAN });
  const faults = [
    { name: "read-only views", fault: readOnly(join(place.root, ".ralph/state")), goesOn: true },
    { name: "read-only truth", fault: readOnly(join(place.root, ".git/ralphd")), goesOn: false },
  ];
  return { place, faults, close: () => faults.forEach(({ fault }) => fault.end()) };
}

async function rounds(context: TestContext, { faults, open, salt }: { faults: number; open: () => Disk | string; salt: number }): Promise<void> {
  const rng = random(SEED * 31 + salt);
  let met = 0;
  for (let n = 0; n < faults; n += FAULTS_PER_RUN) {
    const disk = open();
    if (typeof disk === "string") return context.skip(disk);
    try {
      met += await round(disk, { n, rng });
    } finally {
      disk.close();
    }
    tell(`${n + FAULTS_PER_RUN} faults of the disk (${disk.faults.map(({ name }) => name).join(", ")}), ${met} met a living process`);
  }
  expect(met).toBeGreaterThanOrEqual(faults / 2);
}

/** How many faults met a living process. */
async function round({ place, faults }: Disk, { n, rng }: { n: number; rng: Random }): Promise<number> {
  const args = ["run", "--trust", "-n", "20", ...agent(place, WORK)];
  let met = 0;
  const story: string[] = [`seed ${SEED}, from fault ${n}`];
  for (let index = 0; index < FAULTS_PER_RUN; index++) {
    const { name, fault, goesOn } = pick(faults, n + index);
    const point: Place = { at: pick(POINTS, n + index), delayMs: rng.below(MAX_DELAY_MS) };
    story.push(`${name} at ${point.at === "moment" ? `${point.delayMs} ms` : point.at}`);
    const seen = await disturbed(place.start(args), async (ended) => (await reached(place, point, ended)) && begun(fault, ended));
    if (seen.met) met += 1;
    const refused = refusals(place, seen.ran, goesOn);
    // Who does not know of the disk tries again at once.
    if (seen.met && rng.chance(0.5)) refused.push(...refusals(place, await place.run(args), goesOn).map((problem) => `again: ${problem}`));
    fault.end();
    expect(refused, story.join("; ")).toEqual([]);
  }
  const last = await place.run(args);
  const label = `${story.join("; ")}: ${last.stderr.slice(-800)}`;
  expect(last.code, label).toBe(0);
  expect(problems(place), label).toEqual([]);
  return met;
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** What is to refuse may have to be made first. */
async function begun(fault: Fault, ended: AbortSignal): Promise<boolean> {
  let met = false;
  await seenSoon(() => (met = fault.begin()), ended);
  return met;
}

/** What a start may not do while the disk refuses: blame anything else, crash, or pretend. */
function refusals(place: Scratch, ran: Ran, goesOn: boolean): string[] {
  const told = `code ${ran.code}: ${ran.stdout.slice(-400)}\n${ran.stderr.slice(-800)}`;
  if (/internal error|\n\s+at /.test(ran.stderr)) return [`a bug: ${told}`];
  if (ran.code === 0) return [];
  if (goesOn) return [`ended: ${told}`];
  const stopped = ofType(place.journal(), "run.stopped").at(-1);
  const named = /cannot write .*|no space left|read-only file system/i.test(ran.stdout + ran.stderr);
  return ran.code === 1 && (named || stopped?.reason === "disk") ? [] : [`another reason: ${told}`];
}
