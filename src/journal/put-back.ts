/** Puts a pinned entry back in its place. What the agent had put there is kept first, then named, then taken away: a crash in between loses neither. */
import { relative } from "node:path";
import type { RestoredPath, Versions } from "../driver/ports.js";
import type { PinnedIndex, PinnedStore } from "./pinned-store.js";
import { keepAside, observe, putFile, putLink, readPlain, removeEntry, type TreeEntry } from "./tree-entry.js";

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
  found: (item: RestoredPath, versions: Versions) => void;
}

interface Finding {
  why: string;
  rule?: RestoredPath["rule"];
  /** Text that takes its place; null when it is to be gone. */
  ours: string | null;
  /** What stands there, or in the way there. */
  stands?: string;
}

/** Keeps what stands there and names it. From here on it may be taken away. */
export function announce({ root, runDir, keepDir, found }: Restoring, path: string, { why, rule = "frozen", ours, stands = path }: Finding): void {
  const theirs = stands === path ? (readPlain(root, path)?.toString("utf8") ?? null) : null;
  const kept = keepAside(root, stands, keepDir);
  found({ path, rule, why, keptAs: kept === null ? null : relative(runDir, kept) }, { theirs, ours });
}

/** Takes away whatever stands there or blocks the way, and writes what was pinned. */
export function putBack(restoring: Restoring, path: string, before: TreeEntry, what: Pick<Finding, "why" | "rule">): void {
  const { root, store } = restoring;
  const stands = inTheWay(root, path) ?? path;
  announce(restoring, path, { ...what, stands, ours: before.kind === "file" ? store.bytes(before.hash).toString("utf8") : null });
  if (stands !== path || before.kind === "absent") removeEntry(root, stands);
  if (before.kind === "file") putFile(root, path, store.bytes(before.hash), before.mode);
  if (before.kind === "symlink") putLink(root, path, before.target);
}

/** Something was kept for it in this iteration, so it is ours to put it back: a driver may have died on the way. */
export function wasTakenAway({ keepDir }: Restoring, path: string): boolean {
  return observe(keepDir, path).kind !== "absent" || inTheWay(keepDir, path) !== null;
}

/** A link or file that took the place of a folder on the way. */
function inTheWay(root: string, path: string): string | null {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = parts.slice(0, depth).join("/");
    const { kind } = observe(root, above);
    if (kind === "symlink" || kind === "file") return above;
  }
  return null;
}
