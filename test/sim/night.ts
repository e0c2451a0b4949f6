/** One simulated night: the real driver over a virtual clock, a scripted agent and a world in memory, to its very end. */
import { foldAll } from "../../src/core/fold.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import { canContinue, type RunState } from "../../src/core/run-state.js";
import type { Settings } from "../../src/core/settings.js";
import { runStarted } from "../../src/driver/begin.js";
import { Driver, type World } from "../../src/driver/driver.js";
import { runLoop } from "../../src/driver/loop.js";
import { DiskError } from "../../src/core/disk-error.js";
import { endBroken } from "../../src/run/end-broken.js";
import { Disk } from "./disk.js";
import { Crash } from "./faults.js";
import { type Scenario, settingsOf } from "./scenario.js";
import { virtualClock, worldOf } from "./world.js";

/** Starts of the driver: more than all faults and acts of a night can end. */
const MAX_SESSIONS = 40;
/** The longest nights have some 500. */
const MAX_EFFECTS = 20_000;

/** An invariant that does not hold; ends the night through every handler of the driver's. */
export class Broken extends Error {}

export interface Night {
  disk: Disk;
  state: RunState;
}

export interface Staging {
  settings?: Settings;
  adjust?: (world: World) => World;
  /** After each event of the run; throws Broken to end the night. */
  watch?: (disk: Disk, state: RunState) => void;
}

/** Runs the night to its end, starting again after each crash and each stop of a person. */
export async function runNight(plan: Scenario, staging: Staging = {}): Promise<Night> {
  const disk = newDisk(plan);
  const clock = virtualClock(disk.jump);
  for (let sessions = 1; sessions <= MAX_SESSIONS; sessions++) {
    disk.truth.sessions = sessions;
    disk.agentRuns = false;
    disk.killAgent = false;
    // A person tries again before it occurs to them to make room.
    if (sessions % 3 === 0) disk.makeRoom();
    try {
      const world = worldOf(plan, disk, clock);
      const state = await session(plan, { disk, world: staging.adjust?.(world) ?? world, staging });
      if (disk.agentRuns) throw new Broken("the driver ended and left its agent at work");
      if (isOver(disk, state)) return { disk, state };
    } catch (error) {
      // The second: not even the beginning found room.
      if (!(error instanceof Crash) && !(error instanceof DiskError)) throw error;
    }
  }
  throw new Error(`the night does not end: ${MAX_SESSIONS} starts of the driver`);
}

/** A stop of a person and a full disk end a session; the same command goes on with the run. */
function isOver(disk: Disk, state: RunState): boolean {
  return (
    state.stopped !== null &&
    !canContinue(state) &&
    disk.journal.some((line) => line.startsWith('{"type":"run.stopped"') && line.includes(`"${state.stopped?.reason}"`))
  );
}

function newDisk(plan: Scenario): Disk {
  const disk = new Disk();
  const boxes = Array.from({ length: plan.tasks }, (_, i) => `- [ ] task-${i + 1}${plan.gates === "none" ? "" : ` <!-- gate: task-${i + 1} -->`}`);
  disk.work.set("test/all.test.js", "assert(all)\n");
  disk.work.set("README.md", "sim\n");
  disk.work.set(".ralph/config.yaml", "gates: [all]\n");
  const base = disk.commit({ tree: disk.intern(disk.work), parent: null, message: "base\n" });
  disk.moveHead(base);
  disk.work.set("PLAN.md", `# Plan\n\n${boxes.join("\n")}\n`);
  if (plan.dirty) disk.work.set("local.env", "mine\n");
  disk.acts = plan.acts.map((act, index) => ({ ...act, id: `request-${index}` }));
  disk.faults = [...plan.faults];
  return disk;
}

async function session(plan: Scenario, { disk, world, staging }: { disk: Disk; world: World; staging: Staging }): Promise<RunState> {
  const settings = staging.settings ?? settingsOf(plan);
  const before = foldAll(disk.journal.map((line) => JSON.parse(line) as JournalEvent));
  // A command after a final status would begin another run.
  if (before !== null && !canContinue(before)) return before;
  // The beginning needs room, too; without it nothing was started.
  const state = before ?? (await begin(disk, world, settings));
  if (state === null) throw new Error("no run");
  const templates = { rules: "{{plan}}{{marker}}{{signs}}", work: WORK, "wrap-up": WORK, "step-back": WORK };
  const driver = new Driver(
    watched(world, disk, staging, () => driver.state),
    { settings, templates, env: () => ({}), tokenSeed: "t" },
    state,
  );
  try {
    if (before !== null) driver.record({ type: "run.resumed", pid: 1 });
    await world.frozen.pin();
    return await runLoop(driver);
  } catch (error) {
    if (error instanceof Crash || error instanceof Broken) throw error;
    return endBroken(driver, error, (line) => {
      throw new Broken(line);
    });
  }
}

const WORK = "{{iteration}}{{left}}{{task}}{{feedback}}{{progress}}";

async function begin(disk: Disk, world: World, settings: Settings): Promise<RunState | null> {
  const reading = parsePlan(disk.work.get("PLAN.md") ?? "", { path: "PLAN.md", sections: null });
  const base = disk.head();
  const baseTree = disk.intern(disk.treeOf(base));
  const started = runStarted({
    plan: reading.kind === "plan" ? reading.plan : null,
    settings,
    branch: disk.branch,
    baseHead: base,
    baseTree,
    workTree: await world.repo.treeWithout(baseTree, ["PLAN.md", ".ralph"]),
    sandbox: false,
    untouched: disk.work.has("local.env") ? ["local.env"] : [],
  });
  return foldAll(world.journal.append(0, started));
}

function watched(world: World, disk: Disk, { watch }: Staging, state: () => RunState): World {
  const look = (): void => {
    if (disk.effects.length > MAX_EFFECTS) throw new Broken(`the night does not end: ${MAX_EFFECTS} effects`);
    watch?.(disk, state());
  };
  return { ...world, observer: { ...world.observer, journal: look } };
}
