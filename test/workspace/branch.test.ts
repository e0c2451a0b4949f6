/** A run starts only where it harms nothing, and on a branch of its own. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BranchOptions, prepareBranch } from "../../src/workspace/branch.js";
import { discoverRepo } from "../../src/workspace/discover.js";
import { emptyRepo, git, put, repoWith, scratchFolder } from "./scratch.js";

function prepare(root: string, options: Partial<BranchOptions> = {}) {
  const gitDir = git(root, "rev-parse", "--absolute-git-dir");
  return prepareBranch({
    repo: { root, gitDir },
    mode: "run",
    name: "ralph/plan",
    owned: false,
    planPaths: ["PLAN.md"],
    allowDirty: false,
    ...options,
  });
}

describe("discoverRepo", () => {
  it("finds root and git directories from any folder, also of a linked worktree", async () => {
    const root = repoWith("deep/er/a");
    expect(await discoverRepo(join(root, "deep/er"))).toEqual({
      kind: "repo",
      root,
      gitDir: join(root, ".git"),
      commonDir: join(root, ".git"),
      superproject: null,
    });
    const linked = join(scratchFolder(), "linked");
    git(root, "worktree", "add", "-q", linked);
    expect(await discoverRepo(linked)).toMatchObject({
      root: linked,
      gitDir: join(root, ".git/worktrees/linked"),
      commonDir: join(root, ".git"),
    });
  });

  it("GT-02 lists the repositories below a folder that is none", async () => {
    const folder = scratchFolder();
    for (const name of ["one", "two"]) git(folder, "init", "-q", name);
    mkdirSync(join(folder, "plain"));
    const found = await discoverRepo(folder);
    expect(found).toMatchObject({ kind: "none", below: ["one", "two"], message: expect.stringContaining("one, two") });
    expect(await discoverRepo(join(folder, "plain"))).toMatchObject({ kind: "none", below: [] });
  });

  it("names bare repositories and the project around a submodule", async () => {
    const folder = scratchFolder();
    git(folder, "init", "-q", "--bare", "bare.git");
    expect(await discoverRepo(join(folder, "bare.git"))).toMatchObject({ kind: "bare" });
    const root = repoWith("a");
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repoWith("lib"), "lib");
    expect(await discoverRepo(join(root, "lib"))).toMatchObject({ root: join(root, "lib"), superproject: root });
  });
});

describe("prepareBranch", () => {
  it("makes the run's branch at HEAD", async () => {
    const root = repoWith("a");
    const base = git(root, "rev-parse", "HEAD");
    expect(await prepare(root)).toEqual({ kind: "ready", branch: "ralph/plan", from: "main", base, startDirty: [] });
    expect(git(root, "branch", "--show-current")).toBe("ralph/plan");
    expect(git(root, "rev-parse", "main")).toBe(base);
  });

  it("GT-07 makes the branch from a detached HEAD, and refuses to stay on one", async () => {
    const root = repoWith("a");
    git(root, "checkout", "-q", "--detach");
    expect(await prepare(root, { mode: "current" })).toMatchObject({ kind: "refused", message: expect.stringContaining("detached") });
    expect(await prepare(root)).toMatchObject({ kind: "ready", branch: "ralph/plan" });
    expect(git(root, "symbolic-ref", "HEAD")).toBe("refs/heads/ralph/plan");
  });

  it("GT-16 starts without any commit", async () => {
    const root = emptyRepo();
    put(root, "PLAN.md");
    expect(await prepare(root)).toEqual({ kind: "ready", branch: "ralph/plan", from: "main", base: null, startDirty: [] });
    expect(git(root, "symbolic-ref", "HEAD")).toBe("refs/heads/ralph/plan");
  });

  it("GT-11 takes plan, loop files and init's own ignore line, and refuses anything else with the way out", async () => {
    const root = repoWith("a");
    put(root, ".gitignore", "*.log\n");
    git(root, "add", ".gitignore");
    git(root, "commit", "-q", "-m", "ignore");
    for (const path of ["PLAN.md", ".ralph/config.yaml"]) put(root, path);
    put(root, ".gitignore", "*.log\n.ralph/state/\n");
    expect(await prepare(root, { mode: "current" })).toMatchObject({ kind: "ready", branch: "main", startDirty: [] });
    put(root, ".gitignore", "*.log\n.ralph/state/\n*.tmp\n");
    put(root, "a", "mine");
    const refused = await prepare(root);
    expect(refused).toMatchObject({ kind: "refused", message: expect.stringMatching(/\.gitignore\n {2}a\n(.|\n)*--worktree(.|\n)*--allow-dirty/) });
    expect(git(root, "branch", "--show-current")).toBe("main");
    expect(await prepare(root, { allowDirty: true })).toMatchObject({ kind: "ready", startDirty: [".gitignore", "a"] });
    expect(git(root, "status", "--porcelain", "a")).toBe(" M a");
  });

  it("refuses in the middle of a merge", async () => {
    const root = repoWith("a");
    git(root, "checkout", "-q", "-b", "side");
    git(root, "commit", "-q", "--allow-empty", "-m", "side");
    git(root, "checkout", "-q", "main");
    git(root, "merge", "-q", "--no-ff", "--no-commit", "side");
    expect(await prepare(root)).toMatchObject({ kind: "refused", message: expect.stringContaining("a merge is in progress") });
  });

  it("leaves a branch of someone else alone and continues on the run's own", async () => {
    const root = repoWith("a");
    git(root, "branch", "ralph/plan");
    expect(await prepare(root)).toMatchObject({ kind: "ready", branch: "ralph/plan-2" });
    git(root, "commit", "-q", "--allow-empty", "-m", "work of the run");
    const tip = git(root, "rev-parse", "HEAD");
    expect(await prepare(root, { name: "ralph/plan-2", owned: true })).toMatchObject({ branch: "ralph/plan-2", base: tip });
    git(root, "checkout", "-q", "main");
    expect(await prepare(root, { name: "ralph/plan-2", owned: true })).toMatchObject({ branch: "ralph/plan-2", base: tip });
    expect(await prepare(root)).toMatchObject({ branch: "ralph/plan-3" });
  });

  it("says git's reason when the branch can not be made", async () => {
    const root = repoWith("a");
    git(root, "branch", "ralph");
    expect(await prepare(root)).toMatchObject({ kind: "refused", message: expect.stringContaining("refs/heads/ralph") });
    expect(git(root, "branch", "--show-current")).toBe("main");
  });

  it("GT-09 leaves a person's stash in place", async () => {
    const root = repoWith("a");
    put(root, "a", "stashed");
    git(root, "stash", "-q");
    symlinkSync("a", join(root, "PLAN.md"));
    expect(await prepare(root)).toMatchObject({ kind: "ready" });
    expect(git(root, "stash", "list").split("\n")).toHaveLength(1);
  });
});
