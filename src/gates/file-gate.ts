/** Gates on a file of the tree: its text matches, or one of its fields is as expected. A file that is not there is a fail. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { fieldAt, whyNotExpected } from "../core/field-path.js";
import type { FieldGate, FileGate } from "../core/gate.js";
import { failed, type Judged, passed, shown } from "./judged.js";
import { MATCH_MS, testWithin } from "./time-bound-match.js";

/** Reports and logs are far smaller; parsing a larger one would hold up the loop. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

export function judgeFile(spec: FileGate, root: string): Judged {
  const file = readBelow(root, spec.file);
  if (file.kind === "unreadable") return failed(`${spec.file} ${file.why}; expected text that matches /${spec.matches}/`);
  switch (testWithin(spec.matches, file.text, Math.min(spec.timeoutMs, MATCH_MS))) {
    case "match":
      return passed(`${spec.file} matches /${spec.matches}/`);
    case "noMatch":
      return failed(`${spec.file} has no match for /${spec.matches}/ in its ${file.text.split("\n").length} lines`);
    case "tooSlow":
      return failed(`/${spec.matches}/ took too long on ${spec.file}: a pattern with nested repetitions? Make it simpler`);
  }
}

export async function judgeField(spec: FieldGate, root: string): Promise<Judged> {
  const file = readBelow(root, spec.file);
  if (file.kind === "unreadable") return failed(`${spec.file} ${file.why}; expected ${spec.path} in it`);
  const parsed = await parse(spec.kind, file.text);
  if (parsed.kind === "malformed") return failed(`${spec.file} is no ${spec.kind.toUpperCase()}: ${parsed.why}`);
  const found = fieldAt(parsed.value, spec.path);
  if (found.kind === "missing") return failed(`${spec.file} has no field ${found.at}${found.at === spec.path ? "" : ` (of ${spec.path})`}`);
  const why = whyNotExpected(found.value, spec.expect);
  return why === null ? passed(`${spec.path} is ${shown(found.value)}`) : failed(`${spec.path} of ${spec.file}: ${why}, found ${shown(found.value)}`);
}

type Parsed = { kind: "value"; value: unknown } | { kind: "malformed"; why: string };

async function parse(kind: FieldGate["kind"], text: string): Promise<Parsed> {
  try {
    const plain = text.replace(/^\uFEFF/, "");
    if (kind === "json") return { kind: "value", value: JSON.parse(plain) as unknown };
    const { parseYaml } = await import("../core/yaml.js");
    return { kind: "value", value: parseYaml(plain) as unknown };
  } catch (error) {
    return { kind: "malformed", why: error instanceof Error ? error.message : String(error) };
  }
}

type FileText = { kind: "text"; text: string } | { kind: "unreadable"; why: string };

/** Never follows a symlink out of the root: the agent could point it anywhere. */
export function readBelow(root: string, path: string): FileText {
  try {
    const real = realpathSync(join(root, path));
    if (!real.startsWith(realpathSync(root) + sep)) return { kind: "unreadable", why: "points out of the repository" };
    const stat = statSync(real);
    if (!stat.isFile()) return { kind: "unreadable", why: "is no file" };
    if (stat.size > MAX_FILE_BYTES) return { kind: "unreadable", why: `is larger than ${MAX_FILE_BYTES} bytes` };
    return { kind: "text", text: readFileSync(real, "utf8") };
  } catch (error) {
    const missing = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return { kind: "unreadable", why: missing ? "is missing" : `could not be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}
