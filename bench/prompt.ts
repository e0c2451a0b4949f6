/** What an iteration is sent before it has read anything, and how much of a ten-turn iteration comes from the prompt cache. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Anthropic from "@anthropic-ai/sdk";
import { readConfig } from "../src/agents/anthropic/config.js";
import { runLoop } from "../src/agents/anthropic/loop.js";
import { commandEnv } from "../src/agents/anthropic/tools/command-env.js";
import { outputLimiter } from "../src/agents/anthropic/tools/output.js";
import { TOOLSET } from "../src/agents/anthropic/tools/toolset.js";
import { readRecording, type RecordingInput } from "../src/agents/replay/recording.js";
import { startReplayServer } from "../src/agents/replay/server.js";
import { CHARACTERS_PER_TOKEN } from "../src/core/context-warning.js";
import { assemblePrompt, type Prompt, type PromptInput, type TemplateName } from "../src/core/prompt.js";
import { type Benchmark, type Figure, atLeast, atMost, plain } from "./figure.js";
import { countCache, type Counted } from "./prompt-cache.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const shipped = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const NAMES: readonly TemplateName[] = ["rules", "work", "wrap-up", "step-back"];
const INPUT: PromptInput = {
  templates: Object.fromEntries(NAMES.map((name) => [name, shipped(`prompts/${name}.md`)])) as Record<TemplateName, string>,
  mode: "work",
  plan: "PLAN.md",
  objective: null,
  marker: "COMPLETE",
  iteration: 1,
  task: { id: "a", text: "`GET /health` returns 200", gates: ["health"], edits: [] },
  left: ["17 of 20 iterations", "600 minutes"],
  feedback: [],
  signs: [],
  progress: "",
  noteFile: true,
};

export const prompt: Benchmark = {
  name: "prompt",
  method:
    `Tokens are characters divided by ${CHARACTERS_PER_TOKEN}, an estimate. The fixed prompt is all that ralphd writes itself, for one short task and the note file. ` +
    "Two iterations of ten answers each by the built-in agent against the replay model (reads of 6 KB, test output, edits; 4 KB of notes, to which each adds two lines); what the cache would serve is counted " +
    "from the breakpoints of the requests: 20 blocks of lookback, nothing below 1,024 tokens, nothing expires.",
  async run() {
    const modes = (["work", "wrapUp", "stepBack"] as const).map((mode) => assemblePrompt({ ...INPUT, mode }).text.length);
    const [first, second] = await twoIterations();
    return [
      atMost("fixed prompt, the longest mode", tokens(Math.max(...modes)), "tokens", 2_000),
      plain("system prompt of the built-in agent", tokens(shipped("prompts/agent-system.md").length), "tokens"),
      plain("its tools", tokens(JSON.stringify(TOOLSET.map(({ definition }) => definition)).length), "tokens"),
      plain(
        "input of the second iteration",
        sum(second, ({ read, written, fresh }) => read + written + fresh),
        "tokens",
      ),
      plain("from cache, first iteration", share(first), "%"),
      atLeast("from cache, second iteration", share(second), "%", 90),
    ] satisfies Figure[];
  },
};

async function twoIterations(): Promise<[Counted[], Counted[]]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-bench-")));
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "export const value = compute(input);\n".repeat(160));
  const recording: RecordingInput = { version: 1, model: "claude-opus-5-5", iterations: [{ turns: [...TURNS, ...TURNS] }] };
  const read = readRecording(JSON.stringify(recording));
  if (read.kind === "unreadable") throw new Error(read.message);
  const server = await startReplayServer(read.recording, { iteration: 1 });
  for (const iteration of [1, 2]) await iterate(root, server.url, assemblePrompt({ ...INPUT, noteFile: false, iteration, progress: notesAt(iteration) }));
  await server.close();
  rmSync(root, { recursive: true });
  const counted = countCache(server.requests.filter(({ kind }) => kind === "turn").map(({ body }) => body));
  if (counted.length !== 2 * TURNS.length) throw new Error(`${counted.length} requests instead of ${2 * TURNS.length}`);
  return [counted.slice(0, TURNS.length), counted.slice(TURNS.length)];
}

async function iterate(root: string, baseURL: string, { text, breaks }: Prompt): Promise<void> {
  const read = readConfig(JSON.stringify({ promptBreaks: breaks }));
  if (read.kind === "invalid") throw new Error(read.message);
  const { signal } = new AbortController();
  const ok = await runLoop(text, {
    client: new Anthropic({ apiKey: "bench", baseURL, maxRetries: 0 }),
    config: read.config,
    systemPrompt: shipped("prompts/agent-system.md"),
    tools: TOOLSET,
    context: { root, env: commandEnv(process.env), output: outputLimiter(root, "spill"), signal, killGraceMs: 300, searchMs: 5_000 },
    signal,
    emit: () => undefined,
    log: () => undefined,
    sleep: async () => undefined,
    random: () => 0,
    nowMs: Date.now,
  });
  if (!ok) throw new Error("the iteration did not end well");
}

/** 4 KB and what each iteration adds at the end. */
function notesAt(iteration: number): string {
  return Array.from({ length: 98 + 2 * iteration }, (_, line) => `- iteration ${line}: did this, decided that\n`).join("");
}

type Turns = RecordingInput["iterations"][number]["turns"];
const edit = (from: string, to: string): Turns[number] => ({
  thinking: "Now the change.",
  calls: [{ bash: { command: `sed -i 's/${from}/${to}/' src/a.ts` } }],
});
const test: Turns[number] = { text: "Running the tests.", calls: [{ bash: { command: "seq 1 400 | sed 's/^/ok /'" } }] };

/** A task as agents do it: look, change, test, correct, test, write down. */
const TURNS: Turns = [
  { thinking: "First the plan and the code.", text: "I look around.", calls: [{ bash: { command: "ls -R" } }, { read: { path: "src/a.ts" } }] },
  { calls: [{ tool: { name: "grep", input: { pattern: "value = compute", limit: 20 } } }] },
  edit("compute", "derive"),
  test,
  edit("derive", "settle"),
  test,
  { calls: [{ bash: { command: "git diff --stat || true" } }] },
  { calls: [{ bash: { command: "echo '- [x] done' > PLAN.md" } }] },
  { calls: [{ bash: { command: "echo 'did it' >> notes.md" } }] },
  { text: "The task is done; the tests pass." },
];

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function sum(counted: readonly Counted[], of: (one: Counted) => number): number {
  return counted.reduce((total, one) => total + of(one), 0);
}

function share(counted: readonly Counted[]): number {
  return (100 * sum(counted, ({ read }) => read)) / sum(counted, ({ read, written, fresh }) => read + written + fresh);
}
