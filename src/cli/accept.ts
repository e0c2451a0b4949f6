/** `ralphd accept`: shows what was proved and what is open, then takes the run's branch in; for people only. */
import type { RunState } from "../core/run-state.js";
import { readJournal } from "../journal/read.js";
import { listRuns, openRun } from "../journal/run-store.js";
import { shortCommit } from "../report/format.js";
import { livePid, newestRun } from "../report/newest-run.js";
import { createGit, expectOk, type Git } from "../workspace/git.js";
import { mergeRun, type MergeWay } from "../workspace/merge.js";
import { parseStatus, STATUS_ARGS } from "../workspace/status.js";
import { Refusal } from "../run/refusal.js";
import { evidenceLines, openLines } from "./accept-evidence.js";
import { openPullRequest } from "./accept-pull-request.js";
import { push } from "./accept-push.js";
import { agentAbove } from "./people-only.js";

export interface AcceptOptions {
  root: string;
  gitDir: string;
  commonDir: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
  way: MergeWay;
  /** null: the branch that the run was started from. */
  into: string | null;
  push: boolean;
  pr: boolean;
  unverified: boolean;
  withoutLoopFiles: boolean;
  dryRun: boolean;
  out(line: string): void;
  err(line: string): void;
}

/** What is taken in, and where to. */
export interface Taking {
  state: RunState;
  branch: string;
  /** Tip of the run's branch. */
  commit: string;
  into: string;
}

/** Exit code: 0 taken in or nothing to take, 1 it could not be; a refusal is thrown. */
export async function runAccept(options: AcceptOptions): Promise<number> {
  const above = agentAbove(options.env);
  if (above !== null) throw new Refusal(above);
  if (options.withoutLoopFiles && options.way !== "squash")
    throw new Refusal("--without-loop-files goes with --squash: other ways keep the run's commits, and those hold the files.");
  const git = createGit({ root: options.root });
  const taking = await findTaking(options, git);
  for (const line of [...evidenceLines(taking.state), ...openLines(taking.state)]) options.out(line);
  await refuseUnready(options, taking, git);
  if (options.dryRun) {
    options.out(`Dry run: ${taking.branch} (${shortCommit(taking.commit)}) would go into ${taking.into} by ${options.pr ? "a pull request" : options.way}.`);
    return 0;
  }
  return options.pr ? openPullRequest(options, taking, git) : take(options, taking, git);
}

async function findTaking(options: AcceptOptions, git: Git): Promise<Taking> {
  const reading = newestRun(options.truthDir);
  if (reading.kind === "damaged")
    throw new Refusal(
      `The journal of run ${reading.run} is damaged in line ${reading.problem.line}; nothing can be said about what was proved. Merge by hand if you trust the branch.`,
    );
  const state = reading.kind === "none" ? null : reading.state;
  if (state === null) throw new Refusal("Nothing has run in this working tree yet, so there is nothing to accept.");
  const { branch } = state.started;
  const tip = branch === null ? null : await git.read(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  if (branch === null || tip === null || tip.code !== 0)
    throw new Refusal(`The branch of run ${state.run}${branch === null ? "" : ` (${branch})`} does not exist any more.`);
  const into = options.into ?? (await startedFrom(git, state, options.truthDir));
  if (into === null) throw new Refusal(`Where ${branch} was started from can't be told any more; name the branch that takes it in: --into main`);
  if (into === branch) throw new Refusal(`Run ${state.run} worked on ${branch} itself, so its commits are there already.`);
  return { state, branch, commit: tip.stdout.toString("utf8").trim(), into };
}

/**
 * The branch that the run's branch was made from, as the journal says. One that an earlier run had made is passed: what
 * a second run added to the first one's work belongs where the first one's belongs.
 */
async function startedFrom(git: Git, { started }: RunState, truthDir: string): Promise<string | null> {
  const made = runBranches(truthDir);
  let from = started.from;
  for (const seen = new Set<string>(); from !== undefined && made.has(from) && !seen.has(from); from = made.get(from)) seen.add(from);
  for (const name of [from ?? [], "main", "master"].flat()) {
    if ((await git.read(["show-ref", "--verify", "--quiet", `refs/heads/${name}`])).code === 0) return name;
  }
  return null;
}

/** Branches that runs of this working tree made, with the branches that they were made from. */
function runBranches(truthDir: string): Map<string, string | undefined> {
  const stores = listRuns(truthDir).flatMap((run) => openRun(truthDir, run) ?? []);
  const starts = stores.flatMap((store) => readJournal(store.journalPath, store.run).events.find((event) => event.type === "run.started") ?? []);
  return new Map(starts.flatMap(({ branch, from }) => (branch === null ? [] : [[branch, from]])));
}

async function refuseUnready(options: AcceptOptions, { state, branch, commit }: Taking, git: Git): Promise<void> {
  const pid = livePid(options.truthDir);
  if (pid !== null) throw new Refusal(`A run is going on in this working tree (process ${pid}); wait for it, or end it with \`ralphd stop\`.`);
  const dirty = parseStatus(expectOk(await git.read(STATUS_ARGS), "status")).entries.map((entry) => entry.path);
  if (dirty.length > 0)
    throw new Refusal(
      `The working tree has changes that are not committed: ${dirty.slice(0, 5).join(", ")}${dirty.length > 5 ? ` and ${dirty.length - 5} more` : ""}. Commit or discard them first.`,
    );
  if (options.unverified) return;
  const why = notVerified(state, commit);
  if (why !== null) throw new Refusal(`${branch} is not verified: ${why}\nLook at it with \`ralphd report\`; --unverified takes it in all the same.`);
}

function notVerified({ stopped, proof }: RunState, commit: string): string | null {
  if (stopped === null) return "the run has not ended.";
  if (stopped.status !== "done") return `the run ended ${stopped.status} (${stopped.reason}).`;
  if (!stopped.verified || proof === null) return "no gate existed that could have refused it.";
  return proof.commit === commit ? null : `its gates passed on ${shortCommit(proof.commit)}, and the branch stands on ${shortCommit(commit)} now.`;
}

async function take(options: AcceptOptions, taking: Taking, git: Git): Promise<number> {
  const { state, branch, commit, into } = taking;
  const leaveOut = options.withoutLoopFiles ? [...(state.started.plan === null ? [] : [state.started.plan]), ".ralph"] : [];
  const outcome = await mergeRun({ root: options.root, gitDir: options.gitDir, commit, into, way: options.way, message: messageOf(taking, options), leaveOut });
  switch (outcome.kind) {
    case "nothing":
      options.out(`${into} has everything of ${branch} already.`);
      return options.push ? push(options, into, git) : 0;
    case "conflict":
      options.err(
        `ralphd: ${branch} and ${into} conflict in ${outcome.paths.join(", ")}. Nothing was changed. Merge ${into} into ${branch}, let the gates pass, and accept again; or merge by hand.`,
      );
      return 1;
    case "refused":
      options.err(`ralphd: git did not take it in: ${outcome.message}\nNothing was changed.`);
      return 1;
    case "merged":
      options.out(`${into} is at ${shortCommit(outcome.commit)} and holds ${branch}.`);
      if (!outcome.same)
        options.out(
          `Its tree is not the one that was judged${leaveOut.length > 0 ? " (loop files were left out)" : `: ${into} had moved on`}. Run the gates on it before you rely on them.`,
        );
      return options.push ? push(options, into, git) : 0;
  }
}

function messageOf({ state, branch }: Taking, { way }: AcceptOptions): string {
  const proved =
    state.stopped?.verified === true
      ? `Verified by ${state.proof?.gates.join(", ") ?? "no gate"} on ${shortCommit(state.proof?.commit ?? null)}.`
      : "Not verified.";
  const tasks = state.tasks.filter((task) => state.proved[task.id] !== undefined).map((task) => `- ${task.text}`);
  return [
    `${way === "squash" ? "Take in" : "Merge"} ${branch}`,
    "",
    ...tasks,
    ...(tasks.length > 0 ? [""] : []),
    proved,
    "",
    `Ralphd-Run: ${state.run}`,
    "",
  ].join("\n");
}
