/** A working tree with a recorded run, as the reading commands find it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { createRun, type RunStore } from "../../src/journal/run-store.js";
import { acquireLock } from "../../src/workspace/lock.js";
import { asLines, RUN } from "../journal/events.js";
import { scratch } from "../journal/scratch.js";

export interface Place {
  root: string;
  truthDir: string;
}

export const PLAN = `---
gates: []
---
- [x] \`GET /health\` returns 200
- [ ] split the users | module
- [ ] (manual) rotate the production key
- [ ] describe the <api>
- [~] later
`;

export function place(): Place {
  const root = scratch();
  const truthDir = join(root, ".git/ralphd");
  mkdirSync(truthDir, { recursive: true });
  return { root, truthDir };
}

export function record({ truthDir }: Place, events: readonly JournalEvent[], run = RUN): RunStore {
  const store = createRun(truthDir, run);
  writeFileSync(store.journalPath, asLines(events));
  return store;
}

/** This test's process takes the lock, as a running driver would. */
export function live({ truthDir }: Place, run = RUN): { release(): void } {
  const lock = acquireLock(truthDir, { run });
  if (lock.kind !== "acquired") throw new Error("the lock is held");
  return lock;
}

/** The lock stays, its owner does not: what `kill -9` leaves. */
export function killed(where: Place): void {
  live(where);
  const path = join(where.truthDir, "lock");
  const { pid } = spawnSync("true");
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), pid }));
}

export interface Said {
  stdout: string[];
  stderr: string[];
  out(line: string): void;
  err(line: string): void;
}

export function listening(): Said {
  const stdout: string[] = [];
  const stderr: string[] = [];
  return { stdout, stderr, out: (line) => stdout.push(line), err: (line) => stderr.push(line) };
}
