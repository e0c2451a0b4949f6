/** The pinned bytes on disk: `pinned/index.json` says what stood where, `pinned/bytes/<sha256>` holds the contents. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { PINNED_DIR } from "../core/paths.js";
import { writeAtomic } from "./atomic.js";
import { onDisk, systemCode } from "../core/disk-error.js";
import { hashOf } from "./tree-entry.js";

const entrySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  z.object({ kind: z.literal("file"), hash: z.string(), size: z.number(), mode: z.number() }),
  z.object({ kind: z.literal("symlink"), target: z.string() }),
  z.object({ kind: z.literal("other") }),
]);

const indexSchema = z.object({
  version: z.literal(1),
  freeze: z.array(z.string()),
  /** Gate scripts and task files, also those that must not appear. */
  files: z.array(z.string()),
  /** A person's own changes from before the run. */
  untouched: z.array(z.string()).default([]),
  packages: z.array(
    z.object({
      path: z.string(),
      scripts: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
      /** Hash of the last readable version. */
      good: z.string(),
    }),
  ),
  /** What stood at each frozen path; a frozen path that is not listed was absent. */
  entries: z.record(z.string(), entrySchema),
  /** Programs of the repository that gates start by name; absent in runs of earlier versions. */
  programs: z
    .object({
      folders: z.array(z.string()),
      names: z.array(z.string()),
      /** Folders that did not exist then: what fills them later is an installation. */
      missing: z.array(z.string()).default([]),
      /** Links on the way to the folders, with their targets. */
      links: z.record(z.string(), z.string()).default({}),
      /** Names that some program answered to when the run started. */
      known: z.array(z.string()),
      /** Names that programs outside of the repository answered to, with the folders of PATH that held one. */
      outside: z.record(z.string(), z.array(z.string())).default({}),
      entries: z.record(z.string(), entrySchema),
    })
    .optional(),
  /** Git's own files, null where there was none. */
  control: z.record(z.string(), z.string().nullable()),
});

export type PinnedIndex = z.infer<typeof indexSchema>;

const INDEX = `${PINNED_DIR}/index.json`;

export interface PinnedStore {
  /** null before the first `save`. Throws when index or bytes are damaged: then nothing is known about the start any more. */
  load(): PinnedIndex | null;
  /** Comes after the bytes it names, so that a crash in between leaves the earlier index whole. */
  save(index: PinnedIndex): void;
  /** Returns the hash by which `bytes` finds them again. */
  keep(bytes: Uint8Array): string;
  bytes(hash: string): Buffer;
}

/**
 * `runDir` is absolute. The bytes are also held in memory, which an agent can't reach: the copies on disk are for
 * a restart, and their hashes are checked then.
 */
export function openPinnedStore(runDir: string): PinnedStore {
  const held = new Map<string, Buffer>();
  const at = (hash: string): string => join(runDir, PINNED_DIR, "bytes", hash);
  const write = (path: string, content: string | Uint8Array): void => {
    onDisk(path, () => mkdirSync(dirname(path), { recursive: true }));
    writeAtomic(path, content);
  };
  const take = (hash: string, whose: string): void => {
    const bytes = readIfThere(at(hash));
    if (bytes === null || hashOf(bytes) !== hash) throw new Error(`the pinned copy of ${whose} was changed: ${at(hash)}`);
    held.set(hash, bytes);
  };
  return {
    load() {
      const text = readIfThere(join(runDir, INDEX))?.toString("utf8");
      if (text === undefined) return null;
      const index = indexSchema.parse(JSON.parse(text));
      for (const { path, good } of index.packages) take(good, path);
      for (const [path, entry] of Object.entries({ ...index.programs?.entries, ...index.entries })) if (entry.kind === "file") take(entry.hash, path);
      return index;
    },
    save: (index) => write(join(runDir, INDEX), `${JSON.stringify(index, null, 2)}\n`),
    keep(bytes) {
      const hash = hashOf(bytes);
      if (!held.has(hash)) write(at(hash), bytes);
      held.set(hash, Buffer.from(bytes));
      return hash;
    },
    bytes(hash) {
      const bytes = held.get(hash);
      if (bytes === undefined) throw new Error(`nothing was pinned as ${hash}`);
      return bytes;
    },
  };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}
