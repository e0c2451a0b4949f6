/** The scripts that gates call in package.json files: only they are frozen, the rest is the agent's to change. */
import { changedScripts, restoreScripts } from "../core/guard/package-scripts.js";
import { announce, putBack, type Restoring } from "./put-back.js";
import { linkAbove, observe, putFile, readPlain } from "./tree-entry.js";

const DEFAULT_MODE = 0o644;

export function restorePackages(restoring: Restoring): void {
  for (const one of restoring.index.packages) restorePackage(restoring, one);
}

function restorePackage(restoring: Restoring, pinned: Restoring["index"]["packages"][number]): void {
  const { path, scripts } = pinned;
  const { root, store } = restoring;
  const bytes = linkAbove(root, path) === null ? readPlain(root, path) : null;
  const text = bytes?.toString("utf8") ?? null;
  const good = text === null ? null : restoreScripts(text, scripts);
  if (text === null || good === null) {
    // The last readable version, not that of the start: dependencies added since then stay.
    const { length: size } = store.bytes(pinned.good);
    const why = `${text === null ? "was removed or replaced" : "is no readable JSON any more"}; gates call its scripts, the last readable version is back`;
    putBack(restoring, path, { kind: "file", hash: pinned.good, size, mode: DEFAULT_MODE }, { why });
    return;
  }
  if (good !== text) {
    const names = changedScripts(text, scripts) ?? [];
    const entry = observe(root, path);
    const why = `gates call its ${names.length === 1 ? "script" : "scripts"} ${names.join(", ")}, put back as at the start; your other changes stay`;
    announce(restoring, path, { why, ours: good });
    putFile(root, path, Buffer.from(good), entry.kind === "file" ? entry.mode : DEFAULT_MODE);
  }
  pinned.good = store.keep(Buffer.from(good));
}
