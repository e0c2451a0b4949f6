/** What git says when the disk refuses a write; the only place that reads these words of it. */
import { DiskError } from "../core/disk-error.js";

/** Texts of the C library, and one of git's own. */
const CAUSES: readonly (readonly [text: string, code: string])[] = [
  ["No space left on device", "ENOSPC"],
  ["Out of diskspace", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["File too large", "EFBIG"],
  ["Read-only file system", "EROFS"],
  ["Input/output error", "EIO"],
];
/** Lines of git's own: a hook or a signing program may say the same of another disk. */
const OWN_LINE = /^(?:fatal|error): (.+)$/gm;
/** Without a cause behind it; a file that could be opened and not be written. */
const NOT_WRITTEN = /(?:couldn't|could not|unable to|failed to) write\b|\bwrite error\b/;

/** null when it failed for another reason. `place`: the repository, which is all that is known for certain. */
export function diskRefusal(stderr: string, place: string): DiskError | null {
  const lines = [...stderr.matchAll(OWN_LINE)].map((match) => match[1] ?? "");
  const cause = CAUSES.find(([text]) => lines.some((line) => line.includes(text)));
  const told = lines.find((line) => (cause === undefined ? NOT_WRITTEN.test(line) : line.includes(cause[0])));
  return told === undefined ? null : new DiskError(place, cause?.[1] ?? "GIT", { sentence: `git says: ${told}` });
}
