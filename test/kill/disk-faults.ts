/** A disk that refuses while the program runs: full of bytes, full of files, or read-only in one of its folders; and room again. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, type Scratch } from "../acceptance/harness.js";

export interface Fault {
  /** False when there is nothing yet that could refuse. */
  begin(): boolean;
  end(): void;
}

export interface SmallDisk {
  place: Scratch;
  bytes: Fault;
  files: Fault;
  unmount(): void;
}

/** Enough for a run, little enough to be filled in a blink. */
const SIZE = "size=6m,nr_inodes=3000";

export function mayMount(): boolean {
  const mount = mountSmall();
  if (mount !== null) unmount(mount);
  return mount !== null;
}

function mountSmall(): string | null {
  const mount = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-disk-")));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", SIZE, "tmpfs", mount]).status === 0) return mount;
  rmdirSync(mount);
  return null;
}

function unmount(mount: string): void {
  execFileSync("umount", ["-l", mount]);
  rmdirSync(mount);
}

/** The repository of this place on a file system of its own; null where this user may not mount one. */
export function onSmallDisk(place: Scratch): SmallDisk | null {
  const mount = mountSmall();
  if (mount === null) return null;
  cpSync(place.root, join(mount, "repo"), { recursive: true });
  return {
    place: at(join(mount, "repo"), place.home),
    bytes: fault(
      () => fillBytes(join(mount, "fill")),
      () => rmSync(join(mount, "fill"), { force: true }),
    ),
    files: fault(
      () => fillFiles(join(mount, "fill")),
      () => rmSync(join(mount, "fill"), { recursive: true, force: true }),
    ),
    unmount: () => unmount(mount),
  };
}

function fault(begin: () => void, end: () => void): Fault {
  return { begin: () => (begin(), true), end };
}

/** To the last byte, also of the last page. */
function fillBytes(path: string): void {
  for (const bytes of [1 << 20, 4_096, 16]) untilFull(() => writeFileSync(path, Buffer.alloc(bytes), { flag: "a" }));
}

function fillFiles(path: string): void {
  mkdirSync(path, { recursive: true });
  let n = 0;
  untilFull(() => writeFileSync(join(path, String(n++)), ""));
}

function untilFull(write: () => void): void {
  try {
    for (;;) write();
  } catch {
    // Full, which is what was wanted.
  }
}

/** Root ignores modes, so that only a mount can refuse it; others may not mount. */
export function readOnly(folder: string): Fault {
  return process.getuid?.() === 0 ? readOnlyMount(folder) : readOnlyModes(folder);
}

function readOnlyMount(folder: string): Fault {
  let mounted = false;
  const end = (): void => {
    if (mounted) execFileSync("umount", ["-l", folder]);
    mounted = false;
  };
  return {
    begin: () => {
      if (!existsSync(folder) || spawnSync("mount", ["--bind", folder, folder]).status !== 0) return false;
      mounted = true;
      if (spawnSync("mount", ["-o", "remount,ro,bind", folder]).status === 0) return true;
      // A file was opened for writing between the two commands: a new mount has no writers yet.
      end();
      return false;
    },
    end,
  };
}

function readOnlyModes(folder: string): Fault {
  const folders = (): string[] =>
    existsSync(folder)
      ? [
          folder,
          ...readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isDirectory())
            .map((entry) => join(entry.parentPath, entry.name)),
        ]
      : [];
  const change = (mode: number): boolean => {
    for (const path of folders()) chmodSync(path, mode);
    return folders().length > 0;
  };
  return { begin: () => change(0o555), end: () => void change(0o755) };
}
