/** Takes a few plain files into the index and tells their objects, without a process for each time. */
import { type BigIntStats, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { unsafePath } from "../journal/unsafe-path.js";
import { editIndex, type IndexEdit } from "./index-edit.js";
import type { StagePlan } from "./stage-plan.js";

export interface StagedFile {
  path: string;
  /** null: removed. */
  entry: { mode: string; oid: string } | null;
}

export interface FileStaging {
  root: string;
  indexFile: string;
  oidBytes: number;
  /** Object ids of files that git has taken in with the repository's filters; null when git did not answer. */
  writeBlobs(paths: string[]): Promise<string[] | null>;
  /** When the working tree was looked at, ms since the epoch. */
  lookedAtMs: number;
}

const MAX_FILES = 50;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_INDEX_BYTES = 512 * 1024;
/** Times of files come from a clock that ticks up to this much behind: 100 ticks a second are the fewest that Linux is built with. */
const COARSE_CLOCK_MS = 20;
const ATTRIBUTES = ".gitattributes";
const CARRIAGE_RETURN = 13;

/** null when it has to be done by git: links, folders, line endings that git looks up in its index, new attributes. */
export async function stageFiles(plan: StagePlan, staging: FileStaging): Promise<StagedFile[] | null> {
  if (plan.stage.length > MAX_FILES || plan.reset.length > 0 || plan.excluded.length > 0) return null;
  if ((statSync(staging.indexFile, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) > MAX_INDEX_BYTES) return null;
  const seen = plan.stage.map((path) => look(path, staging.root));
  if (seen.includes("unusual")) return null;
  const files = seen.filter((item) => item !== "unusual").filter((item): item is SeenFile => item.stat !== null);
  const oids = files.length === 0 ? [] : await staging.writeBlobs(files.map(({ path }) => path));
  if (oids === null) return null;
  const known = new Map(files.map(({ path }, position) => [path, oids[position] ?? ""]));
  const edits: IndexEdit[] = seen.flatMap((item) => {
    if (item === "unusual") return [];
    const { path, stat } = item;
    return [{ path, entry: stat === null ? null : { mode: modeOf(stat), oid: known.get(path) ?? "", stat } }];
  });
  return editIndex(staging.indexFile, staging.oidBytes, edits, staging.lookedAtMs - COARSE_CLOCK_MS) ? edits : null;
}

type SeenFile = { path: string; stat: BigIntStats };

function look(path: string, root: string): { path: string; stat: BigIntStats | null } | "unusual" {
  const file = join(root, path);
  // A name that was no UTF-8, or that git's line protocol would have to quote.
  if (/[\uFFFD\n]|^"/.test(path) || isAttributes(path)) return "unusual";
  // git does not look behind links.
  if (path.includes("/") && unsafePath(root, dirname(path)) !== null) return "unusual";
  try {
    const stat = lstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return "unusual";
    return readFileSync(file).includes(CARRIAGE_RETURN) ? "unusual" : { path, stat };
  } catch (error) {
    // Gone, with or without its folder. Whatever else stands in the way, git names it.
    return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "") ? { path, stat: null } : "unusual";
  }
}

/** Whether this file tells git how to read others. */
export function isAttributes(path: string): boolean {
  return path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`);
}

/** git knows two modes of files. */
function modeOf(stat: BigIntStats): string {
  return (stat.mode & 0o100n) === 0n ? "100644" : "100755";
}
