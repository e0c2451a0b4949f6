/** The morning report: the verdict first, then what to do, then the evidence. Pure. */
import type { RunState } from "../core/run-state.js";
import { countedTokens } from "../core/usage.js";
import { ADVICE, nextSteps } from "./advice.js";
import type { Isolation, ReportContext } from "./context.js";
import { count, duration, moment, money, plural, shortCommit } from "./format.js";
import { bullets, code, plain, quote } from "./markdown-text.js";
import { gateSection, iterationSection, taskSection } from "./evidence-sections.js";
import { changeSections, questionSection } from "./change-sections.js";

export function renderReport(state: RunState, context: ReportContext): string {
  const parts = [
    `# Run ${state.run}: ${headline(state)}`,
    verdict(state),
    facts(state, context),
    section("What to do now", bullets(nextSteps(state, context.branch))),
    section("Questions", questionSection(state, context)),
    section("Why it stopped", stopEvidence(state)),
    section("The agent's last words (a claim, not a finding)", context.finalText ? quote(context.finalText) : ""),
    section("Tasks", taskSection(state, context)),
    section("Gates", gateSection(state)),
    section("Iterations", iterationSection(state)),
    ...changeSections(state).map(({ title, body }) => section(title, body)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, body: string): string {
  return body === "" ? "" : `## ${title}\n\n${body}`;
}

function headline({ stopped, waiting, paused }: RunState): string {
  if (stopped === null) return paused ? "paused" : waiting === null ? "not finished" : "waiting";
  if (stopped.status !== "done") return stopped.status;
  return stopped.verified ? "done, verified" : "done, NOT verified";
}

/** Status and reason as words of the journal, and what they mean as a sentence. */
function verdict(state: RunState): string {
  const { stopped, proof } = state;
  if (stopped === null) return `**No final status yet.** ${state.waiting === null ? "" : `Waiting until ${moment(new Date(state.waiting.untilMs).toISOString())}: ${plain(state.waiting.why)}`}`.trim();
  const words = [`**${stopped.status}** (${code(stopped.reason)}).`, ADVICE[stopped.reason].meaning];
  if (stopped.verified) {
    const where = proof?.clean === true ? ", in a clean worktree of it" : "";
    const commit = proof === null ? "the final commit" : `commit ${code(shortCommit(proof.commit))}`;
    words.push(`**Verified**: every required gate passed on ${commit}${where}.`);
  } else {
    words.push(stopped.status === "done" ? "**Not verified**: no gate existed that could have refused it." : "**Not verified.**");
  }
  return `${words.join(" ")}\n\n${plain(stopped.summary)}`;
}

const ISOLATION: Readonly<Record<Isolation, string>> = {
  kernel: "frozen paths were read-only in the kernel (sandbox)",
  compared: "no sandbox: frozen paths were compared after each iteration and restored",
  none: "none: nothing kept the agent from the files that judge it",
};

function facts(state: RunState, context: ReportContext): string {
  const { started, stopped } = state;
  const end = stopped === null ? `still open at ${moment(new Date(context.nowMs).toISOString())}` : `to ${moment(stopped.at)}`;
  const waited = state.waitedMs > 0 ? `, waited ${duration(state.waitedMs)}` : "";
  const finished = state.iteration - (state.open === null ? 0 : 1);
  const uncounted = finished === state.spent ? "" : ` (${state.spent} counted against the limit)`;
  return bullets([
    `Time: ${moment(state.startedAt)} ${end}; active ${duration(state.activeMs)}${waited}`,
    `Work: ${plural(state.iteration, "iteration")}${uncounted}, ${plural(state.commits, "commit")} on ${context.branch === null ? "no branch" : code(context.branch)}, last commit ${code(shortCommit(state.lastCommit))}`,
    `Agent: ${code(started.agent)}; plan: ${started.plan === null ? "none" : code(started.plan)}${started.objective === null ? "" : `; objective: ${plain(started.objective)}`}`,
    `Tokens: ${tokens(state)}`,
    `Cost: ${cost(state)}`,
    `Protection: ${ISOLATION[context.isolation]}`,
    `Place: ${code(context.root)}`,
  ]);
}

function tokens(state: RunState): string {
  const { usage, unknownTokens } = state;
  const total = countedTokens(usage);
  if (total === null) return "unknown";
  const gap = unknownTokens > 0 ? `; unknown for ${plural(unknownTokens, "iteration")}, so that the true sum is higher` : "";
  return `${count(total)} counted (${count(usage.inputTokens)} uncached input, ${count(usage.outputTokens)} output), ${count(usage.cachedInputTokens)} read from cache${gap}`;
}

function cost(state: RunState): string {
  const total = state.usage.costMicroUsd;
  if (total === null) return "unknown";
  const gap = state.unknownCost > 0 ? `; unknown for ${plural(state.unknownCost, "iteration")}, so that the true sum is higher` : "";
  const done = Object.keys(state.proved).length;
  return `${money(total)}${gap}${done === 0 ? "" : `; ${money(Math.round(total / done))} for each of ${plural(done, "finished task")}`}`;
}

function stopEvidence(state: RunState): string {
  const { stopped, hit } = state;
  if (stopped === null || stopped.status === "done") return "";
  const items = stopped.evidence.map(plain);
  if (hit !== null) {
    const known = new Set(stopped.evidence);
    const fresh = [hit.summary, `signature: ${hit.signature}`, ...hit.lastActions.map((action) => `last action: ${action}`), hit.advice];
    items.push(...fresh.filter((line) => !known.has(line) && line !== stopped.summary).map(plain));
  }
  return bullets(items);
}
