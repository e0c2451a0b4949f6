/** Fresh temporary folders, removed after each test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "ralphd-journal-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
