/** How many lines changed between pairs of trees: two git calls for any number of pairs. */
import type { Git } from "./git.js";

export interface TreePair {
  /** Comes back as the key of the answer. */
  key: number;
  from: string;
  to: string;
}

/** Null counts are a binary file. */
export interface LineChange {
  path: string;
  added: number | null;
  removed: number | null;
}

/** Pairs with a tree that is gone are left out; a failing git costs numbers, not the report. */
export async function diffSizes(git: Git, pairs: readonly TreePair[]): Promise<Record<number, LineChange[]>> {
  const sizes: Record<number, LineChange[]> = {};
  for (const pair of pairs) if (pair.from === pair.to) sizes[pair.key] = [];
  const different = pairs.filter((pair) => pair.from !== pair.to);
  if (different.length === 0) return sizes;
  const there = await existing(git, [...new Set(different.flatMap(({ from, to }) => [from, to]))]);
  const readable = different.filter(({ from, to }) => there.has(from) && there.has(to));
  if (readable.length === 0) return sizes;
  const args = ["diff-tree", "--stdin", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", "--root"];
  const { code, stdout } = await git.read(args, { input: readable.map(({ from, to }) => `${from} ${to}\n`).join("") });
  if (code !== 0) return sizes;
  const read = parse(stdout.toString("utf8"));
  for (const { key, from, to } of readable) sizes[key] = read.get(`${from} ${to}`) ?? [];
  return sizes;
}

async function existing(git: Git, trees: readonly string[]): Promise<Set<string>> {
  const { stdout } = await git.read(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { input: `${trees.join("\n")}\n` });
  const lines = stdout.toString("utf8").split("\n");
  return new Set(lines.filter((line) => line.endsWith(" tree")).map((line) => line.slice(0, -" tree".length)));
}

const HEADER = /^[0-9a-f]{40,64} [0-9a-f]{40,64}$/;
const ROW = /^\n?(\d+|-)\t(\d+|-)\t([\s\S]+)$/;

/** Records end in NUL; the two names of a pair stand alone on a line before its rows. */
function parse(output: string): Map<string, LineChange[]> {
  const pairs = new Map<string, LineChange[]>();
  let rows: LineChange[] = [];
  const number = (word: string): number | null => (word === "-" ? null : Number(word));
  for (const part of output.split("\0")) {
    const newline = part.indexOf("\n");
    const head = newline === -1 ? part : part.slice(0, newline);
    const rest = HEADER.test(head) ? part.slice(head.length + 1) : part;
    if (rest !== part || HEADER.test(part)) {
      rows = [];
      pairs.set(head, rows);
    }
    const match = ROW.exec(rest);
    if (match?.[3] !== undefined) rows.push({ path: match[3], added: number(match[1] ?? "-"), removed: number(match[2] ?? "-") });
  }
  return pairs;
}
