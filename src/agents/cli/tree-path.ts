/** Paths as agents name them, made relative to the folder they work in. */
import { isAbsolute, relative, sep } from "node:path";

/** Relative to the first root that holds the path, with `/`; a path elsewhere stays as it is. */
export function treePath(roots: readonly string[], path: string): string {
  if (!isAbsolute(path)) return path.replace(/^\.\//, "");
  for (const root of roots) {
    const inside = relative(root, path);
    if (inside !== "" && !inside.startsWith("..") && !isAbsolute(inside)) return inside.split(sep).join("/");
  }
  return path;
}
