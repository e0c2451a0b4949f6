/** Checks a run-level claim on a commit: every required gate, in a clean worktree of it where `setup` is configured. */
import type { GateResult } from "../core/gate.js";
import type { Driver } from "./driver.js";
import { gateEnv, requiredGates, runGates, settleSideEffects } from "./gate-runs.js";
import { Interrupted } from "./interrupted.js";
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
  // Whoever checks the branch out gets what git's objects hold, which the gates in the working tree did not see.
  await driver.world.repo.verifyObjects(Date.parse(driver.state.startedAt));
  const clean = await proveClean(driver, claim);
  if (clean.kind === "failed") {
    refuse(driver, claim, clean.why);
    return;
  }
  if (clean.kind === "hiddenFailed") {
    refuseHidden(driver, claim);
    return;
  }
  driver.record({
    type: "run.proved",
    commit: claim.commit,
    gates: [...results.map((result) => result.name), ...driver.settings.hiddenGates.map((gate) => gate.name)],
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

type CleanProof = { kind: "proved" } | { kind: "notAsked" } | { kind: "failed"; why: string } | { kind: "hiddenFailed" };

/** Where `setup` can prepare a clean tree, the working tree's ignored files prove nothing. */
async function proveClean(driver: Driver, claim: Claim): Promise<CleanProof> {
  const { setup } = driver.settings;
  const { world } = driver;
  if (setup === null || claim.commit === null) return (await passesHidden(driver, claim, world.repo.root)) ? { kind: "notAsked" } : { kind: "hiddenFailed" };
  const worktree = await world.repo.proofWorktree(claim.commit);
  try {
    const context = {
      cwd: worktree.path,
      outputDir: `${world.runFiles.iterationDir(driver.state.iteration)}/proof`,
      signal: world.control.now,
      env: gateEnv(driver),
    };
    const prepared = await world.gates.setup(setup, context);
    if (!prepared.ok && world.control.now.aborted) throw new Interrupted("setup");
    if (!prepared.ok) return { kind: "failed", why: `setup failed in a clean worktree: ${prepared.detail}` };
    const results = await runGates(driver, requiredGates(driver), { tree: claim.tree, moment: "proof", task: null, cwd: worktree.path });
    const failed = firstFailure(results);
    if (failed !== null) return { kind: "failed", why: `in a clean worktree of the commit: ${failed}` };
    return (await passesHidden(driver, claim, worktree.path)) ? { kind: "proved" } : { kind: "hiddenFailed" };
  } finally {
    await worktree.dispose();
  }
}

/** Last of all, when everything that the agent could know of has passed. */
async function passesHidden(driver: Driver, claim: Claim, cwd: string): Promise<boolean> {
  const { hiddenGates } = driver.settings;
  if (hiddenGates.length === 0) return true;
  const results = await runGates(driver, hiddenGates, { tree: claim.tree, moment: "hidden", task: null, cwd });
  if (cwd === driver.world.repo.root) await settleSideEffects(driver, claim.tree);
  return firstFailure(results) === null;
}

/** Ends the run: another iteration could only learn what it must not know. Neither name nor reason is said here. */
function refuseHidden(driver: Driver, claim: Claim): void {
  refuse(driver, { ...claim, claimed: false }, "a hidden gate refused the result");
  driver.record({
    type: "brake.hit",
    hit: {
      reason: "hidden_gate",
      summary: "Every gate of the plan passed, but a hidden gate refused the result.",
      signature: "hidden gate",
      lastActions: driver.state.watch.last.slice(-3),
      advice: "`ralphd report` and `ralphd logs` show the hidden gate's verdict. Keep it out of plan and notes.",
    },
  });
}

function firstFailure(results: readonly GateResult[]): string | null {
  const failed = results.find((result) => result.verdict === "fail");
  return failed === undefined ? null : `gate ${failed.name} failed: ${failed.reason}`;
}

function refuse(driver: Driver, claim: Claim, why: string): void {
  driver.record({ type: "run.refused", commit: claim.commit, why, claimed: claim.claimed });
}
