/** Keeps file tools inside the working directory, symbolic links included. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

export type Confined =
  /** `absolute` has no symbolic link in it; `shown` is relative to the root with `/`. */
  { kind: "inside"; absolute: string; shown: string } | { kind: "outside"; message: string };

/** `root` must be a real path. The file itself need not exist. */
export function confine(root: string, path: string): Confined {
  const absolute = resolveLinks(resolve(root, path));
  if (absolute === null) return { kind: "outside", message: `${path} is a broken symbolic link` };
  if (absolute !== root && !absolute.startsWith(root + sep)) {
    return { kind: "outside", message: `${path} lies outside the working directory ${root}` };
  }
  return { kind: "inside", absolute, shown: relative(root, absolute).replaceAll(sep, "/") || "." };
}

/**
 * Real path of the nearest existing ancestor plus the rest; null for a link that leads nowhere,
 * since writing through it would create a file anywhere.
 */
function resolveLinks(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Not there (or not readable): its parent decides where it would be.
    if (isLink(path)) return null;
    const parent = dirname(path);
    if (parent === path) return path;
    const above = resolveLinks(parent);
    return above === null ? null : join(above, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // Nothing there, so no link either.
    return false;
  }
}
