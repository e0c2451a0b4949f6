/** `ralphd audit`: a reproducible sample of a run's commits for a person to look at, and the record of what they thought. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AuditRatios, type Drawn, drawSample, formatJudgement, judgedIterations, recordTitle } from "../core/audit.js";
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import { hashText } from "../core/hash.js";
import type { JournalEvent } from "../core/journal-event.js";
import { GUARDRAILS_DIR, RALPH_DIR } from "../core/paths.js";
import { formatSign } from "../core/sign.js";
import type { Walking, WalkStop } from "./audit-walk.js";
import { recordOf } from "./frozen-settings.js";
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
  /** null: as the run was started with. */
  ratios: AuditRatios | null;
  /** Walks through the sample with a person who answers; null: only shows it. */
  ask: ((question: string) => Promise<string | null>) | null;
  /** What is said about one commit of the sample; null: show the sample. */
  judge: { verdict: "pass" | "fail"; iteration: number; reason: string } | null;
  by: string;
  nowIso: string;
  out(line: string): void;
  err(line: string): void;
}

const AUDITS_DIR = `${RALPH_DIR}/audits`;

export async function runAudit(options: AuditOptions): Promise<number> {
  const above = agentAbove(options.env);
  if (above !== null) throw new Refusal(above);
  const { run, events, ratios } = readRun(options);
  const git = createGit({ root: options.root });
  const commits = await Promise.all(
    commitsOf(events).map(async (event) => ({ iteration: event.iteration, commit: event.commit, paths: await pathsOf(git, event.parent, event.commit) })),
  );
  const sample = drawSample(run, commits, ratios);
  const path = join(options.root, AUDITS_DIR, `${run}.md`);
  const record = { run, sample, path, title: recordTitle(run, { drawn: sample.length, of: commits.length }, ratios) };
  if (options.judge !== null) {
    judge(options, record, options.judge);
    return 0;
  }
  const sampled = { run, events, sample, of: commits.length, judged: judgedIterations(textOf(record)) };
  if (options.ask === null) await show(options, sampled, git);
  else await walkThrough(options, { ...options, ask: options.ask }, { sampled, record, git });
  return 0;
}

function textOf({ path, title }: Pick<AuditRecord, "path" | "title">): string {
  return existsSync(path) ? readFileSync(path, "utf8") : title;
}

function readRun({ truthDir, run, ratios }: AuditOptions): { run: string; events: JournalEvent[]; ratios: AuditRatios } {
  const store = run === null ? latestRun(truthDir) : openRun(truthDir, run);
  if (store === null) throw new Refusal(run === null ? "Nothing has run in this working tree yet." : `There is no run ${run} here.`);
  const { events, problem } = readJournal(store.journalPath, store.run);
  if (problem !== null) throw new Refusal(`The journal of run ${store.run} is damaged in line ${problem.line}: ${problem.message}`);
  return { run: store.run, events, ratios: ratios ?? recordOf(store)?.settings.audit ?? DEFAULT_SETTINGS.audit };
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
    out(`\n${await describe(drawn, { events, judged }, git)}`);
    out(`  look: git show ${shortCommit(drawn.commit)}`);
  }
  const open = sample.find((drawn) => !judged.has(drawn.iteration));
  out(
    open === undefined
      ? "\nNothing is left to judge."
      : `\nSay what you think: ralphd audit --pass ${open.iteration} --reason "…", or --fail ${open.iteration} --reason "…"`,
  );
}

async function describe({ iteration, commit, risk }: Drawn, { events, judged }: Pick<Sampled, "events" | "judged">, git: Git): Promise<string> {
  const head = `iteration ${iteration}, commit ${shortCommit(commit)}, risk ${risk}${judged.has(iteration) ? ", judged" : ""}`;
  const stat = expectOk(await git.read(["show", "--stat=100", "--format=  %s", commit]), "show")
    .toString("utf8")
    .trimEnd();
  return [head, ...evidenceOf(events, iteration).map((line) => `  ${line}`), stat].join("\n");
}

async function walkThrough(
  options: AuditOptions,
  person: Pick<Walking, "ask" | "env" | "out" | "err">,
  { sampled, record, git }: { sampled: Sampled; record: AuditRecord; git: Git },
): Promise<void> {
  const open = sampled.sample.filter((drawn) => !sampled.judged.has(drawn.iteration));
  options.out(`Audit of run ${sampled.run}: ${sampled.sample.length} of ${sampled.of} commits drawn, ${open.length} to judge.`);
  const stops: WalkStop[] = [];
  for (const drawn of open) {
    const diff = async (): Promise<Buffer> => expectOk(await git.read(["show", "--stat", "--patch", drawn.commit]), "show");
    stops.push({ iteration: drawn.iteration, shown: ` ${await describe(drawn, sampled, git)}`, diff });
  }
  const { walk } = await import("./audit-walk.js");
  await walk({ stops, ...person, judge: (said) => judge(options, record, said) });
}

/** What the driver saw of this iteration. */
function evidenceOf(events: readonly JournalEvent[], iteration: number): string[] {
  return events
    .filter((event) => event.iteration === iteration)
    .flatMap((event) => {
      if (event.type === "gate.verdict") return [`gate ${event.name}: ${event.verdict} (${event.reason})`];
      if (event.type === "path.restored") return [`put back: ${event.path} (${event.why})`];
      if (event.type === "task.proved") return [`proved: ${event.task}`];
      if (event.type === "task.unticked") return [`unticked: ${event.task}`];
      return [];
    });
}

interface AuditRecord {
  run: string;
  sample: readonly Drawn[];
  /** Absolute. */
  path: string;
  /** Of a record that is not there yet. */
  title: string;
}

function judge(options: AuditOptions, record: AuditRecord, said: NonNullable<AuditOptions["judge"]>): void {
  const { by, nowIso, root, out } = options;
  const { run, sample, path } = record;
  const drawn = sample.find((one) => one.iteration === said.iteration);
  if (drawn === undefined)
    throw new Refusal(`Iteration ${said.iteration} is not in the sample: ${sample.map((one) => one.iteration).join(", ") || "it is empty"}.`);
  const text = textOf(record);
  if (judgedIterations(text).has(drawn.iteration)) throw new Refusal(`Iteration ${drawn.iteration} is judged already in ${path}; correct it there.`);
  put(path, `${text.trimEnd()}\n${formatJudgement({ ...drawn, verdict: said.verdict, reason: said.reason, by, at: nowIso })}`);
  out(`Noted in ${path}.`);
  if (said.verdict === "pass") return;
  const name = `${GUARDRAILS_DIR}/audit-${hashText(`${run}#${drawn.iteration}`).slice(0, 8)}.md`;
  put(
    join(root, name),
    formatSign({
      trigger: `changing ${drawn.paths.slice(0, 3).join(", ")}`,
      addedAfter: `iteration ${drawn.iteration} of run ${run}`,
      status: "draft",
      instruction: said.reason,
    }),
  );
  out(`Drafted the lesson ${name}; edit it, and approve it when it says what the next agent has to know.`);
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
