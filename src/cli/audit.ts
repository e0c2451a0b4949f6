/** `ralphd audit`: a reproducible sample of a run's commits for a person to look at, and the record of what they thought. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AuditRatios, type Drawn, drawSample, formatJudgement, judgedIterations, recordTitle } from "../core/audit.js";
import { hashText } from "../core/hash.js";
import type { JournalEvent } from "../core/journal-event.js";
import { GUARDRAILS_DIR, RALPH_DIR } from "../core/paths.js";
import { formatSign } from "../core/sign.js";
import { readJournal } from "../journal/read.js";
import { latestRun, openRun } from "../journal/run-store.js";
import { shortCommit } from "../report/format.js";
import { Refusal } from "../run/refusal.js";
import { createGit, expectOk, type Git } from "../workspace/git.js";
import { agentAbove } from "./people-only.js";

export interface AuditOptions {
  root: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
  /** null: the newest. */
  run: string | null;
  ratios: AuditRatios;
  /** What is said about one commit of the sample; null: show the sample. */
  judge: { verdict: "pass" | "fail"; iteration: number; reason: string } | null;
  by: string;
  nowIso: string;
  out(line: string): void;
}

const AUDITS_DIR = `${RALPH_DIR}/audits`;

export async function runAudit(options: AuditOptions): Promise<number> {
  const above = agentAbove(options.env);
  if (above !== null) throw new Refusal(above);
  const { run, events } = readRun(options);
  const git = createGit({ root: options.root });
  const commits = await Promise.all(
    commitsOf(events).map(async (event) => ({ iteration: event.iteration, commit: event.commit, paths: await pathsOf(git, event.parent, event.commit) })),
  );
  const sample = drawSample(run, commits, options.ratios);
  const path = join(options.root, AUDITS_DIR, `${run}.md`);
  const record = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (options.judge === null) {
    await show(options, { run, events, sample, of: commits.length, judged: judgedIterations(record ?? "") }, git);
    return 0;
  }
  return judge(options, { run, sample, path, text: record ?? recordTitle(run, { drawn: sample.length, of: commits.length }, options.ratios) });
}

function readRun({ truthDir, run }: AuditOptions): { run: string; events: JournalEvent[] } {
  const store = run === null ? latestRun(truthDir) : openRun(truthDir, run);
  if (store === null) throw new Refusal(run === null ? "Nothing has run in this working tree yet." : `There is no run ${run} here.`);
  const { events, problem } = readJournal(store.journalPath, store.run);
  if (problem !== null) throw new Refusal(`The journal of run ${store.run} is damaged in line ${problem.line}: ${problem.message}`);
  return { run: store.run, events };
}

type CommitEvent = Extract<JournalEvent, { type: "commit.created" }>;

/** The last commit of each iteration; the first one of a run is the driver's own. */
function commitsOf(events: readonly JournalEvent[]): CommitEvent[] {
  const made = events.filter((event): event is CommitEvent => event.type === "commit.created" && event.iteration > 0);
  return [...new Map(made.map((event) => [event.iteration, event])).values()];
}

async function pathsOf(git: Git, parent: string | null, commit: string): Promise<string[]> {
  const range = parent === null ? ["--root", commit] : [parent, commit];
  const result = await git.read(["diff-tree", "-r", "-z", "--name-only", "--no-commit-id", ...range]);
  if (result.code !== 0) throw new Refusal(`Commit ${shortCommit(commit)} can't be read; was its branch removed?`);
  return result.stdout.toString("utf8").split("\0").filter(Boolean);
}

interface Sampled {
  run: string;
  events: readonly JournalEvent[];
  sample: readonly Drawn[];
  of: number;
  judged: ReadonlySet<number>;
}

async function show({ out }: AuditOptions, { run, events, sample, of, judged }: Sampled, git: Git): Promise<void> {
  out(`Audit of run ${run}: ${sample.length} of ${of} commits drawn.`);
  for (const drawn of sample) {
    out(`\niteration ${drawn.iteration}, commit ${shortCommit(drawn.commit)}, risk ${drawn.risk}${judged.has(drawn.iteration) ? ", judged" : ""}`);
    for (const line of evidenceOf(events, drawn.iteration)) out(`  ${line}`);
    out(expectOk(await git.read(["show", "--stat=100", "--format=  %s", drawn.commit]), "show").toString("utf8").trimEnd());
    out(`  look: git show ${shortCommit(drawn.commit)}`);
  }
  const open = sample.find((drawn) => !judged.has(drawn.iteration));
  out(open === undefined ? "\nNothing is left to judge." : `\nSay what you think: ralphd audit --pass ${open.iteration} --reason "…", or --fail ${open.iteration} --reason "…"`);
}

/** What the driver saw of this iteration. */
function evidenceOf(events: readonly JournalEvent[], iteration: number): string[] {
  return events.filter((event) => event.iteration === iteration).flatMap((event) => {
    if (event.type === "gate.verdict") return [`gate ${event.name}: ${event.verdict} (${event.reason})`];
    if (event.type === "path.restored") return [`put back: ${event.path} (${event.why})`];
    if (event.type === "task.proved") return [`proved: ${event.task}`];
    if (event.type === "task.unticked") return [`unticked: ${event.task}`];
    return [];
  });
}

function judge(options: AuditOptions, { run, sample, path, text }: { run: string; sample: readonly Drawn[]; path: string; text: string }): number {
  const { judge: said, by, nowIso, root, out } = options;
  const drawn = sample.find((one) => one.iteration === said?.iteration);
  if (said === null || drawn === undefined) throw new Refusal(`Iteration ${said?.iteration} is not in the sample: ${sample.map((one) => one.iteration).join(", ") || "it is empty"}.`);
  if (judgedIterations(text).has(drawn.iteration)) throw new Refusal(`Iteration ${drawn.iteration} is judged already in ${path}; correct it there.`);
  put(path, `${text.trimEnd()}\n${formatJudgement({ ...drawn, verdict: said.verdict, reason: said.reason, by, at: nowIso })}`);
  out(`Noted in ${path}.`);
  if (said.verdict === "fail") {
    const name = `${GUARDRAILS_DIR}/audit-${hashText(`${run}#${drawn.iteration}`).slice(0, 8)}.md`;
    put(join(root, name), formatSign({ trigger: `changing ${drawn.paths.slice(0, 3).join(", ")}`, addedAfter: `iteration ${drawn.iteration} of run ${run}`, status: "draft", instruction: said.reason }));
    out(`Drafted the lesson ${name}; edit it, and approve it when it says what the next agent has to know.`);
  }
  return 0;
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
