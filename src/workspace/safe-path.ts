/** Paths below a root that are never followed out of it: every parent must be a real folder. */
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";

export type Place =
  /** All parents are folders; `stat` is null when nothing is there. */
  | { kind: "reachable"; path: string; stat: Stats | null }
  /** This parent is a link or a file. */
  | { kind: "blocked"; parent: string }
  /** This parent is missing. */
  | { kind: "noParent" }
  | { kind: "outside" };

export function locate(root: string, relative: string): Place {
  const names = relative.split("/");
  if (relative === "" || relative.startsWith("/") || names.some((name) => name === ".." || name === "." || name === "")) {
    return { kind: "outside" };
  }
  let path = root;
  for (const name of names.slice(0, -1)) {
    path = join(path, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: "noParent" };
    if (!stat.isDirectory()) return { kind: "blocked", parent: path };
  }
  path = join(path, names.at(-1) ?? "");
  return { kind: "reachable", path, stat: lstatSync(path, { throwIfNoEntry: false }) ?? null };
}
