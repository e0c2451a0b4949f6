/** Differences of two trees, and tree ids that ignore some paths, computed from tree objects alone. */
import { createHash } from "node:crypto";
import type { TreeChange } from "../driver/ports.js";
import type { Objects, TreeEntry } from "./objects.js";

export const TREE_MODE = "040000";
export const LINK_MODE = "120000";
export const SUBMODULE_MODE = "160000";
const ABSENT_MODE = "000000";

/** Sorted by path. `null` stands for the empty tree. Equal subtrees are not read. */
export async function diffTrees(objects: Objects, from: string | null, to: string | null): Promise<TreeChange[]> {
  const changes: TreeChange[] = [];
  await diffInto(objects, from, to, { prefix: "", changes });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Walk {
  prefix: string;
  changes: TreeChange[];
}

async function diffInto(objects: Objects, from: string | null, to: string | null, walk: Walk): Promise<void> {
  if (from === to) return;
  const before = await byName(objects, from);
  const after = await byName(objects, to);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    await diffEntry(objects, before.get(name), after.get(name), { ...walk, prefix: walk.prefix + name });
  }
}

async function diffEntry(objects: Objects, a: TreeEntry | undefined, b: TreeEntry | undefined, walk: Walk): Promise<void> {
  if (a?.oid === b?.oid && a?.mode === b?.mode) return;
  const oldTree = a?.mode === TREE_MODE ? a.oid : null;
  const newTree = b?.mode === TREE_MODE ? b.oid : null;
  if (oldTree !== null || newTree !== null) {
    await diffInto(objects, oldTree, newTree, { ...walk, prefix: `${walk.prefix}/` });
  }
  const before = oldTree === null ? a : undefined;
  const after = newTree === null ? b : undefined;
  if (before !== undefined || after !== undefined) walk.changes.push(change(walk.prefix, before, after));
}

function change(path: string, before: TreeEntry | undefined, after: TreeEntry | undefined): TreeChange {
  const oid = before?.oid ?? after?.oid ?? "";
  const noOid = "0".repeat(oid.length);
  return {
    path,
    kind: kindOf(before, after),
    oldMode: before?.mode ?? ABSENT_MODE,
    newMode: after?.mode ?? ABSENT_MODE,
    oldOid: before?.oid ?? noOid,
    newOid: after?.oid ?? noOid,
  };
}

function kindOf(before: TreeEntry | undefined, after: TreeEntry | undefined): TreeChange["kind"] {
  if (before === undefined) return "added";
  if (after === undefined) return "deleted";
  // The first three digits are the type: file, link, submodule.
  return before.mode.slice(0, 3) === after.mode.slice(0, 3) ? "modified" : "typeChanged";
}

async function byName(objects: Objects, tree: string | null): Promise<Map<string, TreeEntry>> {
  const entries = tree === null ? [] : await objects.tree(tree);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/**
 * An id of the tree's content without these paths. Equal content gives equal ids; it is not the id of
 * a git object unless nothing was left out.
 */
export async function idWithout(objects: Objects, tree: string, paths: string[]): Promise<string> {
  const parts: string[] = [];
  for (const entry of await objects.tree(tree)) {
    const below = paths.filter((path) => path.startsWith(`${entry.name}/`)).map((path) => path.slice(entry.name.length + 1));
    // A trailing slash names the folder itself.
    if (paths.includes(entry.name) || below.includes("")) continue;
    const inside = below.length > 0 && entry.mode === TREE_MODE;
    const oid = inside ? await idWithout(objects, entry.oid, below) : entry.oid;
    // A folder of which nothing remains does not exist for git either.
    if (oid !== EMPTY) parts.push(`${entry.mode} ${entry.name}\0${oid}`);
  }
  return parts.length === 0 ? EMPTY : createHash("sha256").update(parts.join("\n")).digest("hex");
}

const EMPTY = "0".repeat(64);

/** Paths of all files of a tree below an entry, the entry itself included when it is a file. */
export async function filesBelow(objects: Objects, entry: TreeEntry, path: string): Promise<{ path: string; entry: TreeEntry }[]> {
  if (entry.mode !== TREE_MODE) return [{ path, entry }];
  const files: { path: string; entry: TreeEntry }[] = [];
  for (const child of await objects.tree(entry.oid)) files.push(...(await filesBelow(objects, child, `${path}/${child.name}`)));
  return files;
}
