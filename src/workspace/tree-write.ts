/** Writes a tree that differs from a known one in a few paths: a fifth of the time of a `git write-tree` process. */
import type { GitSession } from "./git-session.js";
import type { Objects, TreeEntry } from "./objects.js";
import { LINK_MODE, SUBMODULE_MODE, TREE_MODE } from "./tree-diff.js";

export interface TreeEdit {
  path: string;
  /** null removes the path. */
  entry: { mode: string; oid: string } | null;
}

export interface TreeWriting {
  objects: Objects;
  /** Runs `git mktree --batch -z`. */
  writer: GitSession;
}

export const MKTREE_ARGS = ["mktree", "--batch", "-z"];
/** Others stand in some old trees, and git's index would write them differently. */
const KNOWN_MODES = new Set(["100644", "100755", LINK_MODE, SUBMODULE_MODE, TREE_MODE]);

/** Later edits win. null when it can't be done this way; the caller asks git then. */
export async function editTree(base: string, edits: TreeEdit[], room: TreeWriting): Promise<string | null> {
  const entries = new Map((await room.objects.tree(base)).map((entry) => [entry.name, entry]));
  return writeEdited(entries, edits, room);
}

async function writeEdited(entries: Map<string, TreeEntry>, edits: TreeEdit[], room: TreeWriting): Promise<string | null> {
  const below = new Map<string, TreeEdit[]>();
  for (const edit of edits) {
    const slash = edit.path.indexOf("/");
    const name = slash < 0 ? edit.path : edit.path.slice(0, slash);
    if (slash >= 0) {
      const inner = below.get(name) ?? [];
      below.set(name, [...inner, { ...edit, path: edit.path.slice(slash + 1) }]);
    } else if (edit.entry !== null) {
      // The whole folder gives way, as `update-index --replace` does it.
      below.delete(name);
      // No more than that: trees stay in memory, and an edit may know much about its file.
      const { mode, oid } = edit.entry;
      entries.set(name, { name, mode, oid });
    } else if (entries.get(name)?.mode !== TREE_MODE) entries.delete(name);
  }
  for (const [name, inner] of below) {
    const old = entries.get(name);
    const children = old?.mode === TREE_MODE ? await room.objects.tree(old.oid) : [];
    const edited = new Map(children.map((entry) => [entry.name, entry]));
    const isReplaced = old === undefined || old.mode === TREE_MODE || inner.some((edit) => edit.entry !== null);
    if (!isReplaced) continue;
    const oid = await writeEdited(edited, inner, room);
    if (oid === null) return null;
    // Git has no empty folders.
    if (edited.size === 0) entries.delete(name);
    else entries.set(name, { name, mode: TREE_MODE, oid });
  }
  return make([...entries.values()], room);
}

async function make(entries: TreeEntry[], { writer, objects }: TreeWriting): Promise<string | null> {
  // A name that was no UTF-8 can not be written back.
  if (entries.some((entry) => entry.name.includes("\uFFFD") || !KNOWN_MODES.has(entry.mode))) return null;
  const lines = entries.map((entry) => `${entry.mode} ${typeOf(entry.mode)} ${entry.oid}\t${entry.name}\0`);
  const answer = await writer.ask(`${lines.join("")}\0`, (start) => (start.includes(10) ? start.indexOf(10) + 1 : null));
  if (answer === null) return null;
  const oid = answer.toString("utf8").trim();
  objects.remember(oid, entries);
  return oid;
}

function typeOf(mode: string): "tree" | "commit" | "blob" {
  if (mode === TREE_MODE) return "tree";
  return mode === SUBMODULE_MODE ? "commit" : "blob";
}
