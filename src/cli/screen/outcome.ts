/** How a run ended, in words for a person: the verdict first, then why, what there is, and what to do next. */
import type { RunState } from "../../core/run-state.js";
import { countedTokens } from "../../core/usage.js";
import { EXIT_CODES, type FinalStatus } from "../../core/words.js";
import { ADVICE, nextSteps } from "../../report/advice.js";
import { count, duration, money, plural } from "../../report/format.js";
import { oneLine } from "../../report/markdown-text.js";
import { tasksText } from "../wording.js";
import type { BreakLine } from "./break-line.js";

/** The rest of the evidence is in the report. */
const MAX_EVIDENCE = 8;

export interface OutcomePlace {
  /** Working tree of the run. */
  root: string;
  reportPath: string;
  cwd: string;
  /** For running text. Commands are never broken, so that they can be copied. */
  breakLine: BreakLine;
}

export function outcomeLines(state: RunState, place: OutcomePlace): string[] {
  const { stopped, started } = state;
  const { breakLine } = place;
  if (stopped === null) return ["The run has no final status; `ralphd run` continues it."];
  const evidence = stopped.evidence.slice(0, MAX_EVIDENCE).map((line) => `  ${oneLine(line)}`);
  const more = stopped.evidence.length - evidence.length;
  const proof = stopped.status !== "done" ? "" : stopped.verified ? ", verified" : ", unverified";
  const verdict = `${VERDICTS[stopped.status](stopped.verified)} ${reasonText(state)}`;
  const details = [...evidence, ...(more > 0 ? [`  and ${more} more in the report`] : []), `  ${work(state)}`];
  const steps = nextSteps(state, started.branch);
  return [
    "",
    ...breakLine(verdict, 0),
    ...details.flatMap((line) => breakLine(line, 4)),
    ...(steps.length === 0 ? [] : ["Next:"]),
    ...steps.map((step) => `  ${step}`),
    ...(place.root === place.cwd ? [] : [`  (in ${place.root})`]),
    `Report: ${place.reportPath}`,
    `${stopped.status} (${stopped.reason}${proof}); exit code ${EXIT_CODES[stopped.status]}`,
  ];
}

const VERDICTS: Readonly<Record<FinalStatus, (verified: boolean) => string>> = {
  done: (verified) => (verified ? "Done and verified." : "Done, but NOT verified."),
  capped: () => "Not done: a limit is reached.",
  escalated: () => "Not done: it needs you.",
  stopped: () => "Stopped, not done.",
  failed: () => "Failed.",
};

/** The meaning in general is only worth a line where the summary does not carry it. */
function reasonText({ stopped }: RunState): string {
  if (stopped === null) return "";
  const summary = oneLine(stopped.summary);
  return stopped.status === "done" || stopped.status === "stopped" ? summary : `${ADVICE[stopped.reason].meaning} ${summary}`;
}

function work(state: RunState): string {
  const tokens = countedTokens(state.usage);
  const where = state.started.branch === null ? "" : ` on ${state.started.branch}`;
  return [
    plural(state.iteration, "iteration"),
    tasksText(state),
    `${plural(state.commits, "commit")}${where}`,
    tokens === null ? "tokens unknown" : `${state.unknownTokens > 0 ? "at least " : ""}${count(tokens)} tokens`,
    state.usage.costMicroUsd === null ? "cost unknown" : `cost ${state.unknownCost > 0 ? "at least " : ""}${money(state.usage.costMicroUsd)}`,
    `${duration(state.activeMs)} of work`,
  ].join(", ");
}
