/** A disk that refuses: whatever git or this folder wanted to write, the error names the disk, and once there is room all goes on. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DiskError } from "../../src/core/disk-error.js";
import { diskRefusal } from "../../src/workspace/git-refusal.js";
import { acquireLock } from "../../src/workspace/lock.js";
import type { GitRepo } from "../../src/workspace/repo.js";
import { treeFiles } from "../../src/workspace/tree-files.js";
import { git, keep, open, put } from "./scratch.js";

/** A repository on a file system of its own; null where this user may not mount one. */
function smallRepo(): string | null {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-disk-")));
  // After the repository is closed, which is why it is no scratch folder.
  onTestFinished(() => rmdirSync(root));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", root]).status !== 0) return null;
  onTestFinished(() => void execFileSync("umount", ["-l", root]));
  git(root, "init", "-q", "-b", "main");
  git(root, "config", "user.name", "Person");
  git(root, "config", "user.email", "person@example.org");
  put(root, "a");
  put(root, "sub/b");
  put(root, ".gitignore", "fill\n");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  return root;
}

/** To the last byte, also of the last page. */
function fill(root: string): string {
  const path = join(root, "fill");
  for (const bytes of [1 << 20, 4_096, 16]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: "a" });
    } catch {
      // Full, which is what was wanted.
    }
  }
  return path;
}

const NOISE = Array.from({ length: 4_000 }, (_, line) => `line ${line} ${Math.sin(line)}`).join("\n");

/** Each as a first act on the full disk: what a session of git keeps from one to the next would hide a refusal. */
const ACTS: Record<string, (repo: GitRepo, at: { root: string; tree: string; head: string }) => Promise<unknown>> = {
  capture: (repo) => repo.capture({ against: null, exclude: [] }),
  commit: (repo, { tree, head }) => repo.commit({ tree, parent: head, message: NOISE, verify: true }),
  saveRef: (repo, { tree, head }) => repo.saveRef("r/1", { tree, parent: head, message: NOISE }),
  attach: (repo, { head }) => repo.attach("elsewhere", head),
  restore: (repo, { tree }) => repo.restore(tree, ["sub/b"]),
};

describe("a full disk", () => {
  it.for(Object.keys(ACTS))("ST-13 %s says so, and works once there is room", async (name, context) => {
    const root = smallRepo();
    if (root === null) return context.skip("mounting is not permitted here");
    const repo = open(root);
    put(root, "a", "work\n");
    const { tree, head } = await repo.capture({ against: null, exclude: [] });
    put(root, "big", NOISE);
    const act = ACTS[name];
    const filler = fill(root);
    const at = { root, tree, head: head ?? "" };
    await expect(act?.(repo, at)).rejects.toThrow(DiskError);
    rmSync(filler);
    await expect(act?.(repo, at)).resolves.not.toThrow();
    expect(git(root, "fsck", "--no-dangling")).toBe("");
    await repo.attach("main", git(root, "rev-parse", "main"));
    expect(["committed", "unchanged"]).toContain((await keep(repo)).kind);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("ST-13 a file of the tree keeps its content, and nobody is told that it may not be written", (context) => {
    const root = smallRepo();
    if (root === null) return context.skip("mounting is not permitted here");
    const files = treeFiles(root);
    const filler = fill(root);
    expect(() => files.write("a", NOISE)).toThrow(DiskError);
    expect(files.read("a")).toBe("a\n");
    rmSync(filler);
    expect(files.write("a", NOISE)).toBe(true);
  });
});

describe("the lock on a full disk", () => {
  it("ST-13 names the disk and leaves nothing half written", (context) => {
    const root = smallRepo();
    if (root === null) return context.skip("mounting is not permitted here");
    const truth = join(root, ".git/ralphd");
    mkdirSync(truth);
    const filler = fill(root);
    expect(() => acquireLock(truth, { run: "r" })).toThrow(DiskError);
    expect(readdirSync(truth)).toEqual([]);
    rmSync(filler);
    expect(acquireLock(truth, { run: "r" }).kind).toBe("acquired");
  });
});

describe("git's words", () => {
  it.each([
    ["fatal: sha1 file '/r/.git/index.lock' write error. Out of diskspace", "ENOSPC"],
    ["fatal: unable to write loose object file: No space left on device", "ENOSPC"],
    ["fatal: Unable to create '/r/.git/index.lock': Read-only file system", "EROFS"],
    ["error: unable to create temporary file: Disk quota exceeded\nfatal: x", "EDQUOT"],
    ["fatal: update_ref failed for ref 'refs/x/y': couldn't write '/r/.git/refs/x/y.lock'", "GIT"],
    ["error: inflate: Input/output error", "EIO"],
  ])("%s", (stderr, code) => {
    expect(diskRefusal(stderr, "/r")).toMatchObject({ path: "/r", code });
  });

  it("tells other failures, and what a hook says, from it", () => {
    expect(diskRefusal("fatal: Unable to create '/r/.git/index.lock': File exists.", "/r")).toBeNull();
    expect(diskRefusal("tests failed: No space left on device\nhook: write error", "/r")).toBeNull();
    expect(diskRefusal("", "/r")).toBeNull();
  });
});
