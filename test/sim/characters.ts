/** Agents of many characters. What one does depends on seed, iteration and files alone, so that a restart can repeat it. */
import type { AgentEvent, AgentExit } from "../../src/core/agent-event.js";
import { random, type Random } from "./random.js";

export const CHARACTERS = [
  "diligent",
  "lazy",
  "liar",
  "looper",
  "oscillator",
  "thrasher",
  "crasher",
  "silent",
  "testEditor",
  "markerLiar",
  "planBreaker",
  "committer",
  "limited",
  "idler",
  "blocked",
] as const;
/** `lockedOut` plays only where somebody can stand in for it. */
export type Character = (typeof CHARACTERS)[number] | "lockedOut";

export interface Step {
  event?: AgentEvent;
  files?: (work: Map<string, string>) => void;
  /** The agent commits by itself. */
  commit?: boolean;
  /** Nothing more ever comes. */
  hang?: boolean;
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
  const usage: Step = { event: { type: "usage", scope: "delta", inputTokens: 1_000 + rng.below(4_000), cachedInputTokens: 0, outputTokens: 200, costUsd: 0.01 } };
  const start: Step[] = [{ event: { type: "started" } }, usage];
  const end = (text: string): Step[] => [{ event: { type: "text", text } }, { event: { type: "finished", ok: true, text } }];
  const script = (steps: Step[], exit: AgentExit = OK): Script => ({ steps: [...start, ...steps], exit });
  const honest = (): Script => (task === null ? script(end("nothing to do")) : script([...work(task), tick(task), ...end(`did ${task}`)]));
  return BEHAVIOURS[character]({ rng, task, script, end, honest, iteration: options.iteration, nowMs: options.nowMs });
}

interface Scene {
  rng: Random;
  task: string | null;
  script: (steps: Step[], exit?: AgentExit) => Script;
  end: (text: string) => Step[];
  honest: () => Script;
  iteration: number;
  nowMs: number;
}

const BEHAVIOURS: Record<Character, (scene: Scene) => Script> = {
  diligent: ({ honest }) => honest(),
  lazy: ({ rng, honest, script, end }) => (rng.chance(0.6) ? honest() : script(end("I will look at it later"))),
  liar: ({ rng, task, honest, script, end }) => (task !== null && rng.chance(0.6) ? script([tick(task), ...end("done")]) : honest()),
  looper: ({ rng, honest, script, end }) => (rng.chance(0.3) ? honest() : script([...fails("npm run build", "Error: cannot find module x"), ...end("stuck")])),
  oscillator: ({ iteration, script, end }) => script([{ files: (files) => files.set("src/flip.js", iteration % 2 === 0 ? "a" : "b") }, ...end("flipped")]),
  thrasher: ({ script, end, iteration }) => script([...thrash(iteration), ...end("again")]),
  crasher: ({ rng, honest, script }) => (rng.chance(0.5) ? script([], { kind: "exited", code: 1 }) : honest()),
  silent: ({ rng, honest, script }) => (rng.chance(0.5) ? script([{ hang: true }]) : honest()),
  testEditor: ({ rng, task, honest, script, end }) =>
    task !== null && rng.chance(0.5) ? script([{ files: (files) => files.set("test/all.test.js", "// nothing left") }, tick(task), ...end("green")]) : honest(),
  markerLiar: ({ rng, honest, script, end }) => (rng.chance(0.5) ? script(end("<ralph>COMPLETE</ralph>")) : honest()),
  planBreaker: ({ rng, honest, script, end }) =>
    rng.chance(0.5) ? script([{ files: (files) => (rng.chance(0.5) ? files.delete(PLAN) : files.set(PLAN, "all done\n")) }, ...end("tidied up")]) : honest(),
  committer: ({ honest }) => {
    const { steps, exit } = honest();
    return { steps: [...steps.slice(0, -2), { commit: true }, ...steps.slice(-2)], exit };
  },
  limited: ({ rng, honest, script, nowMs }) =>
    rng.chance(0.4)
      ? script([{ event: { type: "limit", kind: rng.pick(["account", "throttle", "credit"] as const), resumeAtMs: rng.chance(0.5) ? nowMs + 3_600_000 : null, message: "limit reached" } }], { kind: "exited", code: 1 })
      : honest(),
  lockedOut: ({ rng, honest, script }) =>
    rng.chance(0.2) ? script([{ event: { type: "error", kind: rng.chance(0.5) ? "auth" : "model", fatal: true, message: "not for you" } }], { kind: "exited", code: 1 }) : honest(),
  idler: ({ script, end }) => script(end("hello")),
  blocked: ({ rng, honest, script, end }) => (rng.chance(0.4) ? script(end("<ralph>BLOCKED: which database?</ralph>")) : honest()),
};

function firstOpen(work: ReadonlyMap<string, string>): string | null {
  return /- \[ \] (task-\d+)/.exec(work.get(PLAN) ?? "")?.[1] ?? null;
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

function fails(command: string, output: string): Step[] {
  return [1, 2].flatMap((n): Step[] => [
    { event: { type: "toolCall", id: `c${n}`, name: "bash", input: { command }, command } },
    { event: { type: "toolResult", id: `c${n}`, ok: false, exitCode: 1, output } },
  ]);
}

function thrash(iteration: number): Step[] {
  return [1, 2, 3, 4, 5, 6].flatMap((n): Step[] => {
    const content = n % 2 === 0 ? `even ${iteration}\n` : `odd ${iteration}\n`;
    return [
      { event: { type: "toolCall", id: `t${n}`, name: "write", input: {}, path: "src/thrash.js", writes: true, content } },
      { files: (files) => files.set("src/thrash.js", content), event: { type: "toolResult", id: `t${n}`, ok: true, exitCode: null, output: "" } },
    ];
  });
}
