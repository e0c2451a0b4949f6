/** An append-only file that notices what others did to it: cheap by its stamps, certain by a running hash. */
import { createHash, type Hash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { writeAll, writeAtomic } from "./atomic.js";
import { onDisk, systemCode } from "../core/disk-error.js";
import { keepBytes } from "./kept-bytes.js";
import { readRange } from "./read.js";

const CHUNK_BYTES = 1 << 20;

export interface WatchedFile {
  /**
   * One write; with `now` it is durable when it returns, and so is everything before it. Throws DiskError; the file
   * then ends where it ended before.
   */
  append(bytes: Buffer, flush: "now" | "later"): void;
  /** What somebody else did since we wrote last; null when nothing. */
  tampering(): string | null;
  close(): void;
}

/** What the file was when we left it. */
interface Left {
  size: number;
  /** Any write, truncation or change of stamps moves it, and nobody can set it back. */
  changedNs: bigint;
  inode: bigint;
  device: bigint;
}

/** `content` is what the caller has read: it is what the file must still begin with. */
export function watchFile(path: string, content: Buffer): WatchedFile {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW;
  let file = onDisk(path, () => openSync(path, flags));
  const hash = createHash("sha256").update(content);
  /** What the file has to say: the only copy once somebody has written over it. A journal of a night is a few megabytes. */
  const ours = keepBytes();
  ours.add(content);
  let left = leftBehind(fstatSync(file, { bigint: true }), content.length);
  /** Damage that `append` had to heal, kept until somebody asks. */
  let healed: string | null = null;

  const tampering = (): string | null => {
    const before = healed;
    healed = null;
    const found = inspect(path, file, left, hash);
    if (found.kind === "touched") left = found.left;
    return before ?? (found.kind === "tampered" ? found.message : null);
  };

  /** Nothing may be appended where no reader would find it or behind what another wrote. */
  const heal = (): void => {
    const found = inspect(path, file, left, hash);
    if (found.kind !== "tampered") return;
    healed ??= found.message;
    if (found.damage === "grown") {
      writeAtomic(`${path}.foreign`, readRange(file, left.size, Number(fstatSync(file).size)));
      ftruncateSync(file, left.size);
    } else {
      if (found.damage === "rewritten") writeAtomic(`${path}.foreign`, readRange(file, 0, Number(fstatSync(file).size)));
      // Its folder may be gone as well.
      mkdirSync(dirname(path), { recursive: true });
      writeAtomic(path, ours.all());
      const again = openSync(path, flags);
      closeSync(file);
      file = again;
    }
    left = leftBehind(fstatSync(file, { bigint: true }), left.size);
  };

  const append = (bytes: Buffer, flush: "now" | "later"): void => {
    onDisk(path, () => {
      heal();
      try {
        writeAll(file, bytes);
        if (flush === "now") fdatasyncSync(file);
      } catch (error) {
        // A half line would sit in the middle once writing works again.
        ftruncateSync(file, left.size);
        left = leftBehind(fstatSync(file, { bigint: true }), left.size);
        throw error;
      }
      hash.update(bytes);
      ours.add(bytes);
      left = leftBehind(fstatSync(file, { bigint: true }), left.size + bytes.length);
    });
  };
  return { append, tampering, close: () => closeSync(file) };
}

function leftBehind(stats: BigIntStats, size: number): Left {
  return { size, changedNs: stats.ctimeNs, inode: stats.ino, device: stats.dev };
}

type Inspection =
  | { kind: "untouched" }
  /** Other stamps, same content: a copy, a chmod, a touch. */
  | { kind: "touched"; left: Left }
  | { kind: "tampered"; damage: "unlinked" | "grown" | "rewritten"; message: string };

function inspect(path: string, file: number, left: Left, hash: Hash): Inspection {
  const named = statOrNull(path);
  if (named === null) return tampered("unlinked", `${path} was deleted`);
  if (named.ino !== left.inode || named.dev !== left.device) return tampered("unlinked", `${path} was replaced by another file`);
  const size = Number(named.size);
  if (size === left.size && named.ctimeNs === left.changedNs) return { kind: "untouched" };
  if (size < left.size) return tampered("rewritten", `${path} was cut from ${left.size} to ${size} bytes`);
  if (!beginsWithOurs(file, left.size, hash)) return tampered("rewritten", `${path} was altered: what ralphd wrote is no longer what it says`);
  if (size > left.size) return tampered("grown", `${size - left.size} bytes were appended to ${path} by somebody else`);
  return { kind: "touched", left: { ...left, changedNs: named.ctimeNs } };
}

function tampered(damage: "unlinked" | "grown" | "rewritten", message: string): Inspection {
  return { kind: "tampered", damage, message };
}

function statOrNull(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    // Any system error means that the name no longer leads to our file.
    if (systemCode(error) !== null) return null;
    throw error;
  }
}

function beginsWithOurs(file: number, size: number, hash: Hash): boolean {
  const seen = createHash("sha256");
  for (let at = 0; at < size; at += CHUNK_BYTES) seen.update(readRange(file, at, Math.min(size, at + CHUNK_BYTES)));
  return seen.digest("hex") === hash.copy().digest("hex");
}
