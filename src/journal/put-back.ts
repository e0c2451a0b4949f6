/** Puts a pinned entry back in its place, and keeps what the agent had put there. */
import { relative } from "node:path";
import type { RestoredPath } from "../driver/ports.js";
import type { PinnedIndex, PinnedStore } from "./pinned-store.js";
import { moveAside, observe, putFile, putLink, type TreeEntry } from "./tree-entry.js";

/** What the parts of one restore share. */
export interface Restoring {
  root: string;
  runDir: string;
  store: PinnedStore;
  index: PinnedIndex;
  /** Absolute folder for the agent's versions. */
  keepDir: string;
  edits: readonly string[];
  /** Hears of each path before it is put back. */
  found: (item: RestoredPath) => void;
}

/** Moves aside whatever stands there or blocks the way, then writes what was pinned. */
export function putBack(restoring: Restoring, path: string, before: TreeEntry, what: { why: string; rule?: RestoredPath["rule"] }): void {
  const { root, runDir, store, keepDir } = restoring;
  clearWay(restoring, path);
  const kept = moveAside(root, path, keepDir);
  restoring.found({ path, rule: "frozen", ...what, keptAs: kept === null ? null : relative(runDir, kept) });
  if (before.kind === "file") putFile(root, path, store.bytes(before.hash), before.mode);
  if (before.kind === "symlink") putLink(root, path, before.target);
}

/** A link or file that took the place of a folder on the way. */
function clearWay({ root, keepDir }: Restoring, path: string): void {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = parts.slice(0, depth).join("/");
    const stands = observe(root, above);
    if (stands.kind === "symlink" || stands.kind === "file") moveAside(root, above, keepDir);
  }
}
