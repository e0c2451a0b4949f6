/** Signals of work, not of life: output, CPU time of the tree, changed files. A silent process that builds is alive. */
import type { StopCause } from "../core/agent-event.js";
import { usableMs } from "../core/reserve.js";
import type { Driver } from "./driver.js";
import type { AgentRun } from "./ports.js";

/** A tree that uses less of one core than this only waits: event loops and spinners tick while nothing happens. */
const WORKING_SHARE = 0.05;
/** CPU is measured over spans of at most this length; shorter ones when the idle limit is short. */
const MAX_SPAN_MS = 5_000;

export class Silence {
  readonly #driver: Driver;
  readonly #run: AgentRun;
  readonly #startedMs: number;
  readonly #spanMs: number;
  #lastMs: number;
  #anything = false;
  #bytes = 0;
  #sample: { atMs: number; cpuMs: number | null };
  /** The tree when silence was last long enough to ask. */
  #tree: string | null;

  constructor(driver: Driver, run: AgentRun, startedMs: number) {
    this.#driver = driver;
    this.#run = run;
    this.#startedMs = startedMs;
    this.#lastMs = startedMs;
    this.#spanMs = Math.min(MAX_SPAN_MS, driver.settings.limits.idleMs / 4);
    this.#sample = { atMs: startedMs, cpuMs: null };
    this.#tree = driver.state.open?.tree ?? null;
  }

  heard(): void {
    this.#anything = true;
    this.#lastMs = this.#driver.world.clock.monotonicMs();
  }

  /** Why the agent must end now; null while it may go on. */
  async cause(): Promise<StopCause | null> {
    const { settings, state, world } = this.#driver;
    const nowMs = world.clock.monotonicMs();
    this.#lookAtOutput(nowMs);
    this.#lookAtCpu(nowMs);
    const ranMs = nowMs - this.#startedMs;
    const leftMs = usableMs(state.open?.mode ?? "work", settings, state) - state.activeMs;
    if (ranMs >= Math.min(settings.limits.iterationMs, leftMs)) return "iteration_timeout";
    if (!this.#anything && this.#driver.agent.reach.streams && ranMs >= settings.limits.firstOutputMs) return "first_output";
    if (nowMs - this.#lastMs < settings.limits.idleMs) return null;
    return (await this.#filesMoved()) ? null : "idle";
  }

  #lookAtOutput(nowMs: number): void {
    const bytes = this.#run.outputBytes();
    if (bytes > this.#bytes) {
      this.#anything = true;
      this.#lastMs = nowMs;
    }
    this.#bytes = bytes;
  }

  #lookAtCpu(nowMs: number): void {
    const elapsedMs = nowMs - this.#sample.atMs;
    if (elapsedMs < this.#spanMs) return;
    const cpuMs = this.#run.cpuMs();
    const before = this.#sample.cpuMs;
    if (cpuMs !== null && before !== null && cpuMs - before >= elapsedMs * WORKING_SHARE) this.#lastMs = nowMs;
    this.#sample = { atMs: nowMs, cpuMs };
  }

  /** Asked only when everything else is silent, since it costs a look at the whole tree. */
  async #filesMoved(): Promise<boolean> {
    const { repo, clock } = this.#driver.world;
    const { tree } = await repo.capture({ against: null, exclude: this.#driver.state.untouched });
    const moved = this.#tree !== null && tree !== this.#tree;
    this.#tree = tree;
    if (moved) this.#lastMs = clock.monotonicMs();
    return moved;
  }
}
