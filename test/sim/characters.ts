/** Agents of many characters. What one does depends on seed, iteration and files alone, so that a restart can repeat it. */
import type { AgentEvent, AgentExit } from "../../src/core/agent-event.js";
import { ATTACKS } from "./attacks.js";
import type { Disk } from "./disk.js";
import { random, type Random } from "./random.js";

export const CHARACTERS = [
  "diligent",
  "busy",
  "slow",
  "lazy",
  "liar",
  "looper",
  "oscillator",
  "thrasher",
  "crasher",
  "flooder",
  "silent",
  "forker",
  "hostile",
  "testEditor",
  "markerLiar",
  "planBreaker",
  "committer",
  "limited",
  "waiter",
  "loggedOut",
  "idler",
  "blocked",
] as const;
/** `lockedOut` plays only where somebody can stand in for it. */
export type Character = (typeof CHARACTERS)[number] | "lockedOut";

/** They finish what can be finished; no brake may take them for stuck. */
export const PROGRESSING: ReadonlySet<Character> = new Set(["diligent", "busy", "slow", "committer"]);

export interface Step {
  event?: AgentEvent;
  files?: (work: Map<string, string>) => void;
  /** What else it does to the repository. */
  world?: (disk: Disk) => void;
  /** Nothing is heard for so long; Infinity: nothing more ever comes. */
  quietMs?: number;
}

export interface Script {
  steps: Step[];
  exit: AgentExit;
}

const OK: AgentExit = { kind: "exited", code: 0 };
const PLAN = "PLAN.md";

export function scriptFor(character: Character, options: { seed: number; iteration: number; nowMs: number; work: ReadonlyMap<string, string> }): Script {
  const rng = random(options.seed * 7_919 + options.iteration);
  const task = firstOpen(options.work);
  const start: Step[] = [{ event: { type: "started" } }, call(rng)];
  const script = (steps: Step[], exit: AgentExit = OK): Script => ({ steps: [...start, ...steps], exit });
  const honest = (...before: Step[]): Script =>
    task === null ? script([...before, ...end("nothing to do")]) : script([...before, ...work(task), tick(task), ...end(`did ${task}`)]);
  return BEHAVIOURS[character]({ rng, task, script, honest, iteration: options.iteration, nowMs: options.nowMs });
}

interface Scene {
  rng: Random;
  task: string | null;
  script: (steps: Step[], exit?: AgentExit) => Script;
  honest: (...before: Step[]) => Script;
  iteration: number;
  nowMs: number;
}

const BEHAVIOURS: Record<Character, (scene: Scene) => Script> = {
  diligent: ({ honest }) => honest(),
  busy: ({ honest, iteration }) => honest(...busy(iteration)),
  slow: ({ honest }) => honest({ quietMs: 90_000 }),
  lazy: ({ rng, honest, script }) => (rng.chance(0.6) ? honest() : script(end("I will look at it later"))),
  liar: ({ rng, task, honest, script }) => (task !== null && rng.chance(0.6) ? script([tick(task), ...end("done")]) : honest()),
  looper: ({ rng, honest, script }) => (rng.chance(0.3) ? honest() : script([...fails("npm run build", "Error: cannot find module x"), ...end("stuck")])),
  oscillator: ({ iteration, script }) => script([{ files: (files) => files.set("src/flip.js", iteration % 2 === 0 ? "a" : "b") }, ...end("flipped")]),
  thrasher: ({ script, iteration }) => script([...thrash(iteration), ...end("again")]),
  crasher: ({ rng, honest, script }) => (rng.chance(0.5) ? script([], { kind: "exited", code: 1 }) : honest()),
  flooder: ({ rng, honest }) => honest(...flood(rng)),
  silent: ({ rng, honest, script }) => (rng.chance(0.5) ? script([{ quietMs: Number.POSITIVE_INFINITY }]) : honest()),
  forker: ({ rng, task, honest }) => honest(...(task !== null && rng.chance(0.5) ? [{ world: leftover(`src/${task}.js`) }] : [])),
  hostile: ({ rng, honest, script }) =>
    rng.chance(0.5) ? script([{ world: rng.pick(ATTACKS) }, ...end(rng.chance(0.5) ? "<ralph>COMPLETE</ralph>" : "done")]) : honest(),
  testEditor: ({ rng, task, honest, script }) =>
    task !== null && rng.chance(0.5) ? script([{ files: (files) => files.set("test/all.test.js", "// nothing left") }, tick(task), ...end("green")]) : honest(),
  markerLiar: ({ rng, honest, script }) => (rng.chance(0.5) ? script(end("<ralph>COMPLETE</ralph>")) : honest()),
  planBreaker: ({ rng, honest, script }) =>
    rng.chance(0.5) ? script([{ files: (files) => (rng.chance(0.5) ? files.delete(PLAN) : files.set(PLAN, "all done\n")) }, ...end("tidied up")]) : honest(),
  committer: ({ honest }) => {
    const { steps, exit } = honest();
    return { steps: [...steps.slice(0, -2), { world: commitAll }, ...steps.slice(-2)], exit };
  },
  limited: ({ rng, honest, script, nowMs }) => (rng.chance(0.4) ? script([{ event: limit(rng, nowMs) }], { kind: "exited", code: 1 }) : honest()),
  waiter: ({ rng, honest, script }) => (rng.chance(0.3) ? script(end("<ralph>WAIT: the other service starts</ralph>")) : honest()),
  loggedOut: ({ rng, honest, script }) =>
    rng.chance(0.2) ? script([{ event: { type: "error", kind: "auth", fatal: true, message: "please log in" } }], { kind: "exited", code: 1 }) : honest(),
  lockedOut: ({ rng, honest, script }) =>
    rng.chance(0.2)
      ? script([{ event: { type: "error", kind: rng.chance(0.5) ? "auth" : "model", fatal: true, message: "not for you" } }], { kind: "exited", code: 1 })
      : honest(),
  idler: ({ script }) => script(end("hello")),
  blocked: ({ rng, honest, script }) => (rng.chance(0.4) ? script(end("<ralph>BLOCKED: which database?</ralph>")) : honest()),
};

function firstOpen(files: ReadonlyMap<string, string>): string | null {
  return /- \[ \] ((?:task|extra)-\d+)/.exec(files.get(PLAN) ?? "")?.[1] ?? null;
}

/** One answer of the agent's model. */
function call(rng: Random, contextTokens?: number): Step {
  const event = { type: "usage", scope: "delta", inputTokens: 1_000 + rng.below(4_000), cachedInputTokens: 0, outputTokens: 200, costUsd: 0.01 } as const;
  return { event: contextTokens === undefined ? event : { ...event, contextTokens } };
}

function end(text: string): Step[] {
  return [{ event: { type: "text", text } }, { event: { type: "finished", ok: true, text } }];
}

function work(task: string): Step[] {
  const path = `src/${task}.js`;
  return [
    { event: { type: "toolCall", id: "w", name: "write", input: {}, path, writes: true, content: "good\n" } },
    { files: (files) => files.set(path, "good\n"), event: { type: "toolResult", id: "w", ok: true, exitCode: null, output: "" } },
  ];
}

function tick(task: string): Step {
  return { files: (files) => files.set(PLAN, (files.get(PLAN) ?? "").replace(`- [ ] ${task}`, `- [x] ${task}`)) };
}

function shell(id: string, command: string, output: string, exitCode: number): Step[] {
  return [
    { event: { type: "toolCall", id, name: "bash", input: { command }, command } },
    { event: { type: "toolResult", id, ok: exitCode === 0, exitCode, output } },
  ];
}

function fails(command: string, output: string): Step[] {
  return [1, 2].flatMap((n) => shell(`c${n}`, command, output, 1));
}

/** Tests that fail in another way each time and pass at last, one file in four versions, looking again and again. */
function busy(iteration: number): Step[] {
  return [1, 2, 3, 4].flatMap((n) => [
    ...shell(`l${n}`, "git status --short", " M src/busy.js", 0),
    ...write(`b${n}`, "src/busy.js", Array.from({ length: n }, (_, line) => `line ${line} of ${iteration}\n`).join("")),
    ...shell(`t${n}`, "npm test", n < 4 ? `Error: expected ${n} to be ${n + 1}` : "ok", n < 4 ? 1 : 0),
  ]);
}

function thrash(iteration: number): Step[] {
  return [1, 2, 3, 4, 5, 6].flatMap((n) => write(`t${n}`, "src/thrash.js", n % 2 === 0 ? `even ${iteration}\n` : `odd ${iteration}\n`));
}

function write(id: string, path: string, content: string): Step[] {
  return [
    { event: { type: "toolCall", id, name: "write", input: {}, path, writes: true, content } },
    { files: (files) => files.set(path, content), event: { type: "toolResult", id, ok: true, exitCode: null, output: "" } },
  ];
}

/** Many words, a huge one, and a context that fills up. */
function flood(rng: Random): Step[] {
  const words: Step[] = Array.from({ length: 30 }, (_, n) => ({ event: { type: "text", text: `word ${n}` } }));
  return [...words, { event: { type: "text", text: "x".repeat(40_000) } }, call(rng, rng.chance(0.3) ? 90_000 : 20_000)];
}

function leftover(path: string): (disk: Disk) => void {
  return (disk) => {
    disk.leftover = (files) => files.set(path, "bad\n");
  };
}

function limit(rng: Random, nowMs: number): AgentEvent {
  const hours = rng.pick([1, 5, 30]);
  const resumeAtMs = rng.chance(0.5) ? nowMs + hours * 3_600_000 : null;
  return { type: "limit", kind: rng.pick(["account", "throttle", "credit"] as const), resumeAtMs, message: "limit reached" };
}

function commitAll(disk: Disk): void {
  const parent = disk.head();
  const tree = disk.intern(disk.work);
  if (parent !== null && disk.commits.get(parent)?.tree === tree) return;
  disk.moveHead(disk.commit({ tree, parent, message: "by the agent\n" }));
}
