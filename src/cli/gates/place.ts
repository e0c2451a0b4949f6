/** What the gates commands work on: the gates in force here, each with where it comes from, and a room to run them in. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf, reviewerEnvironment } from "../../agents/env.js";
import { formatProblem } from "../../config/load.js";
import { loadConfig } from "../../config/sources.js";
import type { RepositoryCommand } from "../../config/repository-commands.js";
import type { GateSpec } from "../../core/gate.js";
import { RALPH_DIR, TRUTH_DIR } from "../../core/paths.js";
import type { Settings } from "../../core/settings.js";
import type { RunTrees } from "../../driver/ports.js";
import { createGates } from "../../gates/gates.js";
import { createRedactor } from "../../journal/redact.js";
import { newestState } from "../../report/newest-run.js";
import { findSubject } from "../../run/find-plan.js";
import { Refusal } from "../../run/refusal.js";
import { requireRepo } from "../../run/require-repo.js";
import type { RepoPlace } from "../../workspace/discover.js";
import { type GitRepo, openRepo } from "../../workspace/repo.js";
import { agentAbove } from "../people-only.js";
import { openScope } from "../../once/scope.js";

export interface NamedGate {
  spec: GateSpec;
  /** `PLAN.md:3`, `.ralph/config.yaml:2`, the user's file. */
  origin: string;
  hidden: boolean;
}

export interface GatesPlace {
  repo: RepoPlace;
  settings: Settings;
  gates: NamedGate[];
  repositoryCommands: RepositoryCommand[];
  env: NodeJS.ProcessEnv;
}

export async function gatesPlace(cwd: string, plan: string | null, env: NodeJS.ProcessEnv): Promise<GatesPlace> {
  const repo = await requireRepo(cwd);
  const subject = await findSubject({ argument: plan, root: repo.root, cwd, stdin: null }).catch((error: unknown) => {
    // Without a plan the configuration files still name gates.
    if (error instanceof Refusal && plan === null) return { plan: null, objective: null };
    throw error;
  });
  const reading = loadConfig({ root: repo.root, plan: subject.plan, objective: subject.objective, flags: {}, env });
  if (reading.kind === "invalid")
    throw new Refusal(`The configuration can't be used:\n${reading.problems.map((problem) => `  ${formatProblem(problem)}`).join("\n")}`);
  const { settings, origins, repositoryCommands } = reading;
  const gates: NamedGate[] = settings.gates.map((spec) => ({ spec, origin: origins[`gates.${spec.name}`] ?? "default", hidden: false }));
  // What is hidden from agents is hidden from a command that an agent runs.
  if (agentAbove(env) === null) gates.push(...settings.hiddenGates.map((spec) => ({ spec, origin: "your own config.yaml", hidden: true })));
  return { repo, settings, gates, repositoryCommands, env };
}

/** One gate by its name, or all. */
export function chosen(place: GatesPlace, name: string | null): NamedGate[] {
  if (name === null) return place.gates;
  const found = place.gates.filter((gate) => gate.spec.name === name);
  if (found.length === 0) throw new Refusal(`There is no gate ${name}; known are ${place.gates.map((gate) => gate.spec.name).join(", ") || "none"}.`);
  return found;
}

export interface GateRoom {
  gates: ReturnType<typeof createGates>;
  env: Record<string, string>;
  signal: AbortSignal;
  /** For logs and stand-ins. */
  folder: string;
  /** `keep`: the logs say more than the table. */
  close(keep: boolean): void;
}

export function openRoom({ repo, settings, env }: GatesPlace): GateRoom {
  const folder = mkdtempSync(join(tmpdir(), "ralphd-gates-"));
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const token = `gates-${randomBytes(9).toString("base64url")}`;
  return {
    gates: createGates({
      root: repo.root,
      killGraceMs: settings.killGraceMs,
      run: "gates",
      redact: createRedactor(env),
      onceFor: (gate) => openScope(repo.commonDir, `gate ${gate}`),
      reviewerEnv: reviewerEnvironment(env),
      prices: settings.agent.prices,
    }),
    env: environmentOf(settings.agent, { base: env, run: "gates", iteration: 0, token }),
    signal: stop.signal,
    folder,
    close: (keep) => {
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function repoOf({ repo, settings }: GatesPlace): GitRepo {
  return openRepo({ root: repo.root, gitDir: repo.gitDir, maxFileBytes: settings.maxFileBytes, signCommits: false });
}

/** From the tree that the newest run of this branch began on, else from the last commit, to the files as they are. */
export async function treesNow({ repo, settings }: GatesPlace, git: GitRepo): Promise<{ trees: RunTrees; since: string }> {
  const look = await git.look();
  const newest = newestState(join(repo.gitDir, TRUTH_DIR));
  const run = newest?.started.branch === look.branch ? newest : null;
  const base = run === null ? await git.treeOf(look.head) : run.started.baseTree;
  const { tree } = await git.capture({ against: base, exclude: run?.untouched ?? [] });
  const own = [RALPH_DIR, ...(settings.plan === null ? [] : [settings.plan])];
  return {
    since: run === null ? "the last commit" : `the start of run ${run.run}`,
    trees: {
      changes: async () => (await git.changes(base, tree)).filter(({ path }) => !own.some((mine) => path === mine || path.startsWith(`${mine}/`))),
      before: (path) => git.readAt(base, path),
      after: (path) => git.readAt(tree, path),
    },
  };
}
