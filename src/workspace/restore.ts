/** Writes paths of a tree back into the working tree, whatever stands there now, without following any link. */
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expectOk, type Git } from "./git.js";
import type { Objects, TreeEntry } from "./objects.js";
import { locate } from "./safe-path.js";
import { writeAtomically } from "./tree-files.js";
import { filesBelow, LINK_MODE, SUBMODULE_MODE } from "./tree-diff.js";

interface Restoring {
  git: Git;
  objects: Objects;
}

interface Wanted {
  path: string;
  entry: TreeEntry;
}

export async function restorePaths(tree: string, paths: string[], room: Restoring): Promise<void> {
  const wanted: Wanted[] = [];
  for (const path of paths) {
    const entry = await room.objects.entry(tree, path);
    if (entry === null) removePath(room.git.root, path);
    else wanted.push(...(await filesBelow(room.objects, entry, path)));
  }
  const files = wanted.filter(({ entry }) => entry.mode !== SUBMODULE_MODE);
  const contents = await readContents(files, room);
  for (const file of files) putBack(room.git.root, file, contents.get(file.path) ?? Buffer.alloc(0));
}

/** A folder of that name is not the file that must go. */
function removePath(root: string, path: string): void {
  const place = locate(root, path);
  if (place.kind === "reachable" && place.stat !== null && !place.stat.isDirectory()) unlinkSync(place.path);
}

/** Files as a checkout would write them (line ends, filters), links as their target. */
async function readContents(files: Wanted[], room: Restoring): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  // A line break in a name can not be asked for in this form; such a file is read unfiltered.
  const filtered = files.filter(({ path, entry }) => entry.mode !== LINK_MODE && !path.includes("\n"));
  for (const { path, entry } of files) {
    if (!filtered.some((file) => file.path === path)) contents.set(path, await rawContent(entry, room.objects));
  }
  if (filtered.length === 0) return contents;
  const input = filtered.map(({ path, entry }) => `${entry.oid} ${path}\n`).join("");
  const output = expectOk(await room.git.read(["cat-file", "--batch", "--filters"], { input }), "cat-file --filters");
  let at = 0;
  for (const { path } of filtered) {
    const headerEnd = output.indexOf(10, at);
    const size = Number(output.toString("utf8", at, headerEnd).split(" ")[2]);
    if (!Number.isInteger(size)) throw new Error(`the content of ${path} is missing from the repository`);
    contents.set(path, output.subarray(headerEnd + 1, headerEnd + 1 + size));
    at = headerEnd + 1 + size + 1;
  }
  return contents;
}

async function rawContent(entry: TreeEntry, objects: Objects): Promise<Buffer> {
  const blob = await objects.object(entry.oid);
  if (blob === null) throw new Error(`object ${entry.oid} is missing from the repository`);
  return blob.content;
}

function putBack(root: string, file: Wanted, content: Buffer): void {
  clearWay(root, file.path);
  const path = join(root, file.path);
  mkdirSync(dirname(path), { recursive: true });
  if (file.entry.mode === LINK_MODE) {
    const temporary = `${path}.ralphd-${process.pid}.tmp`;
    symlinkSync(content.toString("utf8"), temporary);
    renameSync(temporary, path);
    return;
  }
  // As git creates files: the mode bits, less the umask.
  const mode = (file.entry.mode === "100755" ? 0o777 : 0o666) & ~process.umask();
  writeAtomically(path, content, mode);
}

/** Removes what stands where a parent folder or the file itself must be. */
function clearWay(root: string, path: string): void {
  for (let place = locate(root, path); ; place = locate(root, path)) {
    if (place.kind === "outside") throw new Error(`${path} does not lie in the working tree`);
    if (place.kind === "blocked") unlinkSync(place.parent);
    else {
      if (place.kind === "reachable" && place.stat?.isDirectory() === true) rmSync(place.path, { recursive: true });
      return;
    }
  }
}
