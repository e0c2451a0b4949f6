/** A gate on what the run changed, from the tree that it began on to the one that is judged. */
import { brokenRules, type FileChange } from "../core/gate-diff.js";
import type { DiffGate } from "../core/gate.js";
import type { RunTrees } from "../driver/ports.js";
import { failed, type Judged, passed } from "./judged.js";

export async function judgeDiff(spec: DiffGate, trees: RunTrees | undefined): Promise<Judged> {
  if (trees === undefined) return failed("there is no tree to compare with");
  const changes = await readChanges(trees);
  const broken = brokenRules(spec, changes);
  if (broken.length === 0) return passed(`${changes.length} changed file(s) keep to the rules`);
  return failed(broken.join("; "), { failing: broken.map((rule) => rule.slice(0, 120)), detail: broken.map((rule) => `- ${rule}`).join("\n") });
}

export async function readChanges(trees: RunTrees): Promise<FileChange[]> {
  const files: FileChange[] = [];
  for (const { path, kind } of await trees.changes()) {
    files.push({
      path,
      before: kind === "added" ? null : await trees.before(path),
      after: kind === "deleted" ? null : await trees.after(path),
    });
  }
  return files;
}
