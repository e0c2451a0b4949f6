/** The disk refused a write: full, read-only or broken. The run ends `failed`/`disk` on it, whoever wrote. */

const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file may not grow further (file size limit)",
  EROFS: "the file system is read-only",
  EIO: "the disk reports an input/output error",
  EACCES: "permission is denied",
  EPERM: "the operation is not permitted",
  ENOENT: "the folder is gone",
  ENOTDIR: "a folder on the way to it is not a folder",
  EEXIST: "something else stands there already",
  ELOOP: "it is a symbolic link",
};

export class DiskError extends Error {
  readonly path: string;
  /** The system's code (`ENOSPC`), or `UNSAFE` for a path that ralphd itself refuses. */
  readonly code: string;

  constructor(path: string, code: string, options?: { cause?: unknown; sentence?: string }) {
    super(`cannot write ${path}: ${options?.sentence ?? SENTENCES[code] ?? code}`, { cause: options?.cause });
    this.name = "DiskError";
    this.path = path;
    this.code = code;
  }
}

/** The system's error code of a thrown value; null for anything that is no system error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Codes that only a disk gives; the others of `SENTENCES` are its refusal where `onDisk` says so. */
const OF_DISKS: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"]);

/** The refusal of a disk that a thrown value is or comes from; null when it is something else. */
export function diskErrorOf(error: unknown): DiskError | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof DiskError) return error;
  const code = systemCode(error);
  if (code === null || !OF_DISKS.has(code)) return diskErrorOf(error.cause);
  const path = "path" in error && typeof error.path === "string" ? error.path : "a file";
  return new DiskError(path, code, { cause: error });
}

/** Runs a file operation; what the system refuses becomes a DiskError, a bug stays a bug. */
export function onDisk<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    const code = systemCode(error);
    if (code === null || error instanceof DiskError) throw error;
    throw new DiskError(path, code, { cause: error });
  }
}
