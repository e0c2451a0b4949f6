/** Fake agents and observation for the process tests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach } from "vitest";
import { listProcessesNow, withTokenNow } from "../../../src/agents/process/process-table.js";
import type { Translator } from "../../../src/agents/process/tree.js";
import type { AgentEvent } from "../../../src/core/agent-event.js";
import type { AgentRun } from "../../../src/driver/ports.js";

let folders: string[] = [];
let tokens = 0;

afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders = [];
});

export function tempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralphd-test-"));
  folders.push(folder);
  return folder;
}

export function freshToken(): string {
  tokens += 1;
  return `test-${process.pid}-${tokens}-${Math.random().toString(36).slice(2)}`;
}

export function executable(folder: string, name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source, { mode: 0o755 });
  return path;
}

/** Pids of living processes that carry the token. */
export function alive(token: string): number[] {
  return withTokenNow(
    listProcessesNow().map((entry) => entry.pid),
    token,
  );
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`gave up waiting: ${what}`);
    await sleep(5);
  }
}

export function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not written yet: the caller polls.
    return "";
  }
}

export async function collect(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (let event = await run.next(); event !== null; event = await run.next()) events.push(event);
  return events;
}

/** A line that says RESULT is the agent's last word, anything else is text. */
export const plainTranslator: Translator = {
  line: (line) => (line === "RESULT" ? [{ type: "finished", ok: true, text: null }] : [{ type: "text", text: line }]),
  end: () => [],
};

export const cleanEnv: Record<string, string> = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
