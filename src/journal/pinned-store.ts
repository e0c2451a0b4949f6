/** The pinned bytes on disk: `pinned/index.json` says what stood where, `pinned/bytes/<sha256>` holds the contents. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { PINNED_DIR } from "../core/paths.js";
import { writeAtomic } from "./atomic.js";
import { onDisk, systemCode } from "../core/disk-error.js";
import { hashOf } from "./tree-entry.js";

const entrySchema = v.variant("kind", [
  v.object({ kind: v.literal("absent") }),
  v.object({ kind: v.literal("file"), hash: v.string(), size: v.number(), mode: v.number() }),
  v.object({ kind: v.literal("symlink"), target: v.string() }),
  v.object({ kind: v.literal("other") }),
]);

/**
 * Keys are paths and names of any kind; valibot's own records leave out keys such as `constructor`, and a frozen file of
 * that name would count as absent.
 */
function byName<S extends v.GenericSchema>(value: S) {
  const isObject = (input: unknown): boolean => typeof input === "object" && input !== null && !Array.isArray(input);
  return v.pipe(
    v.custom<Record<string, v.InferInput<S>>>(isObject),
    v.transform(Object.entries),
    v.array(v.tuple([v.string(), value])),
    v.transform((entries): Record<string, v.InferOutput<S>> => Object.fromEntries(entries)),
  );
}

const indexSchema = v.object({
  version: v.literal(1),
  freeze: v.array(v.string()),
  /** Gate scripts and task files, also those that must not appear. */
  files: v.array(v.string()),
  /** A person's own changes from before the run. */
  untouched: v.optional(v.array(v.string()), []),
  packages: v.array(
    v.object({
      path: v.string(),
      scripts: v.array(v.object({ name: v.string(), value: v.nullable(v.string()) })),
      /** Hash of the last readable version. */
      good: v.string(),
    }),
  ),
  /** What stood at each frozen path; a frozen path that is not listed was absent. */
  entries: byName(entrySchema),
  /** Programs of the repository that gates start by name; absent in runs of earlier versions. */
  programs: v.optional(
    v.object({
      folders: v.array(v.string()),
      names: v.array(v.string()),
      /** Folders that did not exist then: what fills them later is an installation. */
      missing: v.optional(v.array(v.string()), []),
      /** Links on the way to the folders, with their targets. */
      links: v.optional(byName(v.string()), {}),
      /** Names that some program answered to when the run started. */
      known: v.array(v.string()),
      /** Names that programs outside of the repository answered to, with the folders of PATH that held one. */
      outside: v.optional(byName(v.array(v.string())), {}),
      entries: byName(entrySchema),
    }),
  ),
  /** Git's own files, null where there was none. */
  control: byName(v.nullable(v.string())),
});

export type PinnedIndex = v.InferOutput<typeof indexSchema>;

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
      const index = v.parse(indexSchema, JSON.parse(text));
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
