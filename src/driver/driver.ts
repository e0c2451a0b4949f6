/** What every step of the loop works on: the ports, the frozen settings, and the state folded from the journal. */
import { agentOf } from "../core/agent-list.js";
import { fold } from "../core/fold.js";
import type { GateResult } from "../core/gate.js";
import type { JournalBody, JournalEvent } from "../core/journal-event.js";
import type { TemplateName } from "../core/prompt.js";
import type { RunState } from "../core/run-state.js";
import type { AgentSettings, Settings } from "../core/settings.js";
import type { Agent, Clock, Control, FrozenPaths, Gates, Hooks, Journal, Observer, Repo, RepoLook, RunFiles, TreeFiles } from "./ports.js";

export interface World {
  clock: Clock;
  journal: Journal;
  runFiles: RunFiles;
  files: TreeFiles;
  repo: Repo;
  /** By label; all that the settings name. */
  agents: ReadonlyMap<string, Agent>;
  gates: Gates;
  frozen: FrozenPaths;
  control: Control;
  observer: Observer;
  /** Absent: there are none. */
  hooks?: Hooks;
}

export interface DriverOptions {
  settings: Settings;
  templates: Record<TemplateName, string>;
  /** Environment of this agent, and of gates and setup beside it. */
  env: (iteration: number, token: string, agent: AgentSettings) => Record<string, string>;
  /** Secret of this run; with the iteration it makes the sweep token. */
  tokenSeed: string;
}

/** Hooks run under git and may outlive the iteration that they began in, so they share one token. */
export function hookToken(tokenSeed: string): string {
  return `${tokenSeed}-hook`;
}

/** The state may only change by journaling: what a restart could not know must not be decided on. */
export class Driver {
  readonly world: World;
  readonly options: DriverOptions;
  /** Verdicts by gate and tree, failures by iteration besides. Losing them costs time, never truth. */
  readonly verdicts = new Map<string, GateResult>();
  /** How a commit of the driver's left the repository; null again as soon as anything else had a turn in it. */
  settled: RepoLook | null = null;
  #state: RunState;

  constructor(world: World, options: DriverOptions, state: RunState) {
    this.world = { ...world, files: this.#noticed(world.files) };
    this.options = options;
    this.#state = state;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Asks git only when something ran since the driver's last commit. */
  async look(): Promise<RepoLook> {
    const known = this.settled;
    this.settled = null;
    return known ?? (await this.world.repo.look());
  }

  get settings(): Settings {
    return this.options.settings;
  }

  /** Of the open iteration, or of the next one. */
  get agent(): Agent {
    const { agents } = this.world;
    const agent = agents.get(this.#label()) ?? agents.values().next().value;
    if (agent === undefined) throw new Error("the run has no agent");
    return agent;
  }

  get agentSettings(): AgentSettings {
    return agentOf(this.settings, this.#label());
  }

  env(iteration: number, token: string): Record<string, string> {
    return this.options.env(iteration, token, this.agentSettings);
  }

  #label(): string {
    return this.#state.open?.agent ?? this.#state.agent;
  }

  /** Durable first, then believed, then shown. */
  record(...bodies: JournalBody[]): void {
    const iteration = this.#state.open?.number ?? 0;
    this.recordAt(iteration, ...bodies);
  }

  recordAt(iteration: number, ...bodies: JournalBody[]): void {
    for (const event of this.world.journal.append(iteration, ...bodies)) this.#take(event);
  }

  /** Ends what a killed driver left running: its agent, gates and hooks. */
  async reapLeftovers(): Promise<void> {
    const { agent } = this;
    await agent.reap(this.token(this.#state.iteration), this.settings.keep);
    await agent.reap(hookToken(this.options.tokenSeed));
  }

  token(iteration: number): string {
    return `${this.options.tokenSeed}-${iteration}`;
  }

  /** Paths that are never work: the plan and the loop's own folder. */
  ownPaths(): string[] {
    return [...(this.settings.plan === null ? [] : [this.settings.plan]), ".ralph"];
  }

  /** What the driver itself writes into the tree is not as committed any more. */
  #noticed(files: TreeFiles): TreeFiles {
    return {
      ...files,
      write: (path, content) => {
        this.settled = null;
        return files.write(path, content);
      },
      remove: (path) => {
        this.settled = null;
        return files.remove(path);
      },
    };
  }

  #take(event: JournalEvent): void {
    const next = fold(this.#state, event);
    if (next === null) throw new Error(`event ${event.type} has no run`);
    this.#state = next;
    this.world.observer.journal(event);
  }
}
