/** The agent's working tree as plain files. Links are neither followed nor written through. */
import { closeSync, fchmodSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { diskErrorOf, onDisk } from "../core/disk-error.js";
import type { TreeFiles } from "../driver/ports.js";
import { locate } from "./safe-path.js";

export function treeFiles(root: string): TreeFiles {
  return {
    read(path) {
      const place = locate(root, path);
      if (place.kind !== "reachable" || place.stat === null || !place.stat.isFile()) return null;
      try {
        return readFileSync(place.path, "utf8");
      } catch {
        // Unreadable is absent, as the port says.
        return null;
      }
    },
    write(path, content) {
      const place = locate(root, path);
      if (place.kind === "outside" || place.kind === "blocked") return false;
      const stat = place.kind === "reachable" ? place.stat : null;
      // A link that stands here is left alone: it may lead to a file that someone else owns.
      if (stat !== null && !stat.isFile()) return false;
      try {
        writeAtomically(join(root, path), content, stat === null ? null : stat.mode & 0o7777);
        return true;
      } catch (error) {
        const refusal = diskErrorOf(error);
        if (refusal !== null) throw refusal;
        // Missing rights; the caller decides what that means.
        return false;
      }
    },
    remove(path) {
      const place = locate(root, path);
      if (place.kind !== "reachable" || place.stat === null || place.stat.isDirectory()) return false;
      onDisk(place.path, () => unlinkSync(place.path));
      return true;
    },
    setAside(path) {
      const place = locate(root, path);
      const blocker = place.kind === "blocked" ? place.parent : place.kind === "reachable" && place.stat !== null && !place.stat.isFile() ? place.path : null;
      if (blocker === null) return null;
      let aside = `${blocker}.moved`;
      for (let number = 2; lstatSync(aside, { throwIfNoEntry: false }) !== undefined; number += 1) aside = `${blocker}.moved-${number}`;
      try {
        renameSync(blocker, aside);
        return relative(root, aside);
      } catch {
        // A mount point or a folder without rights; the caller sees that its write fails.
        return null;
      }
    },
    list(folder) {
      const place = locate(root, folder);
      if (place.kind !== "reachable" || place.stat?.isDirectory() !== true) return [];
      const entries = readdirSync(place.path, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort();
    },
  };
}

/** A reader sees the old or the new content, never a part. `mode` null takes the default of new files. */
export function writeAtomically(path: string, content: string | Buffer, mode: number | null): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.ralphd-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  try {
    const fd = openSync(temporary, "wx", 0o666);
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      if (mode !== null) fchmodSync(fd, mode);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
