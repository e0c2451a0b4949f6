/** One simulated night: the real driver over a virtual clock, a scripted agent and a world in memory. */
import type { AgentEvent, AgentExit, StopCause } from "../../src/core/agent-event.js";
import { agentLabel, agentsOf } from "../../src/core/agent-list.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { foldAll } from "../../src/core/fold.js";
import type { GateResult, GateSpec } from "../../src/core/gate.js";
import type { JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import type { RunState } from "../../src/core/run-state.js";
import type { Settings } from "../../src/core/settings.js";
import { runStarted } from "../../src/driver/begin.js";
import { Driver, type World } from "../../src/driver/driver.js";
import { runLoop } from "../../src/driver/loop.js";
import type { Agent, AgentRun, Clock } from "../../src/driver/ports.js";
import { type Character, CHARACTERS, type Script, scriptFor } from "./characters.js";
import { Crash, Disk } from "./disk.js";
import { memoryRepo } from "./memory-repo.js";
import { random } from "./random.js";

const RUN = "20261130-2200";
const START_MS = Date.UTC(2026, 10, 30, 22);

export interface Scenario {
  seed: number;
  character: Character;
  tasks: number;
  gated: boolean;
  settings: Settings;
}

export function scenario(seed: number): Scenario {
  const rng = random(seed);
  const character = rng.pick(CHARACTERS);
  const tasks = 1 + rng.below(5);
  const gated = rng.chance(0.8);
  const gates: GateSpec[] = gated ? [gate("all", "plan"), ...Array.from({ length: tasks }, (_, i) => gate(`task-${i + 1}`, "tasks"))] : [];
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    plan: "PLAN.md",
    gates,
    limits: {
      ...DEFAULT_SETTINGS.limits,
      iterations: 2 + rng.below(14),
      tokens: rng.chance(0.3) ? 10_000 + rng.below(40_000) : null,
      costMicroUsd: rng.chance(0.3) ? 20_000 + rng.below(100_000) : null,
      timeMs: rng.chance(0.2) ? 30 * 60_000 : DEFAULT_SETTINGS.limits.timeMs,
    },
    brakes: { ...DEFAULT_SETTINGS.brakes, onStuck: rng.chance(0.2) ? "park" : "stop" },
  };
  // Drawn last, so that nights without one stay as they were.
  if (rng.chance(0.3)) settings.fallback = [{ ...DEFAULT_SETTINGS.agent, name: "second", kind: "command" }, ...(rng.chance(0.3) ? [{ ...DEFAULT_SETTINGS.agent, name: "third", kind: "command" }] : [])];
  return { seed, character, tasks, gated, settings };
}

function gate(name: string, scope: GateSpec["scope"]): GateSpec {
  return { kind: "run", name, run: name, required: true, scope, when: "claim", timeoutMs: 1_000, retries: 0, baseline: "require" };
}

/** Whether a gate passes on a tree: the one definition that driver and invariants share. */
export function passes(name: string, tree: ReadonlyMap<string, string>, tasks: number): boolean {
  const names = name === "all" ? Array.from({ length: tasks }, (_, i) => `task-${i + 1}`) : [name];
  return names.every((task) => tree.get(`src/${task}.js`) === "good\n") && tree.get("test/all.test.js") === "assert(all)\n";
}

export interface Night {
  disk: Disk;
  state: RunState;
  restarts: number;
}

/** Runs the night to its end, starting again after each crash. */
export async function runNight(plan: Scenario, crashAt: number | null = null, adjust: (world: World) => World = (world) => world): Promise<Night> {
  const disk = newDisk(plan);
  disk.crashAt = crashAt;
  const clock = virtualClock();
  for (let restarts = 0; restarts < 5; restarts++) {
    try {
      return { disk, state: await session(plan, disk, adjust(worldOf(plan, disk, clock))), restarts };
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
  throw new Error(`seed ${plan.seed}: the driver crashed again and again`);
}

function newDisk(plan: Scenario): Disk {
  const disk = new Disk();
  const boxes = Array.from({ length: plan.tasks }, (_, i) => `- [ ] task-${i + 1}${plan.gated ? ` <!-- gate: task-${i + 1} -->` : ""}`);
  disk.work.set("test/all.test.js", "assert(all)\n");
  disk.work.set("README.md", "sim\n");
  const base = disk.commit({ tree: disk.intern(disk.work), parent: null, message: "base\n" });
  disk.refs.set(`refs/heads/${disk.branch}`, base);
  disk.work.set("PLAN.md", `# Plan\n\n${boxes.join("\n")}\n`);
  return disk;
}

async function session(plan: Scenario, disk: Disk, world: World): Promise<RunState> {
  let state = foldAll(disk.journal.map((line) => JSON.parse(line) as JournalEvent));
  const fresh = state === null;
  // A command after a final status would begin another run.
  if (state !== null && state.stopped !== null) return state;
  if (state === null) {
    const reading = parsePlan(disk.work.get("PLAN.md") ?? "", { path: "PLAN.md", sections: null });
    const base = disk.head();
    const baseTree = disk.intern(disk.treeOf(base));
    const started = runStarted({
      plan: reading.kind === "plan" ? reading.plan : null,
      settings: plan.settings,
      branch: disk.branch,
      baseHead: base,
      baseTree,
      workTree: await world.repo.treeWithout(baseTree, ["PLAN.md", ".ralph"]),
      sandbox: false,
      untouched: [],
    });
    state = foldAll(world.journal.append(0, started));
  }
  if (state === null) throw new Error("no run");
  const templates = { rules: "{{plan}}{{marker}}{{signs}}", work: WORK, "wrap-up": WORK, "step-back": WORK };
  const driver = new Driver(world, { settings: plan.settings, templates, env: () => ({}), tokenSeed: "t" }, state);
  if (!fresh) driver.record({ type: "run.resumed", pid: 1 });
  return runLoop(driver);
}

const WORK = "{{iteration}}{{left}}{{task}}{{feedback}}{{progress}}";

function worldOf(plan: Scenario, disk: Disk, clock: Clock): World {
  const writeRunFile = (path: string, content: string): void => {
    disk.runFiles.set(path, content);
    disk.did("runFiles");
  };
  return {
    clock,
    repo: memoryRepo(disk),
    agents: new Map(agentsOf(plan.settings).map((agent) => [agentLabel(agent), scriptedAgent({ ...plan, character: characterOf(plan, agent.name) }, disk, clock)])),
    journal: {
      append: (iteration, ...bodies) => {
        const events = bodies.map((body: JournalBody) => ({ ...body, at: new Date(clock.nowMs()).toISOString(), run: RUN, iteration }));
        disk.journal.push(...events.map((event) => JSON.stringify(event)));
        disk.did(`journal ${bodies.map((body) => body.type).join("+")}`);
        return events;
      },
      tampering: () => null,
    },
    runFiles: {
      iterationDir: (iteration) => `iterations/${iteration}`,
      write: writeRunFile,
      writeView: writeRunFile,
      read: (path) => disk.runFiles.get(path) ?? null,
      exists: (path) => disk.runFiles.has(path),
    },
    files: {
      read: (path) => disk.work.get(path) ?? null,
      write: (path, content) => {
        disk.work.set(path, content);
        disk.did("write");
        return true;
      },
      remove: (path) => void disk.work.delete(path),
      setAside: () => null,
      list: (folder) => [...disk.work.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)).sort(),
    },
    gates: {
      run: async (spec) => {
        const good = passes(spec.name, disk.work, plan.tasks);
        disk.did("gate");
        return gateResult(spec, good);
      },
      setup: async () => ({ ok: true, detail: "" }),
    },
    frozen: { pin: async () => undefined, restore: async () => [], putBackEdits: async () => [], takeNotes: () => [], accept: () => undefined },
    control: { poll: () => [], now: new AbortController().signal, finishing: () => false },
    observer: { journal: () => undefined, agent: () => undefined },
  };
}

function gateResult(spec: GateSpec, good: boolean): GateResult {
  return {
    name: spec.name,
    verdict: good ? "pass" : "fail",
    reason: good ? "exit 0" : "exit 1",
    required: true,
    failing: good ? [] : [spec.name],
    fingerprint: good ? "pass" : spec.name,
    testsRun: null,
    exitCode: good ? 0 : 1,
    durationMs: 1,
    flaky: false,
    outputPath: null,
    detail: null,
  };
}

/** Time passes only when somebody sleeps. */
function virtualClock(): Clock {
  let nowMs = START_MS;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs - START_MS,
    sleepUntil: async (wallMs, signal) => {
      // Whatever else can happen now happens first.
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) nowMs = Math.max(nowMs, wallMs);
    },
  };
}

/** The third is as limited as the first may be, so that all of them can be out at once. */
function characterOf(plan: Scenario, name: string): Character {
  if (name === "third") return "limited";
  if (name !== "second") return plan.settings.fallback.length > 0 && plan.seed % 7 === 0 ? "lockedOut" : plan.character;
  return (["limited", "diligent", "lockedOut"] as const)[plan.seed % 3] ?? "limited";
}

function scriptedAgent(plan: Scenario, disk: Disk, clock: Clock): Agent {
  return {
    kind: "sim",
    reach: { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true },
    check: async () => ({ kind: "ready", version: "1", billing: null }),
    start: (request) => {
      const script = scriptFor(plan.character, { seed: plan.seed, iteration: request.iteration, nowMs: clock.nowMs(), work: disk.work });
      return new ScriptedRun(script, disk, request.streamPath);
    },
    replayStream: (raw) => raw.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as AgentEvent),
    reap: async () => 0,
  };
}

class ScriptedRun implements AgentRun {
  readonly exit: Promise<AgentExit>;
  #steps: Script["steps"];
  #disk: Disk;
  #streamPath: string;
  #end!: (exit: AgentExit) => void;
  #exit: AgentExit;
  #release: (() => void) | null = null;
  #ended = false;

  constructor(script: Script, disk: Disk, streamPath: string) {
    this.#steps = [...script.steps];
    this.#exit = script.exit;
    this.#disk = disk;
    this.#streamPath = streamPath;
    this.exit = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async next(): Promise<AgentEvent | null> {
    for (;;) {
      const step = this.#ended ? undefined : this.#steps.shift();
      if (step === undefined) {
        this.#end(this.#exit);
        return null;
      }
      if (step.hang === true) await new Promise<void>((resolve) => (this.#release = resolve));
      this.#perform(step);
      if (step.event !== undefined) return step.event;
    }
  }

  #perform(step: Script["steps"][number]): void {
    step.files?.(this.#disk.work);
    if (step.commit === true) this.#commit();
    if (step.event !== undefined) {
      const path = this.#streamPath.replace(/(\d+)\//, (_, n: string) => `${n.padStart(4, "0")}/`);
      this.#disk.runFiles.set(path, `${this.#disk.runFiles.get(path) ?? ""}${JSON.stringify(step.event)}\n`);
    }
    this.#disk.did("agent");
  }

  #commit(): void {
    const parent = this.#disk.head();
    const tree = this.#disk.intern(new Map(this.#disk.work));
    if (parent !== null && this.#disk.commits.get(parent)?.tree === tree) return;
    this.#disk.refs.set(`refs/heads/${this.#disk.branch}`, this.#disk.commit({ tree, parent, message: "by the agent\n" }));
  }

  stop(cause: StopCause): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#exit = { kind: "stopped", cause };
    this.#release?.();
  }

  cpuMs(): number | null {
    return null;
  }

  outputBytes(): number {
    return 0;
  }
}
