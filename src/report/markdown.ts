/** The morning report as Markdown: the verdict first, then what to do, then the evidence. Pure. */
import { count, moment, plural, shortCommit } from "./format.js";
import { bullets, code, plain, quote } from "./markdown-text.js";
import { gateSection, iterationSection, taskSection } from "./evidence-sections.js";
import { changeSections } from "./change-sections.js";
import type { ReportModel } from "./model-schema.js";
import { dollars, perTaskWords, protectionWords, provedWords, timeWords, unknownFor } from "./words.js";

export function renderMarkdown(report: ReportModel): string {
  const { lastWords, questions } = report;
  const asked = questions.map(({ kind, task, question }) => `**${plain(task)}**${kind === "parked" ? " (parked)" : ""}: ${plain(question)}`);
  const parts = [
    `# Run ${report.run}: ${report.verdict.headline}`,
    verdict(report),
    facts(report),
    section("What to do now", bullets(report.next)),
    section("Questions", bullets(asked)),
    section("Why it stopped", bullets(report.verdict.evidence.map(plain))),
    section("The agent's last words (a claim, not a finding)", lastWords === null ? "" : quote(lastWords)),
    section("Tasks", taskSection(report)),
    section("Gates", gateSection(report.gates)),
    section("Iterations", iterationSection(report)),
    ...changeSections(report).map(({ title, body }) => section(title, body)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, body: string): string {
  return body === "" ? "" : `## ${title}\n\n${body}`;
}

/** Status and reason as words of the journal, and what they mean as a sentence. */
function verdict(report: ReportModel): string {
  const { status, reason, meaning, verified, summary, waiting } = report.verdict;
  if (reason === null) return `**No final status yet.** ${waiting === null ? "" : `Waiting until ${moment(waiting.until)}: ${plain(waiting.why)}`}`.trim();
  const words = [`**${status}** (${code(reason)}).`, meaning ?? ""];
  if (verified === true) words.push(`**Verified**: ${provedWords(report, code)}`);
  else words.push(status === "done" ? "**Not verified**: no gate existed that could have refused it." : "**Not verified.**");
  return `${words.join(" ")}\n\n${plain(summary)}`;
}

function facts(report: ReportModel): string {
  const { facts: known } = report;
  const uncounted = known.finished === known.counted ? "" : ` (${known.counted} counted against the limit)`;
  return bullets([
    `Time: ${timeWords(report)}`,
    `Work: ${plural(known.iterations, "iteration")}${uncounted}, ${plural(known.commits, "commit")} on ${known.branch === null ? "no branch" : code(known.branch)}, last commit ${code(shortCommit(known.lastCommit))}`,
    `Agent: ${code(known.agent)}${known.fallback.length === 0 ? "" : `, then ${known.fallback.map(code).join(", ")}`}; plan: ${known.plan === null ? "none" : code(known.plan)}${known.objective === null ? "" : `; objective: ${plain(known.objective)}`}`,
    `Tokens: ${tokens(report)}`,
    `Cost: ${cost(report)}`,
    `Protection: ${protectionWords(report)}`,
    `Place: ${code(known.root)}`,
  ]);
}

function tokens({ usage }: ReportModel): string {
  if (usage.countedTokens === null) return "unknown";
  return `${count(usage.countedTokens)} counted (${count(usage.inputTokens)} uncached input, ${count(usage.outputTokens)} output), ${count(usage.cachedInputTokens)} read from cache${unknownFor(usage.unknownTokens)}`;
}

function cost(report: ReportModel): string {
  const { usage } = report;
  const total = usage.costUsd === null ? "unknown" : `${dollars(usage.costUsd)}${unknownFor(usage.unknownCost)}`;
  const each = perTaskWords(report);
  return each === "" ? total : `${total}; ${each}`;
}
