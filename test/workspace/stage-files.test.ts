/** Changes that are taken in without a git process of their own give what git itself would have made of them. */
import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { invalidate } from "../../src/workspace/cache-tree.js";
import { git, keep, open, put, repoWith, scratchFolder } from "./scratch.js";

/** The tree of everything that is there, by an index of git's own that knows nothing of ours. */
function treeByGit(root: string): string {
  const index = { ...process.env, GIT_INDEX_FILE: join(scratchFolder(), "index") };
  const run = (...args: string[]): string => gitWith(root, index, ...args);
  run("add", "--all");
  return run("write-tree");
}

function gitWith(root: string, env: NodeJS.ProcessEnv, ...args: string[]): string {
  const before = process.env.GIT_INDEX_FILE;
  process.env.GIT_INDEX_FILE = env.GIT_INDEX_FILE;
  try {
    return git(root, ...args);
  } finally {
    if (before === undefined) delete process.env.GIT_INDEX_FILE;
    else process.env.GIT_INDEX_FILE = before;
  }
}

const steps: { name: string; act: (root: string) => void }[] = [
  { name: "a changed file", act: (root) => put(root, "a", "changed\n") },
  { name: "a new file beside folders whose names sort around it", act: (root) => put(root, "src.ts", "new\n") },
  { name: "a new folder in a folder", act: (root) => put(root, "src/deep/er/new", "new\n") },
  { name: "a file made executable", act: (root) => chmodSync(join(root, "a"), 0o755) },
  { name: "a folder removed", act: (root) => rmSync(join(root, "src/deep"), { recursive: true }) },
  {
    name: "a name that is not ASCII, and one with blanks",
    act: (root) => {
      put(root, "ä ö/ü", "x\n");
      put(root, "two words", "y\n");
    },
  },
  {
    name: "a folder in a file's place",
    act: (root) => {
      rmSync(join(root, "b"));
      put(root, "b/inside", "x\n");
    },
  },
  {
    name: "a file in a folder's place",
    act: (root) => {
      rmSync(join(root, "b"), { recursive: true });
      put(root, "b", "again\n");
    },
  },
  { name: "a link", act: (root) => symlinkSync("a", join(root, "link")) },
  {
    name: "a link in a folder's place",
    act: (root) => {
      rmSync(join(root, "src"), { recursive: true });
      symlinkSync("..", join(root, "src"));
    },
  },
  { name: "line ends with a carriage return", act: (root) => put(root, "dos", "one\r\ntwo\r\n") },
  { name: "attributes that change what git stores", act: (root) => put(root, ".gitattributes", "*.up text eol=crlf\n*.id ident\n") },
  {
    name: "files under these attributes",
    act: (root) => {
      put(root, "x.up", "one\r\ntwo\r\n");
      put(root, "x.id", "$Id: something$\n");
    },
  },
  { name: "an empty file", act: (root) => put(root, "empty", "") },
  { name: "a name with a line break", act: (root) => put(root, "line\nbreak", "x\n") },
  {
    name: "more files than are taken in one by one",
    act: (root) => {
      for (let n = 0; n < 60; n++) put(root, `many/${n}`, `${n}\n`);
    },
  },
];

describe("staging without git", () => {
  it("makes the same trees, commits and clean indexes as git, step after step", async () => {
    const root = repoWith("a", "b", "src/one", "src/two");
    const repo = open(root);
    await repo.capture({ against: null, exclude: [] });
    for (const { name, act } of steps) {
      act(root);
      const { tree } = await repo.capture({ against: null, exclude: [] });
      expect(tree, name).toBe(treeByGit(root));
      expect(await keep(repo, name), name).toMatchObject({ kind: "committed", tree });
      expect(git(root, "status", "--porcelain"), name).toBe("");
      // git's own reading of the index that was put in place.
      expect(git(root, "write-tree"), name).toBe(tree);
    }
    expect(git(root, "fsck", "--strict")).not.toMatch(/error|missing|corrupt/);
  });

  it("notices a later change of the same size and time", async () => {
    const root = repoWith("a");
    const repo = open(root);
    await repo.capture({ against: null, exclude: [] });
    for (const [content, other] of [
      ["one\n", "two\n"],
      ["three\n", "seven\n"],
    ] as const) {
      put(root, "a", content);
      const first = await repo.capture({ against: null, exclude: [] });
      // Written again at once: only the times could tell, and those of this file are within one tick of the clock.
      writeFileSync(join(root, "a"), other);
      const second = await repo.capture({ against: first.tree, exclude: [] });
      expect(git(root, "show", `${second.tree}:a`)).toBe(other.trim());
      expect(second.changes.map(({ path }) => path)).toEqual(["a"]);
    }
  });

  it("leaves an index that holds a conflict to git", async () => {
    const root = repoWith("a");
    git(root, "checkout", "-q", "-b", "side");
    put(root, "a", "side\n");
    git(root, "commit", "-q", "-am", "side");
    git(root, "checkout", "-q", "main");
    put(root, "a", "main\n");
    git(root, "commit", "-q", "-am", "main");
    expect(() => git(root, "merge", "side")).toThrow();
    const repo = open(root);
    put(root, "a", "settled\n");
    put(root, "other", "x\n");
    await repo.capture({ against: null, exclude: [] });
    put(root, "other", "y\n");
    const { tree } = await repo.capture({ against: null, exclude: [] });
    expect(tree).toBe(treeByGit(root));
  });

  it("takes the content of files, not of what a link in their place leads to", async () => {
    const root = repoWith("folder/file");
    const outside = scratchFolder();
    put(outside, "file", "not of this repository\n");
    put(root, ".gitignore", "/folder\n");
    const repo = open(root);
    await keep(repo);
    rmSync(join(root, "folder"), { recursive: true });
    symlinkSync(outside, join(root, "folder"));
    const { tree } = await repo.capture({ against: null, exclude: [] });
    expect(git(root, "ls-tree", "-r", "--name-only", tree)).toBe(".gitignore");
  });
});

describe("the cached trees of an index", () => {
  it("are unknown above a changed path and stay known elsewhere", () => {
    const root = repoWith("a", "src/one", "lib/deep/two");
    git(root, "write-tree");
    const index = readFileSync(join(root, ".git/index"));
    const at = index.indexOf("TREE");
    const content = index.subarray(at + 8, at + 8 + index.readUInt32BE(at + 4));
    const text = invalidate(content, ["src/new"], 20)?.toString("latin1") ?? "";
    expect(text.slice(0, 6)).toBe("\0-1 2\n");
    expect(text).toContain("src\0-1 0\n");
    expect(text).toContain("lib\u00001 1\n");
    expect(text).toContain("deep\u00001 0\n");
  });

  it("are not guessed at when a file takes a folder's place, or nothing can be read", () => {
    const root = repoWith("a", "src/one");
    git(root, "write-tree");
    const index = readFileSync(join(root, ".git/index"));
    const at = index.indexOf("TREE");
    const content = index.subarray(at + 8, at + 8 + index.readUInt32BE(at + 4));
    expect(invalidate(content, ["src"], 20)).toBeNull();
    expect(invalidate(Buffer.from("\0x"), ["src"], 20)).toBeNull();
    expect(invalidate(content.subarray(0, 20), ["b"], 20)).toBeNull();
  });
});
