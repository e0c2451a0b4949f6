/** The candidate holds everything that is not ignored, whatever an agent or a configuration does to hide it. */
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyRepo, filesOf, git, keep, open, put, repoWith, scratchFolder } from "./scratch.js";

const all = { against: null, exclude: [] };

describe("look", () => {
  it("GT-03 sees new files although the configuration hides them", async () => {
    const root = repoWith("a");
    git(root, "config", "status.showUntrackedFiles", "no");
    put(root, "deep/new");
    expect(await open(root).look()).toEqual({ head: git(root, "rev-parse", "HEAD"), branch: "main", dirty: ["deep/new"] });
  });

  it("GT-07 names a detached HEAD", async () => {
    const root = repoWith("a");
    git(root, "checkout", "-q", "--detach");
    expect((await open(root).look()).branch).toBeNull();
  });

  it("GT-11 takes a file with other line ends than its blob for clean under autocrlf", async () => {
    const root = repoWith("a");
    git(root, "config", "core.autocrlf", "true");
    writeFileSync(join(root, "a"), "a\r\n");
    const repo = open(root);
    expect((await repo.capture({ against: git(root, "rev-parse", "HEAD^{tree}"), exclude: [] })).changes).toEqual([]);
  });

  it("GT-16 reads a repository without commits", async () => {
    const root = emptyRepo();
    put(root, "a");
    expect(await open(root).look()).toEqual({ head: null, branch: "main", dirty: ["a"] });
  });
});

describe("capture", () => {
  it("gives the tree of HEAD when nothing changed, and starts from a tree it is asked for", async () => {
    const root = repoWith("a", "b/c");
    const repo = open(root);
    const tree = git(root, "rev-parse", "HEAD^{tree}");
    expect(await repo.capture({ against: tree, exclude: [] })).toMatchObject({ tree, branch: "main", changes: [], excluded: [] });
    put(root, "b/c", "other");
    const second = await repo.capture({ against: tree, exclude: [] });
    expect(second.changes).toMatchObject([{ path: "b/c", kind: "modified", oldMode: "100644" }]);
    const third = await repo.capture({ against: second.tree, exclude: [] });
    expect(third).toMatchObject({ tree: second.tree, changes: [] });
  });

  it("leaves the user's index as it was, and needs no free lock", async () => {
    const root = repoWith("a", "b");
    put(root, "a", "staged");
    git(root, "add", "a");
    put(root, "a", "unstaged");
    put(root, ".git/index.lock", "");
    const before = readFileSync(join(root, ".git/index"));
    const { tree } = await open(root).capture(all);
    expect(git(root, "show", `${tree}:a`)).toBe("unstaged");
    expect(readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
  });

  it("GT-16 captures an unborn branch", async () => {
    const root = emptyRepo();
    const repo = open(root);
    expect(await repo.capture(all)).toMatchObject({ head: null, changes: [] });
    put(root, "a");
    expect((await repo.capture(all)).changes).toMatchObject([{ path: "a", kind: "added" }]);
  });

  it("takes in modes, links, deletions, renames by case, and folders that become files or links", async () => {
    const root = repoWith("mode", "link", "gone", "readme", "file", "folder/x", "other/y");
    const repo = open(root);
    const { tree } = await repo.capture(all);
    chmodSync(join(root, "mode"), 0o755);
    rmSync(join(root, "link"));
    symlinkSync("mode", join(root, "link"));
    rmSync(join(root, "gone"));
    renameSync(join(root, "readme"), join(root, "README"));
    rmSync(join(root, "file"));
    put(root, "file/inside");
    rmSync(join(root, "folder"), { recursive: true });
    put(root, "folder", "now a file");
    rmSync(join(root, "other"), { recursive: true });
    symlinkSync("/etc", join(root, "other"));
    const { changes, tree: after } = await repo.capture({ against: tree, exclude: [] });
    expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "added README",
      "deleted file",
      "added file/inside",
      "added folder",
      "deleted folder/x",
      "deleted gone",
      "typeChanged link",
      "modified mode",
      "added other",
      "deleted other/y",
      "deleted readme",
    ]);
    git(root, "add", "-A");
    expect(after).toBe(git(root, "write-tree"));
    expect(git(root, "ls-tree", after, "other")).toContain("120000");
    expect(git(root, "ls-tree", after, "mode")).toContain("100755");
  });

  it("sees through assume-unchanged and skip-worktree set by an agent", async () => {
    const root = repoWith("a", "b");
    const repo = open(root);
    const { tree } = await repo.capture(all);
    git(root, "update-index", "--assume-unchanged", "a");
    git(root, "update-index", "--skip-worktree", "b");
    put(root, "a", "hidden");
    put(root, "b", "hidden");
    const { changes } = await repo.capture({ against: tree, exclude: [] });
    expect(changes.map((change) => change.path)).toEqual(["a", "b"]);
  });

  it("keeps what a person had hidden before the run, and names it", async () => {
    const root = repoWith("local", "b");
    git(root, "update-index", "--assume-unchanged", "local");
    put(root, "local", "private");
    const { tree, excluded } = await open(root).capture(all);
    expect(excluded.map((entry) => entry.path)).toEqual(["local"]);
    expect(git(root, "show", `${tree}:local`)).toBe("local");
  });

  it.each(["2", "4"])("reads hiding flags of index version %s", async (version) => {
    const root = repoWith("a/long/name/one", "a/long/name/two", "b");
    git(root, "update-index", "--index-version", version);
    git(root, "update-index", "--assume-unchanged", "a/long/name/two");
    git(root, "update-index", "--skip-worktree", "b");
    const { excluded } = await open(root).capture(all);
    expect(excluded.map((entry) => entry.path)).toEqual(["a/long/name/two", "b"]);
  });

  it("does not delete what a sparse checkout leaves out, even when an agent narrows it", async () => {
    const root = repoWith("in/a", "out/b", "later/c");
    git(root, "sparse-checkout", "set", "--no-cone", "/in/", "/later/");
    const repo = open(root);
    const { tree } = await repo.capture(all);
    expect(filesOf(root, tree)).toContain("out/b");
    git(root, "sparse-checkout", "set", "--no-cone", "/in/");
    put(root, "in/a", "changed");
    const { changes } = await repo.capture({ against: tree, exclude: [] });
    expect(changes.map((change) => change.path)).toEqual(["in/a"]);
  });

  it("takes in files that are only intended to be added", async () => {
    const root = repoWith("a");
    put(root, "new");
    git(root, "add", "-N", "new");
    expect(filesOf(root, (await open(root).capture(all)).tree)).toEqual(["a", "new"]);
  });

  it("keeps exact paths of the caller out, as HEAD has them", async () => {
    const root = repoWith("mine", "b");
    put(root, "mine", "staged by the user");
    git(root, "add", "mine");
    put(root, "report.xml");
    put(root, "b", "work");
    const { tree, excluded } = await open(root).capture({ against: null, exclude: ["mine", "report.xml"] });
    expect(git(root, "show", `${tree}:mine`)).toBe("mine");
    expect(filesOf(root, tree)).toEqual(["b", "mine"]);
    expect(excluded).toEqual([]);
  });

  it("GT-17 leaves out secrets, installed files, blobs and the loop's state, unless HEAD has them", async () => {
    const root = repoWith("a", ".env.production", "keep.pem");
    for (const path of [".env", "config/id_rsa", "server.key", "node_modules/x/index.js", "py/__pycache__/m.pyc"]) put(root, path);
    for (const path of [".env.example", "src/key.ts", ".ralph/state/report.md"]) put(root, path);
    put(root, ".env.production", "changed");
    put(root, "huge.bin", "x".repeat(2_000_000));
    put(root, ".npmrc", "//registry.example/:_authToken=abc");
    git(root, "add", "-f", ".env");
    const { tree, excluded } = await open(root).capture(all);
    expect(filesOf(root, tree)).toEqual([".env.example", ".env.production", "a", "keep.pem", "src/key.ts"]);
    expect(git(root, "show", `${tree}:.env.production`)).toBe("changed");
    expect(excluded.map((entry) => entry.path).sort()).toEqual(
      [".env", ".npmrc", "config/id_rsa", "huge.bin", "node_modules", "py/__pycache__", "server.key"].sort(),
    );
    expect(excluded.find((entry) => entry.path === "huge.bin")?.reason).toContain("1.9 MB");
  });

  it("WT-06 leaves out node_modules that is a link, although the pattern in .gitignore ends with a slash", async () => {
    const root = repoWith("a");
    put(root, ".gitignore", "node_modules/\n");
    symlinkSync(scratchFolder(), join(root, "node_modules"));
    const { tree, excluded } = await open(root).capture(all);
    expect(filesOf(root, tree)).toEqual([".gitignore", "a"]);
    expect(excluded).toMatchObject([{ path: "node_modules" }]);
  });

  it("GT-18 leaves out a repository inside the repository, staged or not, and survives its removal", async () => {
    const root = repoWith("a");
    const repo = open(root);
    await repo.capture(all);
    cpSync(repoWith("inner"), join(root, "sub"), { recursive: true });
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
    git(root, "commit", "-q", "-m", "the agent commits a gitlink");
    const found = await repo.capture(all);
    expect(filesOf(root, found.tree)).toEqual(["a"]);
    expect(found.excluded.map((entry) => entry.path)).toContain("sub");
    expect(await keep(repo)).toMatchObject({ kind: "committed" });
    rmSync(join(root, "sub"), { recursive: true });
    expect((await repo.look()).dirty).toEqual([]);
  });

  it("GT-18 names an untracked repository and leaves it alone", async () => {
    const root = repoWith("a");
    cpSync(repoWith("inner"), join(root, "deep/sub"), { recursive: true });
    const found = await open(root).capture(all);
    expect(filesOf(root, found.tree)).toEqual(["a"]);
    expect(found.excluded).toEqual([{ path: "deep/sub", reason: "a git repository of its own" }]);
  });

  it("writes the same trees as git through a series of edits", async () => {
    const root = repoWith("a", "b/c", "b/d/e", "z");
    const repo = open(root);
    await repo.capture(all);
    const steps: (() => void)[] = [
      () => put(root, "b/d/e", "1"),
      () => rmSync(join(root, "b/d"), { recursive: true }),
      () => put(root, "b/d", "a file now"),
      () => put(root, "new/deep/er/file", "2"),
      () => rmSync(join(root, "b"), { recursive: true }),
      () => put(root, "b.txt", "sorts between a file and a folder of that name"),
      () => put(root, "b/again", "3"),
      () => chmodSync(join(root, "z"), 0o755),
      () => ["a", "b", "b.txt", "new", "z"].forEach((path) => rmSync(join(root, path), { recursive: true })),
    ];
    for (const step of steps) {
      step();
      const { tree } = await repo.capture(all);
      git(root, "add", "-A");
      expect(tree).toBe(git(root, "write-tree"));
    }
  });

  it("GT-18 reads a status that a recorded worktree without its git directory breaks", async () => {
    const root = repoWith("a");
    cpSync(repoWith("inner"), join(root, "sub"), { recursive: true });
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
    rmSync(join(root, "sub/.git"), { recursive: true });
    put(root, "sub/.git", "gitdir: /nowhere/at/all\n");
    const repo = open(root);
    expect((await repo.look()).branch).toBe("main");
    expect(filesOf(root, (await repo.capture(all)).tree)).toEqual(["a"]);
  });

  it("keeps the recorded commit of a submodule and names the work inside it", async () => {
    const root = repoWith("a");
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repoWith("lib"), "vendor/lib");
    git(root, "commit", "-q", "-m", "add a submodule");
    const repo = open(root);
    const { tree } = await repo.capture(all);
    put(root, "vendor/lib/lib", "changed inside");
    put(root, "a", "changed");
    const found = await repo.capture({ against: tree, exclude: [] });
    expect(found.changes.map((change) => change.path)).toEqual(["a"]);
    expect(found.excluded).toMatchObject([{ path: "vendor/lib", reason: expect.stringContaining("submodule") }]);
  });

  it("GT-01 follows commits that the agent makes itself", async () => {
    const root = repoWith("a", "b");
    const repo = open(root);
    const { tree, head } = await repo.capture(all);
    put(root, "a", "by the agent");
    rmSync(join(root, "b"));
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "mine");
    const found = await repo.capture({ against: tree, exclude: [] });
    expect(found.head).not.toBe(head);
    expect(found.tree).toBe(git(root, "rev-parse", "HEAD^{tree}"));
    expect(found.changes.map((change) => change.path)).toEqual(["a", "b"]);
    expect(await keep(repo)).toEqual({ kind: "unchanged" });
  });

  it("works in a linked worktree with an index of its own", async () => {
    const root = repoWith("a");
    const linked = join(scratchFolder(), "linked");
    git(root, "worktree", "add", "-q", "-b", "side", linked);
    put(linked, "new");
    const repo = open(linked);
    expect(await keep(repo)).toMatchObject({ kind: "committed" });
    expect(git(linked, "status", "--porcelain")).toBe("");
    expect(git(root, "log", "--format=%s", "-1", "side")).toBe("work");
    expect(git(root, "log", "--format=%s", "-1", "main")).toBe("start");
  });

  it("works in a repository of 50,000 files", async () => {
    const root = emptyRepo();
    const files = Array.from({ length: 50_000 }, (_, at) => `M 100644 inline d${at % 200}/f${at}\ndata 1\n${at % 10}\n`);
    const stream = `commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 1\nm\n${files.join("")}\n`;
    writeFileSync(join(root, ".git/stream"), stream);
    git(root, "-c", "alias.import=!git fast-import --quiet < .git/stream", "import");
    git(root, "read-tree", "HEAD");
    git(root, "checkout-index", "-q", "-a", "-u");
    const repo = open(root);
    const { tree } = await repo.capture(all);
    expect(tree).toBe(git(root, "rev-parse", "HEAD^{tree}"));
    put(root, "d7/f7", "changed");
    expect((await repo.capture({ against: tree, exclude: [] })).changes).toHaveLength(1);
    expect(await keep(repo)).toMatchObject({ kind: "committed" });
    expect((await repo.look()).dirty).toEqual([]);
  });

  it("reads names with spaces, quotes, line breaks and letters beyond ASCII", async () => {
    const root = repoWith("a");
    const names = ["with space", 'quo"te', "line\nbreak", "grün/ß.txt", "-dash"];
    for (const name of names) put(root, name);
    mkdirSync(join(root, "empty folder"));
    const { changes } = await open(root).capture({ against: git(root, "rev-parse", "HEAD^{tree}"), exclude: [] });
    expect(changes.map((change) => change.path).sort()).toEqual([...names].sort());
  });
});
