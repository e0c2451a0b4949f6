/** The morning report as one HTML file: no script, no network, readable on a phone, in light and dark. Pure. */
import { charts } from "./html-chart.js";
import { changes, gates, iterations, tasks } from "./html-sections.js";
import { STYLE } from "./html-style.js";
import { code, esc, items, rich } from "./html-text.js";
import { count, duration, moment, plural, shortCommit } from "./format.js";
import type { ReportModel } from "./model-schema.js";
import { dollars, isProved, perTaskWords, protectionWords, provedWords, timeWords, unknownFor } from "./words.js";

/** The page could not load anything even if foreign text got through the escapes. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function renderHtml(report: ReportModel): string {
  const { lastWords, verdict } = report;
  const evidence = items(verdict.evidence.map(rich));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><link rel="icon" href="data:,">
<title>${esc(`${capital(verdict.headline)}: ralphd run ${report.run}`)}</title><style>${STYLE}</style></head>
<body><main>
${hero(report)}
${section("What to do now", items(report.next.map(rich), "ol"), "next")}
${section("What needs an answer", questions(report), "ask")}
${section("Why it stopped", evidence)}
${section("Tasks", tasks(report))}
${section("Gates", gates(report.gates))}
${section("Over the iterations", charts(report.iterations))}
${section("Iterations", iterations(report))}
${changes(report)
  .map(({ title, body }) => section(title, body))
  .join("\n")}
${section("The agent's last words (a claim, not a finding)", lastWords === null ? "" : `<blockquote>${esc(lastWords)}</blockquote>`)}
${section("The run", facts(report))}
<footer>Made from the journal at ${esc(moment(report.facts.reportedAt))}. The same as data: ${code("ralphd report --format json")}</footer>
</main></body></html>
`.replace(/\n{2,}/g, "\n");
}

function section(title: string, body: string, style = ""): string {
  return body === "" ? "" : `<section${style === "" ? "" : ` class="${style}"`}><h2>${esc(title)}</h2>\n${body}</section>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Green only for what was proved. */
function tone({ status, verified }: ReportModel["verdict"]): "good" | "warn" | "bad" | "info" {
  switch (status) {
    case "done":
      return verified === true ? "good" : "warn";
    case "capped":
    case "escalated":
      return "warn";
    case "failed":
      return "bad";
    default:
      return "info";
  }
}

function hero(report: ReportModel): string {
  const { verdict, facts: known } = report;
  const reason = verdict.reason === null ? "" : ` <span class="pill">${esc(verdict.reason)}</span>`;
  const waiting = verdict.waiting === null ? "" : `<p>Waiting until ${esc(moment(verdict.waiting.until))}: ${rich(verdict.waiting.why)}</p>`;
  return `<header class="hero tone-${tone(verdict)}"><p class="eyebrow">ralphd run ${esc(report.run)} · ${known.branch === null ? "no branch" : code(known.branch)}</p>
<h1>${esc(capital(verdict.headline))}${reason}</h1>
<p class="lead">${verdict.meaning === null ? "No final status yet." : esc(verdict.meaning)} ${proof(report)}</p>
${verdict.summary === "" ? "" : `<p class="soft">${rich(verdict.summary)}</p>`}${waiting}
${tiles(report)}</header>`;
}

function proof(report: ReportModel): string {
  const { verified, status } = report.verdict;
  if (verified === null) return "";
  if (verified) return `<strong>Verified:</strong> ${provedWords(report, code)}`;
  return status === "done" ? "<strong>Not verified:</strong> no gate existed that could have refused it." : "<strong>Not verified.</strong>";
}

function tasksTile({ tasks: all, verdict }: ReportModel): [string, string, string] {
  const ticked = all.filter((task) => task.state === "done");
  const proved = ticked.filter((task) => isProved(task, verdict)).length;
  const rest = ticked.length - proved;
  return ["Tasks done", `${count(proved)} of ${count(all.length)}`, rest === 0 ? "" : `and ${count(rest)} ticked, not proved by this run`];
}

function tiles(report: ReportModel): string {
  const { facts: known, usage, tasks: all, iterations: table, perFinishedTask: per } = report;
  const sum = (key: "added" | "removed"): number => table.reduce((total, row) => total + (row[key] ?? 0), 0);
  const sized = table.some((row) => row.added !== null);
  const rows: [string, string, string][] = [
    ...(all.length === 0 ? [] : [tasksTile(report)]),
    ["Iterations", count(known.iterations), known.finished === known.counted ? "" : `${known.counted} count against the limit`],
    ["Active", duration(known.activeMs), known.waitedMs > 0 ? `and waited ${duration(known.waitedMs)}` : ""],
    ["Cost", dollars(usage.costUsd), usage.costUsd === null ? "" : unknownFor(usage.unknownCost).slice(2)],
    ["Tokens", count(usage.countedTokens), usage.countedTokens === null ? "" : unknownFor(usage.unknownTokens).slice(2)],
    ...(per === null
      ? []
      : [
          ["Per finished task", per.costUsd === null ? duration(per.activeMs) : dollars(per.costUsd), per.costUsd === null ? "" : duration(per.activeMs)] as [
            string,
            string,
            string,
          ],
        ]),
    ["Commits", count(known.commits), sized ? `+${count(sum("added"))} −${count(sum("removed"))} lines` : ""],
  ];
  return `<dl class="tiles">${rows.map(([name, value, note]) => `<div><dt>${esc(name)}</dt><dd>${esc(value)}${note === "" ? "" : `<small>${esc(note)}</small>`}</dd></div>`).join("")}</dl>`;
}

function questions({ questions: asked }: ReportModel): string {
  return items(asked.map(({ kind, task, question }) => `<strong>${rich(task)}</strong>${kind === "parked" ? " (parked)" : ""}: ${rich(question)}`));
}

function facts(report: ReportModel): string {
  const { facts: known, usage } = report;
  const rows: [string, string][] = [
    ["Time", esc(timeWords(report))],
    ["Agent", [known.agent, ...known.fallback].map(code).join(", then ")],
    ["Plan", known.plan === null ? "none" : code(known.plan)],
    ...(known.objective === null ? [] : [["Objective", rich(known.objective)] as [string, string]]),
    ["Work", `${plural(known.commits, "commit")}, last ${code(shortCommit(known.lastCommit))}`],
    [
      "Tokens",
      usage.countedTokens === null
        ? "unknown"
        : `${count(usage.inputTokens)} uncached input, ${count(usage.outputTokens)} output, ${count(usage.cachedInputTokens)} read from cache`,
    ],
    [
      "Cost",
      `${dollars(usage.costUsd)}${usage.costUsd === null ? "" : unknownFor(usage.unknownCost)}${perTaskWords(report) === "" ? "" : `; ${perTaskWords(report)}`}`,
    ],
    ["Protection", esc(protectionWords(report))],
    ["Place", code(known.root)],
    ...(report.runFolder === null ? [] : [["Record", code(report.runFolder)] as [string, string]]),
  ];
  return `<dl class="facts">${rows.map(([name, value]) => `<dt>${esc(name)}</dt><dd>${value}</dd>`).join("")}</dl>`;
}
