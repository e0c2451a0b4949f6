/** Reads commits, trees and blobs through one long-lived `git cat-file --batch`. */
import { createHash } from "node:crypto";
import { ForgedObject } from "../core/forged-object.js";
import { createSession, type GitSession } from "./git-session.js";

export interface GitObject {
  oid: string;
  type: string;
  content: Buffer;
}

export interface TreeEntry {
  name: string;
  /** Six digits, such as `040000`. */
  mode: string;
  oid: string;
}

export interface Commit {
  tree: string;
  parents: string[];
  message: string;
}

export interface Objects {
  /** `name` is an object id, `HEAD`, or `HEAD^{tree}`; null when there is no such thing. Throws ForgedObject. */
  object(name: string): Promise<GitObject | null>;
  /** Entries of a tree, or of a commit's tree. */
  tree(oid: string): Promise<TreeEntry[]>;
  commit(name: string): Promise<(Commit & { oid: string }) | null>;
  entry(tree: string, path: string): Promise<TreeEntry | null>;
  /** Takes in files (relative to the working tree, no line breaks in names) with the repository's filters; null when git did not. */
  writeBlobs(paths: readonly string[]): Promise<string[] | null>;
  /** From now on with the attributes that hold now. */
  forgetAttributes(): Promise<void>;
  /** What a tree that was just written holds, which spares reading it. */
  remember(tree: string, entries: TreeEntry[]): void;
  /** Writes a commit object from its raw text in this file; null when git refused it. */
  writeCommit(path: string): Promise<string | null>;
  close(): Promise<void>;
}

const TREE_MODE = "040000";
/** Trees never change under their id; this many stay in memory. */
const CACHED_TREES = 512;

export function openObjects(cwd: string, timeoutMs?: number): Objects {
  const reader = createSession(cwd, ["cat-file", "--batch"], { timeoutMs });
  const writer = createSession(cwd, ["hash-object", "-t", "commit", "-w", "--no-filters", "--stdin-paths"], { timeoutMs });
  const blobs = createSession(cwd, ["hash-object", "-w", "--stdin-paths"], { timeoutMs });
  const cache = new Map<string, TreeEntry[]>();

  const remember = (oid: string, entries: TreeEntry[]): void => {
    if (cache.size >= CACHED_TREES) cache.delete(cache.keys().next().value ?? "");
    cache.set(oid, entries);
  };
  const object = (name: string): Promise<GitObject | null> => readObject(reader, name);
  const tree = async (oid: string): Promise<TreeEntry[]> => {
    const known = cache.get(oid);
    if (known !== undefined) return known;
    const found = await object(oid);
    if (found?.type === "commit") return tree(parseCommit(found.content.toString("utf8")).tree);
    if (found === null || found.type !== "tree") throw new Error(`no tree ${oid} in the repository`);
    const entries = parseTree(found.content, found.oid.length / 2);
    // Names such as HEAD move; only ids are remembered.
    if (found.oid === oid) remember(oid, entries);
    return entries;
  };
  return {
    object,
    tree,
    async commit(name) {
      const found = await object(name);
      if (found === null || found.type !== "commit") return null;
      return { oid: found.oid, ...parseCommit(found.content.toString("utf8")) };
    },
    async entry(root, path) {
      let oid = root;
      const names = path.split("/");
      for (const [depth, name] of names.entries()) {
        const entry = (await tree(oid)).find((candidate) => candidate.name === name);
        if (entry === undefined || depth === names.length - 1) return entry ?? null;
        if (entry.mode !== TREE_MODE) return null;
        oid = entry.oid;
      }
      return null;
    },
    async writeBlobs(paths) {
      const answer = await blobs.ask(`${paths.join("\n")}\n`, (start) => endOfLine(start, paths.length));
      return answer === null ? null : answer.toString("utf8").trimEnd().split("\n");
    },
    forgetAttributes: () => blobs.close(),
    remember,
    async writeCommit(path) {
      const answer = await writer.ask(`${path}\n`, (start) => endOfLine(start, 1));
      return answer === null ? null : answer.toString("utf8").trim();
    },
    async close() {
      await Promise.all([reader.close(), writer.close(), blobs.close()]);
    },
  };
}

/** Bytes up to the end of the nth line; null when there are fewer. */
function endOfLine(text: Buffer, nth: number): number | null {
  let end = 0;
  for (let line = 0; line < nth; line++) {
    end = text.indexOf(10, end) + 1;
    if (end === 0) return null;
  }
  return end;
}

async function readObject(reader: GitSession, name: string): Promise<GitObject | null> {
  // A second try, because the process may have been ended from outside; the new one answers or something is broken.
  const answer = (await reader.ask(`${name}\n`, answerLength)) ?? (await reader.ask(`${name}\n`, answerLength));
  if (answer === null) throw new Error(`git cat-file gave no answer about ${name}`);
  const header = answer.subarray(0, answer.indexOf(10)).toString("utf8");
  const match = HEADER.exec(header);
  if (match === null) return null;
  const [, oid = "", type = ""] = match;
  const content = answer.subarray(header.length + 1, -1);
  if (idOf(type, content, oid.length) !== oid) throw new ForgedObject(type, oid);
  return { oid, type, content };
}

/** Git itself takes an object's content as it lies there; only its id says what it has to be. */
function idOf(type: string, content: Buffer, length: number): string {
  return createHash(length === SHA1_LENGTH ? "sha1" : "sha256")
    .update(`${type} ${content.length}\0`)
    .update(content)
    .digest("hex");
}

const SHA1_LENGTH = 40;

const HEADER = /^([0-9a-f]{40,64}) (\w+) (\d+)$/;

/** `<oid> <type> <size>` LF content LF, or one line such as `x missing`. */
function answerLength(start: Buffer): number | null {
  const end = start.indexOf(10);
  if (end < 0) return null;
  const size = HEADER.exec(start.subarray(0, end).toString("utf8"))?.[3];
  return size === undefined ? end + 1 : end + 1 + Number(size) + 1;
}

function parseTree(content: Buffer, oidBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    const oidEnd = zero + 1 + oidBytes;
    entries.push({
      mode: content.toString("latin1", at, space).padStart(6, "0"),
      name: content.toString("utf8", space + 1, zero),
      oid: content.toString("hex", zero + 1, oidEnd),
    });
    at = oidEnd;
  }
  return entries;
}

function parseCommit(text: string): Commit {
  const split = text.indexOf("\n\n");
  const lines = (split < 0 ? text : text.slice(0, split)).split("\n");
  const values = (key: string): string[] => lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  return { tree: values("tree")[0] ?? "", parents: values("parent"), message: split < 0 ? "" : text.slice(split + 2) };
}
