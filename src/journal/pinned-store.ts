/** The pinned bytes on disk: `pinned/index.json` and, below `pinned/files/`, the files as they were at the start. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { PINNED_DIR } from "../core/paths.js";
import { writeAtomic } from "./atomic.js";
import { onDisk, systemCode } from "./disk-error.js";

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
  packages: z.array(
    z.object({ path: z.string(), scripts: z.array(z.object({ name: z.string(), value: z.string().nullable() })) }),
  ),
  /** What stood at each frozen path; a frozen path that is not listed was absent. */
  entries: z.record(z.string(), entrySchema),
  /** Git's own files, null where there was none. */
  control: z.record(z.string(), z.string().nullable()),
});

export type PinnedIndex = z.infer<typeof indexSchema>;

const INDEX = `${PINNED_DIR}/index.json`;

export interface PinnedStore {
  /** null before the first `save`. Throws when it is damaged: then nothing is known about the start any more. */
  load(): PinnedIndex | null;
  /** Comes after the bytes it names, so that a crash in between only means pinning again. */
  save(index: PinnedIndex): void;
  keepBytes(path: string, bytes: Uint8Array): void;
  bytes(path: string): Buffer;
}

/** `runDir` is absolute. */
export function openPinnedStore(runDir: string): PinnedStore {
  const at = (path: string): string => join(runDir, PINNED_DIR, "files", path);
  return {
    load() {
      const text = readIfThere(join(runDir, INDEX));
      return text === null ? null : indexSchema.parse(JSON.parse(text));
    },
    save(index) {
      const path = join(runDir, INDEX);
      onDisk(path, () => mkdirSync(dirname(path), { recursive: true }));
      writeAtomic(path, `${JSON.stringify(index, null, 2)}\n`);
    },
    keepBytes(path, bytes) {
      onDisk(at(path), () => mkdirSync(dirname(at(path)), { recursive: true }));
      writeAtomic(at(path), bytes);
    },
    bytes: (path) => readFileSync(at(path)),
  };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}
