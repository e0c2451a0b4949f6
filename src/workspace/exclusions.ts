/** Decides which paths of the working tree never become part of a candidate, and why. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { STATE_DIR } from "../core/paths.js";

export interface ExclusionRules {
  root: string;
  maxFileBytes: number;
  /** Exact paths that the caller does not want. */
  exclude: ReadonlySet<string>;
}

/**
 * `silent`: left out because the caller or the loop itself said so; nobody needs to be told.
 * `named`: left out against the agent's possible wish; `path` may be a folder that stands for what is below it.
 */
export type Exclusion = { kind: "silent" } | { kind: "named"; path: string; reason: string };

const VENDORED = new Set(["node_modules", ".venv", "venv", "__pycache__"]);

const SECRET_NAMES = [
  /^\.env(\..+)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)$/,
  /^(credentials|service[-_]account)(\..+)?\.json$/,
  /^\.(pypirc|netrc|git-credentials|htpasswd)$/,
  /^secrets?\.(json|ya?ml|toml)$/,
];
/** Templates of secrets are meant to be shared. */
const TEMPLATE_NAMES = /\.(example|sample|template|dist|pub)(\.\w+)?$/;

/** For every path, tracked or not. */
export function excludedAlways(path: string, rules: ExclusionRules): Exclusion | null {
  if (rules.exclude.has(path) || path.startsWith(`${STATE_DIR}/`)) return { kind: "silent" };
  // Such a name can not be handed on as text without becoming another one.
  if (path.includes("\uFFFD")) return { kind: "named", path, reason: "its name is not UTF-8" };
  return null;
}

/** For paths that HEAD does not have. */
export function excludedWhenNew(path: string, rules: ExclusionRules): Exclusion | null {
  if (path.endsWith("/")) return { kind: "named", path: path.slice(0, -1), reason: "a git repository of its own" };
  const segments = path.split("/");
  const vendored = segments.findIndex((segment) => VENDORED.has(segment));
  if (vendored >= 0) {
    const folder = segments.slice(0, vendored + 1).join("/");
    return { kind: "named", path: folder, reason: "installed or generated files" };
  }
  const name = segments.at(-1) ?? "";
  if (looksSecret(name)) return { kind: "named", path, reason: "its name looks like a secret" };
  if (name === ".npmrc" && holdsToken(join(rules.root, path))) return { kind: "named", path, reason: "it holds a registry token" };
  return tooLarge(path, rules);
}

function looksSecret(name: string): boolean {
  return !TEMPLATE_NAMES.test(name) && SECRET_NAMES.some((pattern) => pattern.test(name));
}

/** Most `.npmrc` files only name a registry and belong to the project. */
function holdsToken(file: string): boolean {
  try {
    return /_auth|_password/i.test(readFileSync(file, "utf8"));
  } catch {
    // What can not be read can not be committed either.
    return true;
  }
}

function tooLarge(path: string, rules: ExclusionRules): Exclusion | null {
  const stat = lstatSync(join(rules.root, path), { throwIfNoEntry: false });
  if (stat === undefined || stat.size <= rules.maxFileBytes) return null;
  const megabytes = (stat.size / 1024 / 1024).toFixed(1);
  return { kind: "named", path, reason: `${megabytes} MB, more than the limit for new files` };
}
