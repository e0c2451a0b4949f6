/** Writes paths of a tree back into the working tree, whatever stands there now, without following any link. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { onDisk } from "../core/disk-error.js";
import { expectOk, type Git } from "./git.js";
import type { Objects, TreeEntry } from "./objects.js";
import { locate } from "./safe-path.js";
import { writeAtomically } from "./tree-files.js";
import { filesBelow, LINK_MODE, SUBMODULE_MODE } from "./tree-diff.js";

interface Restoring {
  git: Git;
  objects: Objects;
  truthDir: string;
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
  for (const file of files) {
    const content = contents.get(file.path);
    if (content === undefined) throw new Error(`no content was read for ${file.path}`);
    putBack(room.git.root, file, content);
  }
}

/** A folder of that name is not the file that must go. */
function removePath(root: string, path: string): void {
  const place = locate(root, path);
  if (place.kind === "reachable" && place.stat !== null && !place.stat.isDirectory()) unlinkSync(place.path);
}

/**
 * Files as a checkout would write them (line ends, filters), links as their target. A checkout into a
 * folder of ours does it: `cat-file --filters` in a batch gives the unfiltered length before git 2.42.
 */
async function readContents(files: Wanted[], room: Restoring): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const { path, entry } of files) {
    if (entry.mode === LINK_MODE) contents.set(path, await rawContent(entry, room.objects));
  }
  const plain = files.filter(({ entry }) => entry.mode !== LINK_MODE);
  if (plain.length === 0) return contents;
  // A checkout doesn't look whether the content is the one that was committed.
  for (const { entry } of plain) await rawContent(entry, room.objects);
  mkdirSync(room.truthDir, { recursive: true });
  const folder = mkdtempSync(join(room.truthDir, "restore-"));
  try {
    const indexFile = join(folder, "index");
    const input = plain.map(({ path, entry }) => `${entry.mode} ${entry.oid}\t${path}\0`).join("");
    expectOk(await room.git.write(["update-index", "-z", "--add", "--index-info"], { indexFile, input }), "update-index");
    const prefix = join(folder, "tree/");
    expectOk(await room.git.write(["checkout-index", "--all", `--prefix=${prefix}`], { indexFile }), "checkout-index");
    for (const { path } of plain) contents.set(path, readFileSync(join(prefix, path)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return contents;
}

async function rawContent(entry: TreeEntry, objects: Objects): Promise<Buffer> {
  const blob = await objects.object(entry.oid);
  if (blob === null) throw new Error(`object ${entry.oid} is missing from the repository`);
  return blob.content;
}

function putBack(root: string, file: Wanted, content: Buffer): void {
  const path = join(root, file.path);
  onDisk(path, () => write(root, path, { file, content }));
}

function write(root: string, path: string, { file, content }: { file: Wanted; content: Buffer }): void {
  clearWay(root, file.path);
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
