/** Commits exactly the judged tree. A hook that changes it sends it back to judgement; one that refuses leaves the work in the tree. */
import { commitMessage } from "../core/commit-message.js";
import { compressOutput } from "../core/gate-output/compress.js";
import { iterationDir } from "../core/paths.js";
import type { OpenIteration } from "../core/run-state.js";
import type { Driver } from "./driver.js";
import { runGates, settleSideEffects } from "./gate-runs.js";
import { type Judgement, untick } from "./judge.js";

const HOOK_LOG = "hook.log";
/** A hook may change the tree this often before the driver gives up on it. */
const MAX_HOOK_ROUNDS = 2;

export async function keep(driver: Driver, open: OpenIteration, judgement: Judgement): Promise<void> {
  const { repo } = driver.world;
  const { head } = judgement;
  const headTree = head === driver.state.lastCommit ? driver.state.lastTree : null;
  let tree = judgement.candidate.tree;
  for (let round = 0; ; round += 1) {
    const commit = tree !== headTree;
    driver.record({ type: "iteration.judged", class: judgement.class, tree, parent: head, commit, betterGates: judgement.betterGates });
    if (!commit) return;
    // Anew in each round: what gates say of a tree that a hook made stands in its own message.
    const outcome = await repo.commit({ tree, parent: head, message: messageOf(driver, open, judgement), verify: true });
    switch (outcome.kind) {
      case "committed":
        driver.record({ type: "commit.created", commit: outcome.commit, tree: outcome.tree, parent: head, files: judgement.files });
        // Gates run commands in the working tree after it was captured.
        if (outcome.quiet && judgement.results.length === 0)
          driver.settled = { head: outcome.commit, branch: driver.state.started.branch, dirty: driver.state.untouched };
        return;
      case "unchanged":
        if (head !== null && head !== driver.state.lastCommit) {
          // The agent committed this very tree itself; its commit is the iteration's.
          driver.record({ type: "commit.created", commit: head, tree, parent: open.head, files: judgement.files });
        }
        return;
      case "refused":
        return saveRefused(driver, open, { tree, head, output: outcome.output });
      case "moved":
        return saveRefused(driver, open, {
          tree,
          head,
          output: "HEAD moved while the iteration was judged; the work stays in the tree and is judged again with the next iteration.",
        });
      case "hookChanged":
        if (round >= MAX_HOOK_ROUNDS)
          return saveRefused(driver, open, { tree, head, output: "A commit hook changes the tree at every try, so that no judged tree can be committed." });
        tree = await judgeAgain(driver, open, judgement, outcome.tree);
    }
  }
}

/** The next agent works on the same files and may write over what no commit holds, so that a ref holds it. */
async function saveRefused(driver: Driver, open: OpenIteration, { tree, head, output }: { tree: string; head: string | null; output: string }): Promise<void> {
  const ref = `${driver.state.run}/${open.number}-refused`;
  const message = `Work of iteration ${open.number} of run ${driver.state.run} that could not be committed\n`;
  const commit = await driver.world.repo.saveRef(ref, { tree, parent: head, message });
  driver.record(
    { type: "work.saved", ref: `refs/ralphd/${ref}`, commit, why: "its commit was refused" },
    { type: "commit.refused", ...spilled(driver, open, output) },
  );
}

/** Hooks run whole test suites: what the next agent needs of it, and where the rest is. */
function spilled(driver: Driver, open: OpenIteration, output: string): { output: string; outputPath?: string } {
  const short = compressOutput(output);
  if (output.length <= short.length) return { output: short };
  const { runFiles } = driver.world;
  runFiles.writeView(`${iterationDir(open.number)}/${HOOK_LOG}`, output);
  return { output: short, outputPath: `${runFiles.iterationDir(open.number)}/${HOOK_LOG}` };
}

/** The tree that was judged is the tree that is committed: what a hook made of it is judged too. Returns it, with the ticks that still hold. */
async function judgeAgain(driver: Driver, open: OpenIteration, judgement: Judgement, tree: string): Promise<string> {
  const names = new Set(judgement.results.map((result) => result.name));
  const specs = driver.settings.gates.filter((gate) => names.has(gate.name));
  if (specs.length === 0) return tree;
  judgement.results = await runGates(driver, specs, { tree, moment: "claim", task: open.task, cwd: driver.world.repo.root });
  await settleSideEffects(driver, tree);
  const refused = open.proved.flatMap((id) => refusalOf(driver, judgement, id));
  for (const { id, gate, why } of refused) {
    driver.record({ type: "task.unticked", task: id, gate, why });
    untick(driver, id);
  }
  return refused.length === 0 ? tree : (await driver.world.repo.capture({ against: open.tree, exclude: driver.state.untouched })).tree;
}

function refusalOf(driver: Driver, { results }: Judgement, id: string): { id: string; gate: string; why: string }[] {
  const gates = driver.state.proved[id]?.gates ?? [];
  const failed = results.find((result) => gates.includes(result.name) && result.required && result.verdict === "fail");
  return failed === undefined ? [] : [{ id, gate: failed.name, why: `a commit hook changed the work, and then gate ${failed.name} failed: ${failed.reason}` }];
}

function messageOf(driver: Driver, open: OpenIteration, judgement: Pick<Judgement, "class" | "results">): string {
  const task = driver.state.tasks.find((item) => item.id === open.task);
  const subject = task?.text ?? driver.settings.objective ?? "Work on the plan";
  const proved = open.proved.map((id) => `Proved: ${driver.state.tasks.find((item) => item.id === id)?.text ?? id}`);
  const refused = judgement.results.filter((result) => result.verdict === "fail").map((result) => `Refused by gate ${result.name}: ${result.reason}`);
  return commitMessage({
    run: driver.state.run,
    iteration: open.number,
    subject: open.mode === "wrapUp" ? `Wrap up: ${subject}` : subject,
    body: [...proved, ...refused],
    results: judgement.results,
    costMicroUsd: open.usage?.costMicroUsd ?? null,
    agent: open.agent,
  });
}
