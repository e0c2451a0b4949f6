/** `ralphd prompt`: what the next iteration would be sent, and how large each part is. Reads only. */
import { CHARACTERS_PER_TOKEN } from "../core/context-warning.js";
import { type Decision, decide } from "../core/decide.js";
import { foldAll } from "../core/fold.js";
import { canContinue, type RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import { EXIT_CODES } from "../core/words.js";
import { runStarted } from "../driver/begin.js";
import { readPlan } from "../driver/plan-view.js";
import { promptFor } from "../driver/prepare.js";
import { readJournal } from "../journal/read.js";
import { createRedactor } from "../journal/redact.js";
import { latestRun } from "../journal/run-store.js";
import { count } from "../report/format.js";
import { readSettings } from "../run/preflight.js";
import type { Frozen } from "../run/run-record.js";
import { readTemplates } from "../run/templates.js";
import { treeFiles } from "../workspace/tree-files.js";
import { frozenRecord } from "./frozen-settings.js";
import type { ReadingOptions } from "./why.js";

type Basis = Pick<Frozen, "settings" | "templates"> & { state: RunState };

export async function runPrompt(options: ReadingOptions): Promise<number> {
  const { root, json, env, out, err } = options;
  const basis = unfinished(options.truthDir) ?? (await nextRun(root, env));
  if (basis === null) {
    err("ralphd: there is nothing to make a prompt from.");
    return EXIT_CODES.failed;
  }
  const { settings, state, templates } = basis;
  const reader = { settings, state, world: { files: treeFiles(root) }, options: { templates } };
  const plan = readPlan(reader);
  const decision = decide({ state, settings, plan: plan.view, head: state.lastCommit, nowMs: Date.now(), finishing: false });
  const next = plan.view.kind === "tasks" ? (plan.view.next?.id ?? null) : null;
  const { mode, task } = decision.kind === "run" ? decision : { mode: "work" as const, task: next };
  const iteration = state.iteration + 1;
  const prompt = promptFor(reader, iteration, { plan, mode, task });
  const text = createRedactor(env)(prompt.text);
  const note = noteOf(decision, state);
  if (json) {
    const parts = Object.fromEntries(Object.entries(prompt.sizes).map(([name, size]) => [name, { characters: size, estimatedTokens: estimate(size) }]));
    out(JSON.stringify({ iteration, mode, task, note, parts, text }));
    return 0;
  }
  out(text.trimEnd());
  err(`iteration ${iteration} (${mode}): ~${count(estimate(text.length))} tokens in all, estimated by length`);
  for (const [name, size] of Object.entries(prompt.sizes)) err(`  ${name.padEnd(9)}  ~${count(estimate(size))} tokens, ${count(size)} characters`);
  if (note !== null) err(`note: ${note}`);
  return 0;
}

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** A run that the same command would continue, as it stands. */
function unfinished(truthDir: string): Basis | null {
  const store = latestRun(truthDir);
  const frozen = frozenRecord(truthDir);
  if (store === null || frozen === null) return null;
  const { events, problem } = readJournal(store.journalPath, store.run);
  const state = problem === null ? foldAll(events) : null;
  // As `run` finds it: a request to stop was about the process that has ended.
  return state === null || !canContinue(state) ? null : { ...frozen, state: { ...state, stopped: null, stopRequested: null } };
}

/** The first iteration of a run that would begin now. */
async function nextRun(root: string, env: NodeJS.ProcessEnv): Promise<Basis | null> {
  const { settings: written, plan } = await readSettings({ cwd: root, argument: null, flags: {}, env, stdin: null }, root);
  const settings = await withAgent(written, root, env);
  const started = runStarted({ plan, settings, branch: null, baseHead: null, baseTree: "", workTree: "", sandbox: false, untouched: [] });
  const state = foldAll([{ ...started, at: new Date().toISOString(), run: "next", iteration: 0 }]);
  return state === null ? null : { settings, templates: readTemplates(root), state };
}

/** The prompt tells an agent only what no other way tells it, so that it depends on which one `auto` finds. */
async function withAgent(settings: Settings, root: string, env: NodeJS.ProcessEnv): Promise<Settings> {
  if (settings.agent.kind !== "auto") return settings;
  const { createAgent } = await import("../agents/registry.js");
  const made = await createAgent(settings, { cwd: root, env, confirmed: false });
  return "error" in made ? settings : { ...settings, agent: { ...settings.agent, kind: made.agent.kind } };
}

function noteOf(decision: Decision, { open }: RunState): string | null {
  if (open !== null) return `iteration ${open.number} is at work; what it does changes this prompt.`;
  switch (decision.kind) {
    case "run":
      return null;
    case "stop":
      return `the loop would not start an iteration but stop (${decision.reason}): ${decision.summary}`;
    case "rest":
      return decision.to === null ? `every agent rests: ${decision.why}` : `${decision.agent} rests, and ${decision.to} goes on: ${decision.why}`;
    case "switch":
      return `the loop would go on with ${decision.to}: ${decision.why}`;
    case "wait":
      return `the loop waits until ${new Date(decision.untilMs).toISOString()}: ${decision.why}`;
    case "park":
      return `the loop would first park ${decision.task}: ${decision.question}`;
    case "prove":
      return "the loop would first check whether everything is done.";
  }
}
