/**
 * Records of writes that a gate or a hook makes, apart from those of agents: whoever believed a record that an agent
 * could write would leave out what was never done. In the sandbox only the gate or hook itself may write there.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ONCE_SCOPES_DIR, TRUTH_DIR } from "../core/paths.js";

/** Tells `ralphd once` for whom it runs; absent below agents and people. */
export const SCOPE_VARIABLE = "RALPHD_ONCE_FOR";

export interface OnceScope {
  env: Record<string, string>;
  /** What the process has to be able to write. */
  writable: string[];
}

/** `who`: such as `gate check`. */
export function openScope(commonDir: string, who: string): OnceScope {
  const store = scopeStore(commonDir, who);
  mkdirSync(store, { recursive: true });
  return { env: { [SCOPE_VARIABLE]: who }, writable: [store] };
}

export function scopeStore(commonDir: string, who: string): string {
  return join(scopesDir(commonDir), createHash("sha256").update(who).digest("hex").slice(0, 40));
}

/** Of all gates and hooks that ever ran here. */
export function scopeStores(commonDir: string): string[] {
  try {
    return readdirSync(scopesDir(commonDir)).map((name) => join(scopesDir(commonDir), name));
  } catch {
    // None ever ran.
    return [];
  }
}

function scopesDir(commonDir: string): string {
  return join(commonDir, TRUTH_DIR, ONCE_SCOPES_DIR);
}
