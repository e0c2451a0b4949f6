/** Refuses symbolic links where ralphd keeps its state: a link would lead its writes out of the repository. */
import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { systemCode } from "../core/disk-error.js";

/**
 * Says what is wrong with `relative` below `base`: a step outside, or a symbolic link at `base` or on the way.
 * Null when the path is safe; what does not exist yet is safe. Parents of `base` belong to the user and may be links.
 */
export function unsafePath(base: string, relative = ""): string | null {
  const steps = relative.split(/[/\\]/).filter((step) => step !== "" && step !== ".");
  if (steps.includes("..") || relative.startsWith(sep)) return `${relative} leads out of ${base}`;
  let path = base;
  for (const step of ["", ...steps]) {
    path = step === "" ? path : join(path, step);
    const kind = kindOf(path);
    if (kind === "absent") return null;
    if (kind === "link") return `${path} is a symbolic link; ralphd does not write through links, remove it`;
  }
  return null;
}

function kindOf(path: string): "absent" | "link" | "other" {
  try {
    return lstatSync(path).isSymbolicLink() ? "link" : "other";
  } catch (error) {
    // Unreadable parents fail again, and loudly, at the write itself.
    if (systemCode(error) !== null) return "absent";
    throw error;
  }
}
