/** What a person has to know before a run's branch is taken in: what was proved, and what is still open. */
import type { RunState } from "../core/run-state.js";
import { shortCommit } from "../report/format.js";
import { oneLine } from "../report/markdown-text.js";

export function evidenceLines(state: RunState): string[] {
  const { stopped, proof } = state;
  const lines = [
    `run ${state.run}: ${stopped === null ? "not finished" : `${stopped.status} (${stopped.reason}), ${stopped.verified ? "verified" : "NOT verified"}`}`,
  ];
  if (stopped?.verified === true && proof !== null)
    lines.push(`proved on ${shortCommit(proof.commit)}${proof.clean ? ", in a clean worktree of it" : ""}: ${proof.gates.join(", ")}`);
  for (const result of Object.values(state.gates))
    lines.push(`  gate ${result.name}: ${result.verdict} (${oneLine(result.reason)})${result.flaky ? ", flaky" : ""}`);
  lines.push(`protection: ${state.started.sandbox ? "frozen paths were read-only in the kernel" : "frozen paths were compared and put back"}`);
  if (state.restored.length > 0) lines.push(`put back: ${[...new Set(state.restored.map((item) => item.path))].join(", ")}`);
  return lines;
}

export function openLines(state: RunState): string[] {
  const lines: string[] = [];
  for (const [id, question] of Object.entries(state.parked)) lines.push(`open question (${textOf(state, id)}): ${oneLine(question)}`);
  const unproved = state.tasks.filter((task) => state.proved[task.id] === undefined && state.parked[task.id] === undefined);
  if (unproved.length > 0) lines.push(`without proof: ${unproved.map((task) => task.text).join("; ")}`);
  if (state.excluded.length > 0) lines.push(`not committed: ${state.excluded.map((item) => `${item.path} (${item.reason})`).join(", ")}`);
  for (const { ref, why } of state.saved) lines.push(`kept aside: ${ref} (${why})`);
  for (const sign of state.signs) lines.push(`drafted lesson to review: ${sign.path}`);
  return lines;
}

function textOf(state: RunState, id: string): string {
  return state.tasks.find((task) => task.id === id)?.text ?? id;
}
