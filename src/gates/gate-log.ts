/** Where a gate's whole output goes, and taking secrets out of it once it is there. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Larger logs are cut to the part that is known to be clean; nobody reads them whole. */
const MAX_REDACTED_BYTES = 64 * 1024 * 1024;

/** `<gate>.log`, `<gate>.2.log` …: a second try or a second moment keeps the first one's output. */
export function nextLogPath(outputDir: string, gate: string): string {
  mkdirSync(outputDir, { recursive: true });
  // Names come from people; a slash or a leading dot must not lead elsewhere.
  const name =
    gate
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[.-]+/, "")
      .slice(0, 80) || "gate";
  let path = join(outputDir, `${name}.log`);
  for (let n = 2; existsSync(path); n += 1) path = join(outputDir, `${name}.${n}.log`);
  return path;
}

/** `kept` is the clean head and tail. */
export function redactLog(path: string, redact: (text: string) => string, kept: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).size > MAX_REDACTED_BYTES) {
    writeFileSync(path, `${kept}\n[the middle of this log was too large to be searched for secrets and was left out]\n`);
    return;
  }
  // One byte a character, so that output in no known encoding stays as it was.
  const raw = readFileSync(path, "latin1");
  const clean = redact(raw);
  if (clean !== raw) writeFileSync(path, clean, "latin1");
}
