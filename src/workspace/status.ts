/** Reads `git status --porcelain=v2 --branch -z`. */

export interface StatusEntry {
  path: string;
  /** HEAD against index, and index against working tree: `.` unchanged, or a letter; `?` for untracked. */
  index: string;
  worktree: string;
  submodule: boolean;
  /** As HEAD has it; `000000` when it does not. */
  headMode: string;
  headOid: string;
}

export interface Status {
  head: string | null;
  branch: string | null;
  entries: StatusEntry[];
}

/** `--no-renames`: a rename is a deletion and an addition here. Configuration can hide neither untracked files nor submodules. */
export const STATUS_ARGS = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--no-ahead-behind"];

export function parseStatus(output: Buffer): Status {
  const status: Status = { head: null, branch: null, entries: [] };
  for (const record of output.toString("utf8").split("\0")) {
    if (record.startsWith("# branch.oid ")) status.head = named(record.slice(13), "(initial)");
    else if (record.startsWith("# branch.head ")) status.branch = named(record.slice(14), "(detached)");
    else if (record.startsWith("? ")) status.entries.push(untracked(record.slice(2)));
    else if (record.startsWith("1 ")) status.entries.push(changed(record, 8));
    else if (record.startsWith("u ")) status.entries.push(changed(record, 10));
  }
  return status;
}

function named(value: string, none: string): string | null {
  return value === none ? null : value;
}

function untracked(path: string): StatusEntry {
  return { path, index: "?", worktree: "?", submodule: false, headMode: "000000", headOid: "" };
}

/** `1 XY sub mH mI mW hH hI path` or `u XY sub m1 m2 m3 mW h1 h2 h3 path`; stages of a conflict say nothing about HEAD. */
function changed(record: string, fieldsBeforePath: number): StatusEntry {
  const fields = record.split(" ");
  const [, xy = "..", sub = "N..."] = fields;
  return {
    path: fields.slice(fieldsBeforePath).join(" "),
    index: xy.charAt(0),
    worktree: xy.charAt(1),
    submodule: sub.startsWith("S"),
    headMode: fields[3] ?? "000000",
    headOid: fields[6] ?? "",
  };
}
