/** Commits exactly the judged tree, with the user's hooks and signing, and leaves the user's index clean. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processStart } from "../../src/workspace/process-identity.js";
import { emptyRepo, filesOf, git, keep, open, put, repoWith, scratchFolder, script } from "./scratch.js";

describe("commit", () => {
  it("commits the tree on the current branch and leaves a clean status and untouched files", async () => {
    const root = repoWith("a", "b");
    const repo = open(root);
    put(root, "a", "changed");
    put(root, "new/file");
    const { tree, head } = await repo.capture({ against: null, exclude: [] });
    put(root, "b", "written after the capture");
    const outcome = await repo.commit({ tree, parent: head, message: "work\n\n#12 stays\n\nRalphd-Run: r1", verify: true });
    expect(outcome).toEqual({ kind: "committed", commit: git(root, "rev-parse", "main"), tree, quiet: true });
    expect(git(root, "rev-parse", "HEAD^{tree}", "HEAD^")).toBe(`${tree}\n${head}`);
    expect(git(root, "log", "-1", "--format=%an <%ae>%n%B")).toBe("Person <person@example.org>\nwork\n\n#12 stays\n\nRalphd-Run: r1");
    expect(git(root, "status", "--porcelain")).toBe(" M b");
    expect(git(root, "fsck", "--strict")).toBe("");
  });

  it("GT-16 makes the first commit of an unborn branch", async () => {
    const root = emptyRepo();
    const repo = open(root);
    expect(await keep(repo)).toEqual({ kind: "unchanged" });
    put(root, "a");
    expect(await keep(repo)).toMatchObject({ kind: "committed" });
    expect(git(root, "status", "--porcelain", "--branch")).toBe("## main");
  });

  it("makes no commit without a change, and none when HEAD has moved", async () => {
    const root = repoWith("a");
    const repo = open(root);
    expect(await keep(repo)).toEqual({ kind: "unchanged" });
    put(root, "a", "work");
    const { tree, head } = await repo.capture({ against: null, exclude: [] });
    git(root, "commit", "-q", "--allow-empty", "-m", "someone else");
    const moved = git(root, "rev-parse", "HEAD");
    expect(await repo.commit({ tree, parent: head, message: "late", verify: true })).toEqual({ kind: "moved", head: moved });
    expect(git(root, "rev-parse", "HEAD")).toBe(moved);
  });

  it("commits as the driver only for a person without identity", async () => {
    const root = repoWith("a");
    git(root, "config", "--unset", "user.name");
    git(root, "config", "--unset", "user.email");
    put(root, "b");
    expect(await keep(open(root))).toMatchObject({ kind: "committed" });
    expect(git(root, "log", "-1", "--format=%an <%ae> %cn")).toBe("ralphd <ralphd@localhost> ralphd");
  });

  it("leaves the user's own staged and unstaged changes exactly as they were", async () => {
    const root = repoWith("staged", "unstaged", "both", "work");
    put(root, "staged", "1");
    put(root, "both", "1");
    put(root, "added");
    git(root, "add", "staged", "both", "added");
    put(root, "unstaged", "2");
    put(root, "both", "2");
    put(root, "stray");
    const before = git(root, "status", "--porcelain");
    const repo = open(root);
    const exclude = (await repo.look()).dirty;
    put(root, "work", "by the agent");
    put(root, "fresh", "by the agent");
    const outcome = await keep(repo, "work", exclude);
    expect(outcome).toMatchObject({ kind: "committed" });
    expect(git(root, "show", "--name-only", "--format=", "HEAD").split("\n")).toEqual(["fresh", "work"]);
    expect(git(root, "status", "--porcelain")).toBe(before);
    expect(git(root, "show", ":both")).toBe("1");
  });

  it("commits a tree that is not the last captured one", async () => {
    const root = repoWith("a");
    const repo = open(root);
    put(root, "a", "one");
    const first = await repo.capture({ against: null, exclude: [] });
    put(root, "a", "two");
    await repo.capture({ against: null, exclude: [] });
    const outcome = await repo.commit({ tree: first.tree, parent: first.head, message: "one", verify: true });
    expect(outcome).toMatchObject({ kind: "committed", tree: first.tree });
    expect(git(root, "status", "--porcelain")).toBe(" M a");
  });

  it("GT-09 neither makes nor takes a stash", async () => {
    const root = repoWith("a");
    put(root, "a", "the person's");
    git(root, "stash", "-q");
    const stashes = git(root, "stash", "list", "--format=%H");
    put(root, "a", "work");
    script(root, ".git/hooks/pre-commit", "exit 1");
    expect(await keep(open(root))).toMatchObject({ kind: "refused" });
    expect(git(root, "stash", "list", "--format=%H")).toBe(stashes);
  });
});

describe("commit hooks", () => {
  it("GT-12 keeps the work and hands on the output when pre-commit refuses", async () => {
    const root = repoWith("a");
    script(root, ".git/hooks/pre-commit", "echo lint: line 3; exit 1");
    put(root, "a", "work");
    const head = git(root, "rev-parse", "HEAD");
    expect(await keep(open(root))).toEqual({ kind: "refused", output: "pre-commit exited with 1:\nlint: line 3" });
    expect(git(root, "rev-parse", "HEAD")).toBe(head);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("work");
  });

  it("GT-13 shows why a hook that misses a tool has failed", async () => {
    const root = repoWith("a");
    script(root, ".git/hooks/pre-commit", "no-such-tool-here");
    put(root, "a", "work");
    const outcome = await keep(open(root));
    expect(outcome).toMatchObject({ kind: "refused", output: expect.stringMatching(/127(.|\n)*no-such-tool-here/) });
  });

  it("gives a tree that a hook changed back to be judged, and commits it when the hook is content", async () => {
    const root = repoWith("a");
    script(root, ".git/hooks/pre-commit", "echo formatted > a; git add a");
    put(root, "a", "raw");
    const repo = open(root);
    const head = git(root, "rev-parse", "HEAD");
    const outcome = await keep(repo);
    if (outcome.kind !== "hookChanged") throw new Error(`unexpected ${outcome.kind}`);
    expect(git(root, "show", `${outcome.tree}:a`)).toBe("formatted");
    expect(git(root, "rev-parse", "HEAD")).toBe(head);
    const again = await repo.capture({ against: outcome.tree, exclude: [] });
    expect(again.changes).toEqual([]);
    expect(await repo.commit({ tree: outcome.tree, parent: head, message: "m", verify: true })).toMatchObject({ kind: "committed" });
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("runs message hooks and post-commit, from the configured folder, without waiting for what they leave behind", async () => {
    const root = repoWith("a");
    git(root, "config", "core.hooksPath", "my-hooks");
    const after = join(scratchFolder(), "after");
    script(root, "my-hooks/prepare-commit-msg", 'echo "prepared by $2" >> "$1"');
    script(root, "my-hooks/commit-msg", 'grep -q "^work" "$1"');
    script(root, "my-hooks/post-commit", `git status --porcelain > ${after}; sleep 30 &`);
    const repo = open(root);
    expect(await keep(repo)).toMatchObject({ kind: "committed" });
    expect(git(root, "log", "-1", "--format=%B")).toBe("work\nprepared by message");
    expect(readFileSync(after, "utf8")).toBe("");
    put(root, "a", "more");
    expect(await keep(repo, "fix")).toMatchObject({ kind: "refused", output: "commit-msg exited with 1" });
    expect(await repo.commit({ ...(await asked(repo)), message: "fix", verify: false })).toMatchObject({ kind: "committed" });
  });

  it("uses the hooks path of the start although an agent changes it", async () => {
    const root = repoWith("a");
    script(root, ".git/hooks/pre-commit", "exit 1");
    const repo = open(root);
    await repo.capture({ against: null, exclude: [] });
    git(root, "config", "core.hooksPath", "/nowhere");
    put(root, "a", "work");
    expect(await keep(repo)).toMatchObject({ kind: "refused" });
  });
});

describe("signing", () => {
  it("GT-14 refuses in time when the signing program hangs, and can do without it", async () => {
    const root = repoWith("a");
    const pid = join(scratchFolder(), "pid");
    git(root, "config", "commit.gpgSign", "true");
    git(root, "config", "gpg.program", script(scratchFolder(), "gpg", `echo $$ > ${pid}; exec sleep 300`));
    put(root, "a", "work");
    const repo = open(root, { timeoutMs: 1_000 });
    expect(await keep(repo)).toEqual({ kind: "refused", output: "signing the commit failed: it did not end in time" });
    await expect.poll(() => processStart(Number(readFileSync(pid, "utf8")))).toBeNull();
    rmSync(pid);
    expect(await keep(repo), "the same run does not wait for it again").toMatchObject({
      kind: "refused",
      output: expect.stringContaining("signCommits: false"),
    });
    expect(existsSync(pid)).toBe(false);
    expect(await keep(open(root, { signCommits: false }))).toMatchObject({ kind: "committed" });
  });

  it("signs as the configuration says", async () => {
    const root = repoWith("a");
    git(root, "config", "commit.gpgSign", "true");
    const gpg = 'cat > /dev/null; echo "[GNUPG:] SIG_CREATED " >&2; echo "-----BEGIN PGP SIGNATURE-----"; echo x; echo "-----END PGP SIGNATURE-----"';
    git(root, "config", "gpg.program", script(scratchFolder(), "gpg", gpg));
    put(root, "a", "work");
    expect(await keep(open(root))).toMatchObject({ kind: "committed" });
    expect(git(root, "cat-file", "commit", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
  });
});

describe("finding and keeping commits", () => {
  it("finds the commit of an iteration by its trailers", async () => {
    const root = repoWith("a");
    const repo = open(root);
    for (const iteration of [1, 2, 3]) {
      put(root, "a", String(iteration));
      await keep(repo, `work\n\nRalphd-Run: r1\nRalphd-Iteration: ${iteration}`);
    }
    const tree = git(root, "rev-parse", "HEAD~1^{tree}");
    expect(await repo.findIterationCommit("r1", 2)).toEqual({ commit: git(root, "rev-parse", "HEAD~1"), tree });
    expect(await repo.findIterationCommit("r1", 4)).toBeNull();
    expect(await repo.findIterationCommit("r", 2)).toBeNull();
  });

  it("GT-10 saves work under a ref without touching branch, index or files", async () => {
    const root = repoWith("a");
    const repo = open(root);
    put(root, "a", "interrupted");
    const { tree, head } = await repo.capture({ against: null, exclude: [] });
    const before = git(root, "status", "--porcelain");
    const commit = await repo.saveRef("r1/3", { tree, parent: head, message: "interrupted" });
    expect(git(root, "rev-parse", "refs/ralphd/r1/3", "refs/ralphd/r1/3^")).toBe(`${commit}\n${head}`);
    expect(await repo.saveRef("r1/tip", { commit })).toBe(commit);
    expect(git(root, "status", "--porcelain")).toBe(before);
    expect(git(root, "rev-parse", "HEAD")).toBe(head);
  });

  it("GT-04 saves work under a ref that a lock of somebody else keeps out of the branch", async () => {
    const root = repoWith("a");
    const repo = open(root, { lockWaitMs: 50 });
    put(root, "a", "work");
    const { tree, head } = await repo.capture({ against: null, exclude: [] });
    const lock = put(root, ".git/refs/heads/main.lock", "");
    expect(await repo.commit({ tree, parent: head, message: "m", verify: true })).toEqual({ kind: "refused", output: expect.stringContaining("main.lock") });
    const commit = await repo.saveRef("r1/3-refused", { tree, parent: head, message: "refused" });
    expect(git(root, "show", `${commit}:a`)).toBe("work");
    rmSync(lock);
    expect(await repo.commit({ tree, parent: head, message: "m", verify: true })).toMatchObject({ kind: "committed" });
  });

  it("GT-24 tells that an amended base is no ancestor any more", async () => {
    const root = repoWith("a");
    const base = git(root, "rev-parse", "HEAD");
    git(root, "commit", "-q", "--amend", "-m", "another");
    const repo = open(root);
    expect(await repo.isAncestor(base, git(root, "rev-parse", "HEAD"))).toBe(false);
    expect(await repo.isAncestor(base, base)).toBe(true);
  });

  it("GT-07 puts a detached HEAD back on the branch, making a deleted one again, without touching files", async () => {
    const root = repoWith("a");
    const repo = open(root);
    const head = git(root, "rev-parse", "HEAD");
    git(root, "checkout", "-q", "--detach");
    git(root, "branch", "-q", "-D", "main");
    put(root, "a", "work");
    await repo.attach("main", head);
    expect(await repo.look()).toEqual({ head, branch: "main", dirty: ["a"] });
  });

  it("GT-20 does twenty writes at once, one after the other", async () => {
    const root = repoWith("a");
    const repo = open(root);
    const tree = git(root, "rev-parse", "HEAD^{tree}");
    const saves = Array.from({ length: 20 }, (_, at) => repo.saveRef(`r/${at}`, { tree, parent: null, message: `m ${at}` }));
    expect(new Set(await Promise.all(saves)).size).toBe(20);
    expect(git(root, "for-each-ref", "refs/ralphd/r").split("\n")).toHaveLength(20);
  });
});

describe("tree ids and contents", () => {
  it("gives an id that ignores the named paths and nothing else", async () => {
    const root = repoWith("PLAN.md", ".ralph/progress.md", "src/a", "src/b");
    const repo = open(root);
    const idNow = async () => repo.treeWithout((await repo.capture({ against: null, exclude: [] })).tree, ["PLAN.md", ".ralph", "src/b"]);
    const before = await idNow();
    put(root, "PLAN.md", "ticked");
    put(root, ".ralph/guardrails/x.md");
    put(root, "src/b", "changed");
    expect(await idNow()).toBe(before);
    put(root, "src/a", "changed");
    expect(await idNow()).not.toBe(before);
  });

  it("reads text of a tree, and null for what it does not have", async () => {
    const root = repoWith("src/a");
    const repo = open(root);
    expect(await repo.readAt("HEAD^{tree}", "src/a")).toBe("src/a\n");
    expect(filesOf(root, "HEAD")).toEqual(["src/a"]);
    for (const path of ["src", "src/a/b", "none"]) expect(await repo.readAt("HEAD^{tree}", path)).toBeNull();
  });
});

function asked(repo: ReturnType<typeof open>) {
  return repo.capture({ against: null, exclude: [] }).then(({ tree, head }) => ({ tree, parent: head }));
}
