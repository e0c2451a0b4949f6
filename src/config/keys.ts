/** The spellings of a key: snake_case, kebab-case and short names all lead to one canonical key. */
import type { KeyPath } from "./raw-layer.js";

/** Short names that people know from flags and other tools, and the keys that they stand for. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  maxIterations: ["limits", "iterations"],
  maxTokens: ["limits", "tokens"],
  maxCost: ["limits", "cost"],
  maxTime: ["limits", "time"],
  maxLimitWait: ["limits", "limitWait"],
  maxRuntime: ["limits", "time"],
  iterationTimeout: ["limits", "iteration"],
  idleTimeout: ["limits", "idle"],
  onStuck: ["brakes", "onStuck"],
  model: ["agent", "model"],
};

/** `max_iterations` and `max-iterations` become `maxIterations`. */
export function camelKey(written: string): string {
  return written.replace(/(?<=[A-Za-z0-9])[-_]([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Spells a canonical key the way the person spells keys. */
export function spelledLike(key: string, written: string): string {
  if (written.includes("_")) return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return written.includes("-") ? kebabKey(key) : key;
}

export function kebabKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Where a key of a mapping belongs. */
export function canonicalPath(parent: KeyPath, written: string): KeyPath {
  if (holdsNames(parent)) return [...parent, written];
  const key = camelKey(written);
  const alias = Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
  if (alias === undefined) return [...parent, key];
  if (parent.length === 0) return alias;
  return parent.length === 1 && parent[0] === alias[0] ? alias : [...parent, key];
}

/** Model ids, variables and the names of agents are words of others, not keys of ours. */
function holdsNames(parent: KeyPath): boolean {
  const last = parent.at(-1);
  if (parent.length === 1) return last === "agents";
  if (last === "windows" && parent[0] === "context") return true;
  return (last === "prices" || last === "envSet") && ["agent", "agents", "fallback"].includes(String(parent[0]));
}

/** The key that a bare value stands for: `agent: claude`, `gutterCommand: 3`, `- npm test` as a gate. */
export function shorthandKey(path: KeyPath): string | null {
  const written = path.map((step) => (typeof step === "number" ? "*" : step)).join(".");
  return Object.hasOwn(SHORTHANDS, written) ? (SHORTHANDS[written] ?? null) : null;
}

/** By canonical path, `*` for the items of a list. */
export const SHORTHANDS: Readonly<Record<string, string>> = {
  agent: "kind",
  "fallback.*": "kind",
  "brakes.gutterCommand": "count",
  "brakes.gutterThrash": "count",
  "gates.*": "run",
  "notify.*": "kind",
  heartbeat: "url",
  sandbox: "mode",
  "hooks.onStart": "run",
  "hooks.onIterationStart": "run",
  "hooks.onIterationEnd": "run",
  "hooks.onStop": "run",
  "hiddenGates.*": "run",
};
