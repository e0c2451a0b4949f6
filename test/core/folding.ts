/** States folded from steps of a journal, for the tables of what each fact changes. */
import { foldAll } from "../../src/core/fold.js";
import type { JournalBody } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import { agentEnded, iterationEnded, iterationStarted, started, timeline } from "../journal/events.js";

export type Step = readonly [iteration: number, ...bodies: JournalBody[]];
export const HIT = { reason: "gutter_command" as const, summary: "s", signature: "x", lastActions: [], advice: "a" };

export function stateOf(...steps: Step[]): RunState {
  const state = foldAll(timeline([[0, started()], ...steps]));
  if (state === null) throw new Error("no state");
  return state;
}
/** After these facts of an iteration that goes on. */
export const during = (...bodies: JournalBody[]): RunState => stateOf([1, iterationStarted({ task: "t" }), ...bodies]);
export const openOf = (state: RunState): NonNullable<RunState["open"]> => {
  if (state.open === null) throw new Error("no iteration is open");
  return state.open;
};
export const whole = (iteration: number, fields: Parameters<typeof iterationEnded>[0] = {}, ...facts: JournalBody[]): Step => [
  iteration,
  iterationStarted({ task: "t" }),
  agentEnded(),
  ...facts,
  iterationEnded(fields),
];
export const frozen = (path = "gate.sh", iteration?: string): JournalBody => ({
  type: "path.restored",
  path,
  rule: "frozen",
  why: iteration ?? "frozen",
  keptAs: "kept",
});
