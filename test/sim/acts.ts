/** What people do to a running loop, and when: at the first moment the loop listens in or after an iteration. */
import type { ControlRequest } from "../../src/driver/ports.js";
import type { Disk } from "./disk.js";
import type { Random } from "./random.js";

export type Act = { iteration: number } & (
  | { kind: "note"; text: string }
  /** Taken back after so many polls. */
  | { kind: "pause"; polls: number }
  | { kind: "skip"; task: string }
  | { kind: "budget"; iterations: number }
  | { kind: "stop"; now: boolean }
  /** One Ctrl-C: after the iteration. */
  | { kind: "finish" }
  /** SIGTERM. */
  | { kind: "abort" }
  /** An edit of the plan, or of a frozen file, while no agent works. */
  | { kind: "edit"; how: "task" | "prose" | "broken" | "gates" | "frozen"; text: string }
);

/** Such an act ends the session; the same command starts the next one. */
export const ENDING_ACTS: readonly Act["kind"][] = ["stop", "finish", "abort"];

export function drawActs(rng: Random, tasks: number): Act[] {
  const count = rng.chance(0.6) ? 0 : 1 + rng.below(3);
  return Array.from({ length: count }, (_, index) => drawAct(rng, tasks, index));
}

function drawAct(rng: Random, tasks: number, index: number): Act {
  const iteration = rng.below(5);
  switch (rng.below(8)) {
    case 0:
      return { iteration, kind: "note", text: `note ${index} of a person` };
    case 1:
      return { iteration, kind: "pause", polls: 1 + rng.below(5) };
    case 2:
      return { iteration, kind: "skip", task: `task-${1 + rng.below(tasks)}` };
    case 3:
      return { iteration, kind: "budget", iterations: 1 + rng.below(3) };
    case 4:
      return { iteration, kind: "stop", now: rng.chance(0.5) };
    case 5:
      return { iteration, kind: "finish" };
    case 6:
      return { iteration, kind: "abort" };
    default:
      return { iteration, kind: "edit", how: rng.pick(["task", "prose", "broken", "gates", "frozen"] as const), text: `written by a person ${index}` };
  }
}

const BY = "person";

/** One session's ears: requests lie on the disk until they were taken, what signals say dies with the process. */
export class People {
  readonly now = new AbortController();
  finishing = false;
  #disk: Disk;
  #resumeIn: number | null;

  /** `paused`: the run was when this session began; a person sees that soon. */
  constructor(disk: Disk, paused: boolean) {
    this.#disk = disk;
    this.#resumeIn = paused ? 2 : null;
  }

  poll(): ControlRequest[] {
    const disk = this.#disk;
    const requests: ControlRequest[] = [];
    if (disk.watcherFailed) requests.push({ kind: "notice", message: "edits are not seen at once" });
    disk.watcherFailed = false;
    if (this.#resumeIn !== null && --this.#resumeIn <= 0) {
      this.#resumeIn = null;
      requests.push({ kind: "resume", by: BY });
    }
    for (const act of disk.acts.filter((item) => item.iteration <= disk.iteration)) {
      if (act.kind === "edit" && disk.agentRuns) continue;
      const asked = this.#perform(act);
      // Only what lies in the inbox waits until it was taken.
      if (asked.length === 0) this.#done(act);
      requests.push(...asked.map((request) => ({ ...request, id: act.id })));
    }
    if (requests.length > 0) disk.did("heard");
    return requests;
  }

  taken(id: string): void {
    const act = this.#disk.acts.find((item) => item.id === id);
    if (act === undefined) throw new Error(`request ${id} is taken twice`);
    if (act.kind === "note") this.#disk.truth.notes.push(act.text);
    if (act.kind === "budget") this.#disk.truth.granted += act.iterations;
    this.#done(act);
    this.#disk.did("inbox");
  }

  #done(act: Act & { id: string }): void {
    this.#disk.acts = this.#disk.acts.filter((item) => item !== act);
    this.#disk.truth.acts.push(act.kind);
  }

  #perform(act: Act): ControlRequest[] {
    switch (act.kind) {
      case "note":
        return [{ kind: "note", text: act.text, by: BY }];
      case "pause":
        this.#resumeIn = act.polls;
        return [{ kind: "pause", by: BY }];
      case "skip":
        return [{ kind: "skip", task: act.task, by: BY }];
      case "budget":
        return [{ kind: "budget", add: { iterations: act.iterations }, by: BY }];
      case "stop":
        return [{ kind: "stop", now: act.now, by: BY }];
      case "finish":
        this.finishing = true;
        return [];
      case "abort":
        this.finishing = true;
        this.now.abort();
        return [];
      case "edit":
        this.#edit(act);
        return [];
    }
  }

  #edit({ how, text }: Extract<Act, { kind: "edit" }>): void {
    const { work, truth } = this.#disk;
    if (how === "frozen") {
      // Who writes over an own text that nobody has seen yet has taken it back.
      const before = work.get(".ralph/config.yaml") ?? "";
      truth.frozen = [...truth.frozen.filter((earlier) => !before.includes(earlier)), text];
      work.set(".ralph/config.yaml", `gates: [] # ${text}\n`);
      return;
    }
    const plan = work.get("PLAN.md");
    if (plan === undefined) return;
    const edits = {
      task: `${plan}- [ ] extra-${truth.written.length} ${text}\n`,
      prose: `${plan}\n${text}\n`,
      broken: `${plan}\n\`\`\`\n${text}\n`,
      gates: `---\ngates: []\n---\n${plan}\n${text}\n`,
    };
    work.set("PLAN.md", edits[how]);
    truth.written.push(text);
  }
}
