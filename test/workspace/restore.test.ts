/** What is written back lands where it must and nowhere else. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { treeFiles } from "../../src/workspace/tree-files.js";
import { git, open, put, repoWith, scratchFolder, script } from "./scratch.js";

describe("restore", () => {
  it("writes content, mode and links back, and removes what the tree does not have", async () => {
    const root = repoWith("a", "deep/b");
    script(root, "run.sh", "true");
    symlinkSync("a", join(root, "link"));
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "more");
    put(root, "a", "bent");
    chmodSync(join(root, "run.sh"), 0o644);
    unlinkSync(join(root, "link"));
    put(root, "link", "a file");
    rmSync(join(root, "deep"), { recursive: true });
    put(root, "added/x");
    await open(root).restore(git(root, "rev-parse", "HEAD^{tree}"), ["a", "run.sh", "link", "deep/b", "added/x", "never/was"]);
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(statSync(join(root, "run.sh")).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(root, "link"))).toBe("a");
  });

  it("clears folders and links that stand in the way without following them", async () => {
    const root = repoWith("file", "folder/x", "plain");
    const outside = scratchFolder();
    put(outside, "x", "theirs");
    unlinkSync(join(root, "file"));
    put(root, "file/now/a/folder");
    rmSync(join(root, "folder"), { recursive: true });
    symlinkSync(outside, join(root, "folder"));
    symlinkSync(outside, join(root, "escape"));
    const target = put(outside, "target", "theirs");
    unlinkSync(join(root, "plain"));
    symlinkSync(target, join(root, "plain"));
    await open(root).restore(git(root, "rev-parse", "HEAD^{tree}"), ["file", "folder/x", "plain", "escape/x"]);
    expect(lstatSync(join(root, "folder")).isDirectory()).toBe(true);
    expect(readFileSync(join(root, "folder/x"), "utf8")).toBe("folder/x\n");
    expect(readFileSync(join(root, "plain"), "utf8")).toBe("plain\n");
    expect(readFileSync(join(outside, "x"), "utf8")).toBe("theirs");
    expect(readFileSync(target, "utf8")).toBe("theirs");
  });

  it("writes line ends as a checkout would", async () => {
    const root = repoWith("a.txt");
    git(root, "config", "core.autocrlf", "true");
    put(root, "a.txt", "bent");
    await open(root).restore(git(root, "rev-parse", "HEAD^{tree}"), ["a.txt"]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a.txt\r\n");
  });
});

describe("treeFiles", () => {
  it("reads, writes with the mode kept, lists and removes plain files", () => {
    const root = scratchFolder();
    const files = treeFiles(root);
    expect(files.write("x/run.sh", "1")).toBe(true);
    chmodSync(join(root, "x/run.sh"), 0o755);
    expect(files.write("x/run.sh", "2")).toBe(true);
    expect([files.read("x/run.sh"), files.read("x"), files.read("none")]).toEqual(["2", null, null]);
    expect(statSync(join(root, "x/run.sh")).mode & 0o777).toBe(0o755);
    expect(files.list("x")).toEqual(["run.sh"]);
    files.remove("x/run.sh");
    files.remove("x/run.sh");
    expect(files.list("x")).toEqual([]);
  });

  it("moves aside what stands in a file's place, with what is in it", () => {
    const root = scratchFolder();
    const files = treeFiles(root);
    put(root, "PLAN.md/notes", "kept");
    put(root, "docs", "a file where a folder was");
    put(root, "docs.moved", "taken");
    expect([files.setAside("PLAN.md"), files.setAside("docs/plan.md"), files.setAside("nothing"), files.setAside("docs.moved")]).toEqual([
      "PLAN.md.moved",
      "docs.moved-2",
      null,
      null,
    ]);
    expect(files.write("PLAN.md", "plan") && files.write("docs/plan.md", "plan")).toBe(true);
    expect([files.read("PLAN.md.moved/notes"), files.read("docs.moved-2"), files.read("docs.moved")]).toEqual(["kept", "a file where a folder was", "taken"]);
  });

  it("never leaves the root", () => {
    const root = scratchFolder();
    const outside = scratchFolder();
    put(outside, "f", "theirs");
    symlinkSync(outside, join(root, "dir"));
    symlinkSync(join(outside, "f"), join(root, "f"));
    const files = treeFiles(root);
    for (const path of ["dir/f", "f", `../${basename(outside)}/f`, join(outside, "f")]) {
      expect(files.read(path)).toBeNull();
      expect(files.write(path, "bent")).toBe(false);
    }
    files.remove("dir/f");
    expect(files.list("dir")).toEqual([]);
    expect(readFileSync(join(outside, "f"), "utf8")).toBe("theirs");
  });
});

describe("control files", () => {
  it("lists configuration and live hooks and puts them back", async () => {
    const root = repoWith("a");
    const hook = script(root, ".git/hooks/pre-push", "exit 1");
    put(root, ".git/hooks/asleep", "not executable");
    const repo = open(root);
    const before = new Map((await repo.gitControlFiles()).map((file) => [file.path, file.content]));
    expect(before.get(hook)).toBe("#!/bin/sh\nexit 1\n");
    expect(before.get(join(root, ".git/config"))).toContain("Person");
    expect([...before.keys()].map((path) => basename(path))).not.toContain("asleep");
    git(root, "config", "core.bare", "true");
    rmSync(hook);
    const added = script(root, ".git/hooks/post-commit", "true");
    put(root, ".git/info/attributes", "* filter=x\n");
    const after = new Map((await repo.gitControlFiles()).map((file) => [file.path, file.content]));
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(path) !== after.get(path)) await repo.restoreControlFile(path, before.get(path) ?? null);
    }
    expect(new Map((await repo.gitControlFiles()).map((file) => [file.path, file.content]))).toEqual(before);
    expect(statSync(hook).mode & 0o111).not.toBe(0);
    expect(statSync(added).mode & 0o111).toBe(0);
    expect(git(root, "status", "--porcelain")).toBe("");
  });
});

describe("proof worktree", () => {
  it("is a clean checkout elsewhere that leaves nothing behind", async () => {
    const root = repoWith("a");
    put(root, "a", "dirty");
    script(root, ".git/hooks/post-checkout", "touch ran");
    const proof = await open(root).proofWorktree(git(root, "rev-parse", "HEAD"));
    expect(readFileSync(join(proof.path, "a"), "utf8")).toBe("a\n");
    expect(existsSync(join(proof.path, "ran"))).toBe(false);
    put(proof.path, "node_modules/x");
    await proof.dispose();
    expect(existsSync(proof.path)).toBe(false);
    expect(git(root, "worktree", "list").split("\n")).toHaveLength(1);
  });

  it("WT-05 removes what dead runs left and nobody else's worktree", async () => {
    const root = repoWith("a");
    const folder = scratchFolder();
    for (let at = 0; at < 6; at++) git(root, "worktree", "add", "-q", "--detach", join(folder, `ralphd-proof-${4_000_000 + at}-1-left`));
    rmSync(join(folder, "ralphd-proof-4000000-1-left"), { recursive: true });
    git(root, "worktree", "add", "-q", "--detach", join(folder, "persons"));
    mkdirSync(join(folder, "unrelated"));
    const proof = await open(root).proofWorktree(git(root, "rev-parse", "HEAD"));
    await proof.dispose();
    expect(git(root, "worktree", "list").split("\n")).toHaveLength(2);
    expect(existsSync(join(folder, "persons/a"))).toBe(true);
    expect(existsSync(join(folder, "ralphd-proof-4000003-1-left"))).toBe(false);
  });
});
