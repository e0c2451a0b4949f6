/**
 * Programs that gates start by name and that lie outside of the repository. They are nobody's to put back, so gates do
 * not run while another program has come in front of one that was there at the start.
 */
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Folders of PATH that held the program when the run started, in order. */
export type OutsidePrograms = Record<string, string[]>;

export function pinOutside(names: readonly string[], path: string, root: string): OutsidePrograms {
  const folders = outsideFolders(path, root);
  const held = names.map((name): [string, string[]] => [name, folders.filter((folder) => existsSync(join(folder, name)))]);
  return Object.fromEntries(held.filter(([, holders]) => holders.length > 0));
}

/** Parts of PATH that are not below the root. */
export function outsideFolders(path: string, root: string): string[] {
  return path.split(":").filter((folder) => isAbsolute(folder) && folder !== root && !folder.startsWith(`${root}/`));
}

/** Says which program is another one now; null while all are found where they were. Cheap while no folder of PATH changes. */
export function watchOutside(pinned: OutsidePrograms, folders: readonly string[]): () => string | null {
  let seen = "";
  let stray: string | null = null;
  return () => {
    const now = JSON.stringify(folders.map(changeTime));
    if (now !== seen) stray = findStray(pinned, folders);
    seen = now;
    return stray;
  };
}

/** Of a folder: another one once anything was added or removed in it, and nobody but root can set it. */
function changeTime(folder: string): string | null {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.ctimeNs}`;
}

function findStray(pinned: OutsidePrograms, folders: readonly string[]): string | null {
  for (const [name, holders] of Object.entries(pinned)) {
    const last = folders.lastIndexOf(holders.at(-1) ?? "");
    const added = folders.find((folder, at) => at < last && !holders.includes(folder) && existsSync(join(folder, name)));
    if (added !== undefined) return `${join(added, name)} came during the run, in front of the ${name} that gates run (${join(holders[0] ?? "", name)})`;
  }
  return null;
}
