/** Checks a run-level claim on a commit: every required gate, in a clean worktree of it where `setup` is configured. */
import type { GateResult } from "../core/gate.js";
import type { Driver } from "./driver.js";
import { gateEnv, requiredGates, runGates, settleSideEffects } from "./gate-runs.js";
import { readPlan } from "./plan-view.js";

export interface Claim {
  by: "tasks" | "marker" | "gates";
  commit: string | null;
  tree: string;
  /** False for the driver's own look at a plan that was complete already; that is no disagreement. */
  claimed: boolean;
}

export async function prove(driver: Driver, claim: Claim): Promise<void> {
  const { view } = readPlan(driver);
  const open = view.kind === "tasks" ? view.counts.open : 0;
  if (open > 0) {
    refuse(driver, claim, `${open} task(s) are still open`);
    return;
  }
  if (!(await isCommitted(driver, claim))) {
    // The agent may be right; what stands in the way is the hook or the signing that refused the commit.
    refuse(driver, { ...claim, claimed: false }, "the work is not committed, and done is decided on a commit");
    return;
  }
  const results = await runGates(driver, requiredGates(driver), {
    tree: claim.tree,
    moment: "claim",
    task: null,
    cwd: driver.world.repo.root,
  });
  if (results.length > 0) await settleSideEffects(driver, claim.tree);
  const failed = firstFailure(results);
  if (failed !== null) {
    refuse(driver, claim, failed);
    return;
  }
  const clean = await proveClean(driver, claim);
  if (clean.kind === "failed") {
    refuse(driver, claim, clean.why);
    return;
  }
  driver.record({
    type: "run.proved",
    commit: claim.commit,
    gates: results.map((result) => result.name),
    clean: clean.kind === "proved",
    by: claim.by,
  });
}

/** Gates see the working tree, so it must be what the commit holds. */
async function isCommitted(driver: Driver, { commit }: Claim): Promise<boolean> {
  const { repo } = driver.world;
  const { tree } = await repo.capture({ against: null, exclude: driver.state.untouched });
  return tree === (await repo.treeOf(commit));
}

type CleanProof = { kind: "proved" } | { kind: "notAsked" } | { kind: "failed"; why: string };

/** Where `setup` can prepare a clean tree, the working tree's ignored files prove nothing. */
async function proveClean(driver: Driver, claim: Claim): Promise<CleanProof> {
  const { setup } = driver.settings;
  const { world } = driver;
  if (setup === null || claim.commit === null) return { kind: "notAsked" };
  const worktree = await world.repo.proofWorktree(claim.commit);
  try {
    const context = {
      cwd: worktree.path,
      outputDir: `${world.runFiles.iterationDir(driver.state.iteration)}/proof`,
      signal: world.control.now,
      env: gateEnv(driver),
    };
    const prepared = await world.gates.setup(setup, context);
    if (!prepared.ok) return { kind: "failed", why: `setup failed in a clean worktree: ${prepared.detail}` };
    const results = await runGates(driver, requiredGates(driver), { tree: claim.tree, moment: "proof", task: null, cwd: worktree.path });
    const failed = firstFailure(results);
    return failed === null ? { kind: "proved" } : { kind: "failed", why: `in a clean worktree of the commit: ${failed}` };
  } finally {
    await worktree.dispose();
  }
}

function firstFailure(results: readonly GateResult[]): string | null {
  const failed = results.find((result) => result.verdict === "fail");
  return failed === undefined ? null : `gate ${failed.name} failed: ${failed.reason}`;
}

function refuse(driver: Driver, claim: Claim, why: string): void {
  driver.record({ type: "run.refused", commit: claim.commit, why, claimed: claim.claimed });
}
