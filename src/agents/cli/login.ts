/** Whether a product has a login, and who pays, as far as that shows without starting it or asking a network. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type JsonObject, asObject, parseJson } from "../json.js";
import { readTextOrNull } from "../../quiet-files.js";

/** `billing` is null where it does not show. */
export type Login = { kind: "found"; billing: string | null } | { kind: "none" };

export const NO_LOGIN: Login = { kind: "none" };

export function found(billing: string | null): Login {
  return { kind: "found", billing };
}

/** The first of these variables that is set and not empty. */
export function firstSet(env: NodeJS.ProcessEnv, names: readonly string[]): string | null {
  return names.find((name) => (env[name] ?? "").trim() !== "") ?? null;
}

export function homeOf(env: NodeJS.ProcessEnv): string {
  return env["HOME"] ?? homedir();
}

/** `XDG_CONFIG_HOME` and the like, with their fallback below the home folder. */
export function xdg(env: NodeJS.ProcessEnv, variable: string, fallback: string): string {
  const set = env[variable];
  return set === undefined || set === "" ? join(homeOf(env), fallback) : set;
}

export function readJson(path: string): JsonObject | null {
  return asObject(parseJson(readTextOrNull(path) ?? ""));
}

/** An object with at least one entry. */
export function hasEntries(value: unknown): boolean {
  const object = asObject(value);
  return object !== null && Object.keys(object).length > 0;
}
