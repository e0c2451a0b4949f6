/** Commit messages of the driver, and the trailers by which a restart recognises its own commits. */
import type { GateResult } from "./gate.js";
import { microToUsd } from "./usage.js";

const TRAILERS = {
  run: "Ralphd-Run",
  iteration: "Ralphd-Iteration",
  gates: "Ralphd-Gates",
  cost: "Ralphd-Cost",
  agent: "Ralphd-Agent",
} as const;

/** Git's own advice for subject lines. */
const MAX_SUBJECT = 72;

export interface CommitFacts {
  run: string;
  iteration: number;
  /** What the iteration was about, in one line. */
  subject: string;
  body: string[];
  results: readonly GateResult[];
  costMicroUsd: number | null;
  /** Who made it; null for commits that no agent had a part in. */
  agent: string | null;
}

export function commitMessage(facts: CommitFacts): string {
  const subject = oneLine(facts.subject);
  const cut = subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT - 1)}…` : subject;
  const cost = microToUsd(facts.costMicroUsd);
  const trailers = [
    `${TRAILERS.run}: ${facts.run}`,
    `${TRAILERS.iteration}: ${facts.iteration}`,
    `${TRAILERS.gates}: ${gatesWord(facts.results)}`,
    `${TRAILERS.cost}: ${cost === null ? "unknown" : `$${cost.toFixed(4)}`}`,
    ...(facts.agent === null ? [] : [`${TRAILERS.agent}: ${oneLine(facts.agent)}`]),
  ];
  const body = facts.body.map(oneLine).filter((line) => line !== "");
  return `${cut}\n\n${body.length > 0 ? `${body.join("\n")}\n\n` : ""}${trailers.join("\n")}\n`;
}

function gatesWord(results: readonly GateResult[]): "pass" | "fail" | "none" {
  if (results.length === 0) return "none";
  return results.some((result) => result.required && result.verdict === "fail") ? "fail" : "pass";
}

/** Control characters and line breaks of task texts have no place in a commit. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
}
