/**
 * The record of one write: a folder per key. The record is durable before the command starts, so after a crash the
 * question "did it happen?" is asked, and never answered by doing it again.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { syncFolder, writeAtomic } from "../journal/atomic.js";

const entrySchema = v.object({
  version: v.literal(1),
  key: v.string(),
  ordinal: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** What was run, to notice that one key is used for two things. */
  argv: v.array(v.string()),
  cwd: v.string(),
  /** Epoch ms. */
  startedAtMs: v.pipe(v.number(), v.finite()),
  windowMs: v.pipe(v.number(), v.finite()),
  /** `pending`: started, or about to be. `unknown`: whether it happened must be found out. */
  state: v.picklist(["pending", "done", "unknown"]),
  /** Why it is `unknown`, or who said that it is `done`; null normally. */
  note: v.nullable(v.string()),
  exitCode: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
});

export type Entry = v.InferOutput<typeof entrySchema>;

export type EntryReading = { kind: "none" } | { kind: "entry"; entry: Entry } | { kind: "damaged"; path: string };

const ENTRY_FILE = "entry.json";

export function entryDir(store: string, key: string, ordinal: number): string {
  return join(
    store,
    createHash("sha256")
      .update(JSON.stringify([key, ordinal]))
      .digest("hex")
      .slice(0, 40),
  );
}

export function readEntry(dir: string): EntryReading {
  const path = join(dir, ENTRY_FILE);
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "none" };
    throw error;
  }
  try {
    const entry: unknown = JSON.parse(content);
    return v.is(entrySchema, entry) ? { kind: "entry", entry } : { kind: "damaged", path };
  } catch {
    // No JSON: someone wrote into it, and what it said is lost.
    return { kind: "damaged", path };
  }
}

export function writeEntry(dir: string, entry: Entry): void {
  mkdirSync(dir, { recursive: true });
  writeAtomic(join(dir, ENTRY_FILE), `${JSON.stringify(entry, null, 1)}\n`);
  syncFolder(join(dir, ".."));
}

export type Output = Record<"stdout" | "stderr", Buffer>;
export const NO_OUTPUT: Output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

/** Output goes to disk before the record says `done`, so that a record never promises what is not there. */
export function writeOutput(dir: string, output: Output): void {
  for (const stream of ["stdout", "stderr"] as const) if (output[stream].length > 0) writeAtomic(join(dir, stream), output[stream]);
}

export function readOutput(dir: string, stream: "stdout" | "stderr"): Buffer {
  try {
    return readFileSync(join(dir, stream));
  } catch (error) {
    // It said nothing, or a person wrote it off.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

export function forget(dir: string): void {
  for (const name of [ENTRY_FILE, "stdout", "stderr"]) rmSync(join(dir, name), { force: true });
}

/** True while a second call gets the first one's result. A clock that went back keeps it valid. */
export function isValid(entry: Entry, nowMs: number, windowMs: number): boolean {
  return nowMs < entry.startedAtMs + windowMs;
}

/** Folders of the store, for tidying. */
export function entryDirs(store: string): string[] {
  try {
    return readdirSync(store, { withFileTypes: true })
      .filter((item) => item.isDirectory())
      .map((item) => join(store, item.name));
  } catch {
    // Nothing was ever stored.
    return [];
  }
}
