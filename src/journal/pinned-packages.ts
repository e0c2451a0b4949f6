/** The scripts that gates call in package.json files: only they are frozen, the rest is the agent's to change. */
import { relative } from "node:path";
import { changedScripts, restoreScripts } from "../core/guard/package-scripts.js";
import type { RestoredPath } from "../driver/ports.js";
import { putBack, type Restoring } from "./put-back.js";
import { hashOf, linkAbove, moveAside, observe, putFile, readPlain } from "./tree-entry.js";

const DEFAULT_MODE = 0o644;

export function restorePackages(restoring: Restoring): RestoredPath[] {
  return restoring.index.packages.flatMap((one) => restorePackage(restoring, one));
}

function restorePackage(restoring: Restoring, { path, scripts }: Restoring["index"]["packages"][number]): RestoredPath[] {
  const { root, runDir, store, keepDir } = restoring;
  const bytes = linkAbove(root, path) === null ? readPlain(root, path) : null;
  const text = bytes?.toString("utf8") ?? null;
  const good = text === null ? null : restoreScripts(text, scripts);
  if (text === null || good === null) {
    // The last readable version, not that of the start: dependencies added since then stay.
    const last = store.bytes(path);
    const why = `${text === null ? "was removed or replaced" : "is no readable JSON any more"}; gates call its scripts, the last readable version is back`;
    return [putBack(restoring, path, { kind: "file", hash: hashOf(last), size: last.length, mode: DEFAULT_MODE }, why)];
  }
  let restored: RestoredPath[] = [];
  if (good !== text) {
    const names = changedScripts(text, scripts) ?? [];
    const entry = observe(root, path);
    const kept = moveAside(root, path, keepDir);
    putFile(root, path, Buffer.from(good), entry.kind === "file" ? entry.mode : DEFAULT_MODE);
    const why = `gates call its ${names.length === 1 ? "script" : "scripts"} ${names.join(", ")}, put back as at the start; your other changes stay`;
    restored = [{ path, rule: "frozen", why, keptAs: kept === null ? null : relative(runDir, kept) }];
  }
  if (!store.bytes(path).equals(Buffer.from(good))) store.keepBytes(path, Buffer.from(good));
  return restored;
}
