/** What each stop reason means and what a person does about it; one table for report, status line and errors. */
import type { RunState } from "../core/run-state.js";
import type { StopReason } from "../core/words.js";
import { shortCommit } from "./format.js";

export interface Advice {
  /** One sentence for somebody who knows the tool but not this run. */
  meaning: string;
  /** Steps in order; commands in backticks. */
  steps: readonly string[];
}

const RAISE = "Raise the limit and run again: `ralphd run` begins a new run on the same plan, which goes on with the open tasks.";

export const ADVICE: Readonly<Record<StopReason, Advice>> = {
  all_tasks_checked: { meaning: "No open task is left.", steps: [] },
  marker: { meaning: "The agent asked for the end of the run, and nothing refused it.", steps: [] },
  iterations: {
    meaning: "The number of iterations is used up.",
    steps: ["See which tasks are open below, and whether the last iterations still made progress.", `${RAISE} (\`--max-iterations\`)`],
  },
  tokens: {
    meaning: "The token budget is used up.",
    steps: ["See below which iterations were expensive; smaller tasks need less context.", `${RAISE} (\`--max-tokens\`)`],
  },
  cost: {
    meaning: "The money budget is used up.",
    steps: ["See below which iterations were expensive; smaller tasks need less context.", `${RAISE} (\`--max-cost\`)`],
  },
  time: {
    meaning: "The time for the run, or for waiting on an account limit, is used up.",
    steps: ["See `ralphd logs` for waits and slow iterations.", `${RAISE} (\`--max-time\`)`],
  },
  gutter_command: {
    meaning: "The same command kept failing in the same way.",
    steps: ["Run the command of the evidence yourself and remove the cause.", "Review the drafted sign: `ralphd guardrails review`.", "Then `ralphd run`."],
  },
  gutter_thrash: {
    meaning: "The same lines of one file were written again and again.",
    steps: [
      "Read the file of the evidence: the task probably asks for two things that exclude each other.",
      "Make the task smaller or clearer in the plan, then `ralphd run`.",
    ],
  },
  gutter_signal: {
    meaning: "The agent asked for a person.",
    steps: ["Read its last message with `ralphd logs` and answer it in the plan.", "Then `ralphd run`."],
  },
  no_progress: {
    meaning: "Iterations ended without a new tree, a proved task or a better gate.",
    steps: [
      "Read the last prompt with `ralphd prompt` and the last stream: what was missing?",
      "Split the task or add what is missing to the plan, then `ralphd run`.",
    ],
  },
  oscillation: {
    meaning: "The work went back and forth between states it had before.",
    steps: ["Compare the last commits: they undo each other.", "Decide which of the two is right and say so in the plan, then `ralphd run`."],
  },
  disagreement: {
    meaning: "The agent kept claiming the end while gates refused it.",
    steps: ["Run the refusing gate yourself: `ralphd gates run`.", "Decide whether the work or the gate is wrong; correct one of them, then `ralphd run`."],
  },
  tampering: {
    meaning: "What must not change was changed more than once.",
    steps: [
      "Look at what was restored below, and at the kept copies.",
      "If the change was wanted, declare it on the task (`<!-- edits: glob -->`); else say in the plan why it is wrong.",
      "Then `ralphd run`.",
    ],
  },
  needs_human: { meaning: "Only tasks for a person, or parked ones, remain.", steps: ["Do the manual tasks and tick them, then `ralphd run`."] },
  low_confidence: {
    meaning: "A judge could not decide with enough confidence.",
    steps: ["Read the judged gates below and decide yourself.", "Then accept the branch, or correct the rubric and `ralphd run`."],
  },
  plan_lost: { meaning: "The plan is gone or can not be read.", steps: ["Restore it: `git log -- PLAN.md` shows its versions.", "Then `ralphd run`."] },
  unverified: {
    meaning: "Everything is claimed done, but no gate exists that could have refused it.",
    steps: ["Name a gate that can fail, in the plan's front matter or with `--gate CMD`.", "Then `ralphd run`: it checks what is there."],
  },
  hidden_gate: {
    meaning: "A gate that the agent can not see refused the result.",
    steps: [
      "Read the gate's output below. Do not paste it into the plan: the gate is only worth something unseen.",
      "Correct the work, or describe the wanted behaviour in a task, then `ralphd run`.",
    ],
  },
  human: { meaning: "A person stopped the run.", steps: ["`ralphd run` continues it with the same settings."] },
  cannot_start_agent: {
    meaning: "The agent could not be started, or ended at once every time.",
    steps: ["Look with `ralphd agents` whether it is installed and logged in, and start it by hand once.", "Then `ralphd run`."],
  },
  auth: {
    meaning: "The agent is no longer logged in.",
    steps: ["Log in with the agent's own command, or set its API key.", "Check with `ralphd agents`, then `ralphd run`."],
  },
  config: {
    meaning: "The run's settings can not be used.",
    steps: ["See the message below, and `ralphd config` for where each value comes from.", "Then `ralphd run`."],
  },
  disk: {
    meaning: "The disk refused a write.",
    steps: ["Free space or make it writable; `df -h` and `mount` show which.", "Then `ralphd run`: it continues this run, nothing that was journaled is lost."],
  },
  internal: {
    meaning: "ralphd itself failed. This is a bug.",
    steps: ["Keep the run folder: its journal shows what happened.", "`ralphd run` begins a new run on the same plan."],
  },
};

/** What a person does next, most useful first; commands are complete. */
export function nextSteps(state: RunState, branch: string | null): string[] {
  const { stopped } = state;
  if (stopped === null) return ["`ralphd status` shows where it stands, `ralphd logs -f` follows it, `ralphd stop` ends it after this iteration."];
  const steps = [...ADVICE[stopped.reason].steps];
  if (Object.keys(state.parked).length > 0) steps.unshift("Answer the questions of the parked tasks in the plan.");
  const review = reviewSteps(state, branch);
  return stopped.status === "done" ? [...review, ...steps] : [...steps, ...review];
}

function reviewSteps(state: RunState, branch: string | null): string[] {
  const base = state.started.baseHead;
  if (state.commits === 0 && state.stopped?.status !== "done") return [];
  const range = base === null ? (branch ?? "HEAD") : `${shortCommit(base)}..${branch ?? "HEAD"}`;
  const look = `Look at the work: \`git log --stat ${range}\`.`;
  if (branch === null || state.started.level === 3) return [look];
  const merge = `Take it: \`ralphd accept\`, or by hand \`git merge --no-ff ${branch}\` on your branch.`;
  const unproved = state.stopped?.verified === true ? [] : ["Nothing proves the branch as a whole: read it before you merge it."];
  return [look, ...unproved, merge];
}
