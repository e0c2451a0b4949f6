/** The start of a run: its first facts, and what the gates say before any agent worked. */
import type { Plan } from "../core/plan/types.js";
import { JOURNAL_VERSION, type JournalBody, type TaskIdentity } from "../core/journal-event.js";
import type { Settings } from "../core/settings.js";
import { agentLabel } from "../core/agent-list.js";
import { commitMessage } from "../core/commit-message.js";
import { isDeterministic } from "../core/gate.js";
import type { Driver } from "./driver.js";
import { runGates, settleSideEffects } from "./gate-runs.js";

export interface Beginning {
  plan: Plan | null;
  settings: Settings;
  branch: string | null;
  /** The branch that was left for it. */
  from?: string | null;
  baseHead: string | null;
  baseTree: string;
  workTree: string;
  sandbox: boolean;
  /** null where the network is open. */
  reachable?: string[] | null;
  untouched: string[];
}

export function runStarted(beginning: Beginning): Extract<JournalBody, { type: "run.started" }> {
  const { settings, plan, branch, from = null, baseHead, baseTree, workTree, sandbox, reachable = null, untouched } = beginning;
  return {
    type: "run.started",
    journalVersion: JOURNAL_VERSION,
    plan: settings.plan,
    objective: settings.objective ?? plan?.objective ?? null,
    agent: agentLabel(settings.agent),
    branch,
    ...(from === null ? {} : { from }),
    baseHead,
    baseTree,
    workTree,
    tasks: plan === null ? [] : plan.tasks.map(identity),
    requiredGates: settings.gates.filter((gate) => gate.required).map((gate) => gate.name),
    level: settings.level,
    sandbox,
    ...(reachable === null ? {} : { reachable }),
    untouched,
    fallback: settings.fallback.map(agentLabel),
  };
}

function identity(task: Plan["tasks"][number]): TaskIdentity {
  return { id: task.id, text: task.text, gates: task.gates, edits: task.edits };
}

export async function beforeFirst(driver: Driver): Promise<void> {
  await runBaseline(driver, await commitOwnFiles(driver));
}

/** The plan and the loop's own files, when they are not committed yet, become the run branch's first commit. Returns the tree that is there then. */
async function commitOwnFiles(driver: Driver): Promise<string> {
  const { repo } = driver.world;
  const exclude = driver.state.untouched;
  const look = await repo.look();
  if (look.head !== driver.state.lastCommit && driver.state.commits === 0) {
    // A start that died after its commit and before its record.
    const found = await repo.findIterationCommit(driver.state.run, 0);
    if (found !== null) driver.record({ type: "commit.created", ...found, parent: driver.state.lastCommit, files: 0 });
  }
  if (look.dirty.every((path) => exclude.includes(path)) && look.head !== null) return driver.state.lastTree;
  const candidate = await repo.capture({ against: driver.state.lastTree, exclude });
  if (candidate.changes.length === 0 && look.head !== null) return driver.state.lastTree;
  const message = commitMessage({
    run: driver.state.run,
    iteration: 0,
    subject: "Start the run: plan and loop files",
    body: [],
    results: [],
    costMicroUsd: 0,
    agent: null,
  });
  const outcome = await repo.commit({ tree: candidate.tree, parent: look.head, message, verify: true });
  if (outcome.kind === "committed") {
    driver.record({ type: "commit.created", commit: outcome.commit, tree: outcome.tree, parent: look.head, files: candidate.changes.length });
  } else if (outcome.kind !== "unchanged") {
    driver.record({ type: "warning", message: `The plan could not be committed at the start (${outcome.kind}); it goes into the first iteration's commit.` });
  }
  return candidate.tree;
}

/** What was broken already is named before the first iteration and never blamed on it. */
async function runBaseline(driver: Driver, tree: string): Promise<void> {
  const { gates } = driver.settings;
  // A model is not asked about a run that has not done anything yet.
  const open = gates.filter((gate) => isDeterministic(gate) && driver.state.baseline[gate.name] === undefined);
  if (open.length === 0) return;
  const request = { tree, moment: "baseline" as const, task: null, cwd: driver.world.repo.root };
  await runGates(driver, open, request);
  await settleSideEffects(driver, tree);
}
