/** Which commits of a run a person looks at, and how the judgements are written down. Pure, so that anyone can draw the same sample again. */
import { CI_GLOBS } from "./guard/frozen.js";
import { matchAny } from "./guard/globs.js";
import { hashText } from "./hash.js";

export type Risk = "low" | "medium" | "high";
/** Percent of the commits of each class. */
export type AuditRatios = Readonly<Record<Risk, number>>;

/** Where a mistake costs money, data or trust, or decides what others run. */
const HIGH: readonly string[] = [
  ...CI_GLOBS,
  "**/*{auth,login,session,secur,crypt,secret,token,password,permission,payment,billing,invoice}*",
  "**/*{auth,login,session,secur,crypt,secret,token,password,permission,payment,billing,invoice}*/**",
  "**/migrations/**",
  "**/*.{sql,tf}",
  "**/{Dockerfile,docker-compose,compose}*",
  "**/{package-lock.json,pnpm-lock.yaml,yarn.lock,Cargo.lock,go.sum,poetry.lock,uv.lock}",
];
const LOW: readonly string[] = ["**/*.{md,mdx,txt,rst,adoc}", "docs/**", ".ralph/**", "**/{test,tests,__tests__,spec}/**", "**/*.{test,spec}.*"];

export function riskOf(paths: readonly string[]): Risk {
  if (paths.some((path) => matchAny(HIGH, path) && !matchAny(LOW, path))) return "high";
  return paths.every((path) => matchAny(LOW, path)) ? "low" : "medium";
}

export interface AuditCommit {
  iteration: number;
  commit: string;
  paths: readonly string[];
}

export interface Drawn extends AuditCommit {
  risk: Risk;
}

/** By hash of run id and iteration, so that nobody picks; a run with commits gives at least one of them. */
export function drawSample(run: string, commits: readonly AuditCommit[], ratios: AuditRatios): Drawn[] {
  const ranked = commits.map((one) => ({ one: { ...one, risk: riskOf(one.paths) }, rank: rankOf(run, one.iteration) }));
  const drawn = ranked.filter(({ one, rank }) => rank < ratios[one.risk]);
  const lowest = [...ranked].sort((a, b) => a.rank - b.rank).slice(0, 1);
  return (drawn.length > 0 ? drawn : lowest).map(({ one }) => one);
}

/** 0 to 99. */
function rankOf(run: string, iteration: number): number {
  return Number.parseInt(hashText(`${run}#${iteration}`), 36) % 100;
}

export interface Judgement extends Drawn {
  verdict: "pass" | "fail";
  reason: string;
  by: string;
  /** ISO 8601. */
  at: string;
}

export function recordTitle(run: string, sample: { drawn: number; of: number }, ratios: AuditRatios): string {
  return `# Audit of run ${run}\n\nSample: ${sample.drawn} of ${sample.of} commits, drawn by hash of run id and iteration (low ${ratios.low} %, medium ${ratios.medium} %, high ${ratios.high} %).\n`;
}

export function formatJudgement({ iteration, commit, risk, verdict, reason, by, at }: Judgement): string {
  return `\n## Iteration ${iteration}, commit ${commit}: ${verdict}\n\n- risk: ${risk}\n- by: ${by}, ${at}\n- reason: ${reason.replace(/\s+/g, " ").trim()}\n`;
}

/** Iterations that a record judges already. */
export function judgedIterations(record: string): Set<number> {
  return new Set([...record.matchAll(/^## Iteration (\d+), commit \S+: (?:pass|fail)$/gm)].map((match) => Number(match[1])));
}
