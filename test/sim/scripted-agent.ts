/** An agent that plays a script: its events, what it does to files, how it ends. */
import type { AgentEvent, AgentExit, StopCause } from "../../src/core/agent-event.js";
import type { Leftovers } from "../../src/core/kept-process.js";
import type { Agent, AgentRequest, AgentRun } from "../../src/driver/ports.js";
import { type Character, type Script, scriptFor, type Step } from "./characters.js";
import type { Disk } from "./disk.js";
import type { VirtualClock } from "./world.js";

export function scriptedAgent(who: { seed: number; character: Character }, disk: Disk, clock: VirtualClock): Agent {
  return {
    kind: "sim",
    reach: { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true },
    check: async () => ({ kind: "ready", version: "1", billing: null }),
    start: (request) => {
      const script = scriptFor(who.character, { seed: who.seed, iteration: request.iteration, nowMs: clock.nowMs(), work: disk.work });
      return new ScriptedRun(script, { disk, clock, request });
    },
    // A line that a power cut tore is no event.
    replayStream: (raw) =>
      raw
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as AgentEvent),
    reap: async () => 0,
  };
}

interface Place {
  disk: Disk;
  clock: VirtualClock;
  request: AgentRequest;
}

class ScriptedRun implements AgentRun {
  readonly exit: Promise<AgentExit>;
  readonly #steps: Step[];
  readonly #place: Place;
  #end!: (exit: AgentExit) => void;
  #exit: AgentExit;
  #release: (() => void) | null = null;
  #ended = false;

  constructor(script: Script, place: Place) {
    this.#steps = [...script.steps];
    this.#exit = script.exit;
    this.#place = place;
    place.disk.agentRuns = true;
    this.exit = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async next(): Promise<AgentEvent | null> {
    for (;;) {
      const { disk } = this.#place;
      if (disk.killAgent) this.#die();
      const step = this.#ended ? undefined : this.#steps.shift();
      if (step === undefined) return this.#settle();
      if (step.quietMs !== undefined) await this.#quiet(step.quietMs);
      if (this.#ended) continue;
      this.#perform(step);
      if (step.event !== undefined) return step.event;
    }
  }

  #settle(): null {
    const { disk } = this.#place;
    disk.agentRuns = false;
    for (const [path, content] of disk.work) {
      if (path !== "PLAN.md" && !path.startsWith(".ralph/")) disk.truth.left.set(`${path}\0${content}`, { path, content });
    }
    this.#end(this.#exit);
    return null;
  }

  #die(): void {
    this.#place.disk.killAgent = false;
    if (this.#ended) return;
    this.#ended = true;
    this.#exit = { kind: "signalled", signal: "SIGKILL" };
  }

  async #quiet(ms: number): Promise<void> {
    const { clock } = this.#place;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
      clock.at(clock.monotonicMs() + ms, resolve);
    });
  }

  #perform(step: Step): void {
    const { disk, request } = this.#place;
    step.files?.(disk.work);
    step.world?.(disk);
    if (step.event !== undefined) this.#tell(step.event, request.streamPath);
    disk.did("agent");
  }

  #tell(event: AgentEvent, streamPath: string): void {
    const { disk } = this.#place;
    const path = streamPath.replace(/(\d+)\//, (_, n: string) => `${n.padStart(4, "0")}/`);
    disk.runFiles.set(path, `${disk.runFiles.get(path) ?? ""}${JSON.stringify(event)}\n`);
    if (event.type === "usage") {
      const tokens = (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
      disk.truth.calls.push({ tokens, costMicroUsd: Math.round((event.costUsd ?? 0) * 1e6), session: disk.truth.sessions, lost: false });
    }
    if (event.type === "toolCall" && event.command !== undefined) disk.truth.commands.push({ command: event.command, ok: true });
    const last = disk.truth.commands.at(-1);
    if (event.type === "toolResult" && event.exitCode !== null && last !== undefined) last.ok = event.ok;
  }

  leftovers(): Leftovers | null {
    return this.#exit.kind === "stopped" ? null : { ended: 0, kept: 0 };
  }

  stop(cause: StopCause): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#exit = { kind: "stopped", cause };
    this.#release?.();
    this.#settle();
  }

  cpuMs(): number | null {
    return null;
  }

  outputBytes(): number {
    return 0;
  }
}
