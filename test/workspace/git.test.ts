/** Git calls are hardened, end in time, and outlive locks of others. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGit } from "../../src/workspace/git.js";
import { processStart } from "../../src/workspace/process-identity.js";
import { findChildren } from "./children.js";
import { git, keep, open, put, repoWith, scratchFolder, script } from "./scratch.js";

function lockOf(root: string, ageSeconds: number): string {
  const lock = put(root, ".git/index.lock", "");
  const then = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, then, then);
  return lock;
}

describe("locks of others", () => {
  it("GT-04 removes a lock that is old and nobody's, and says so", async () => {
    const root = repoWith("a");
    const warnings: string[] = [];
    const lock = lockOf(root, 3_600);
    const runner = createGit({ root, onWarning: (message) => warnings.push(message) });
    put(root, "a", "x");
    expect((await runner.write(["add", "a"])).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
    expect(warnings).toEqual([expect.stringContaining("index.lock: it was 3600 s old")]);
  });

  it("GT-04 leaves a young lock and an old one that a process holds", async () => {
    const root = repoWith("a");
    put(root, "a", "x");
    const impatient = createGit({ root, lockWaitMs: 50 });
    const lock = lockOf(root, 1);
    expect((await impatient.write(["add", "a"])).code).toBe(128);
    lockOf(root, 3_600);
    const fd = openSync(lock, "r");
    const holder = spawn("sleep", ["60"], { stdio: [fd, "ignore", "ignore"] });
    await once(holder, "spawn");
    closeSync(fd);
    try {
      expect((await impatient.write(["add", "a"])).code).toBe(128);
      expect(existsSync(lock)).toBe(true);
    } finally {
      holder.kill("SIGKILL");
    }
  });

  it("GT-06 waits for a lock that is released, in a call and in the exchange of the index", async () => {
    const root = repoWith("a");
    lockOf(root, 0);
    const releases = spawn("sh", ["-c", "sleep 0.3; rm .git/index.lock"], { cwd: root, stdio: "ignore" });
    put(root, "a", "x");
    expect(await keep(open(root))).toMatchObject({ kind: "committed" });
    await (releases.exitCode === null ? once(releases, "exit") : null);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  it("commits although the index stays locked, and warns", async () => {
    const root = repoWith("a");
    const lock = lockOf(root, 0);
    const warnings: string[] = [];
    put(root, "a", "x");
    const repo = open(root, { lockWaitMs: 50, onWarning: (message) => warnings.push(message) });
    expect(await keep(repo)).toMatchObject({ kind: "committed" });
    expect(existsSync(lock)).toBe(true);
    expect(warnings).toHaveLength(1);
  });
});

describe("git processes", () => {
  it("GT-05 WT-07 ends a call at its timeout, which can be set, with SIGTERM, so that no lock stays", async () => {
    const root = repoWith("a");
    const seen = join(scratchFolder(), "seen");
    // The filter keeps `git add` busy while it holds the index lock.
    git(root, "config", "filter.slow.clean", script(scratchFolder(), "slow", `echo $$ > ${seen}; exec sleep 300`));
    put(root, ".gitattributes", "slow.txt filter=slow\n");
    put(root, "slow.txt");
    const result = await createGit({ root, timeoutMs: 1_500 }).write(["add", "slow.txt"]);
    expect(result).toMatchObject({ timedOut: true });
    expect(existsSync(join(root, ".git/index.lock"))).toBe(false);
    await expect.poll(() => processStart(Number(readFileSync(seen, "utf8")))).toBeNull();
  });

  it("is not redirected by inherited variables and starts no fsmonitor", async () => {
    const root = repoWith("a");
    const other = repoWith("elsewhere");
    const marker = join(scratchFolder(), "started");
    git(root, "config", "core.fsmonitor", script(scratchFolder(), "monitor", `touch ${marker}`));
    process.env.GIT_DIR = join(other, ".git");
    process.env.GIT_INDEX_FILE = join(other, ".git/index");
    try {
      const runner = createGit({ root });
      expect((await runner.read(["ls-files"])).stdout.toString()).toBe("a\n");
      await runner.read(["status"]);
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.GIT_INDEX_FILE;
    }
    expect(existsSync(marker)).toBe(false);
  });

  it("does not see replaced objects", async () => {
    const root = repoWith("a");
    const blob = git(root, "rev-parse", "HEAD:a");
    const fake = put(scratchFolder(), "fake", "fake\n");
    git(root, "replace", blob, git(root, "hash-object", "-w", fake));
    expect(git(root, "show", "HEAD:a")).toBe("fake");
    expect(await open(root).readAt("HEAD^{tree}", "a")).toBe("a\n");
  });

  it("answers again after its reader was killed", async () => {
    const root = repoWith("a");
    const repo = open(root);
    expect(await repo.readAt("HEAD^{tree}", "a")).toBe("a\n");
    for (const pid of findChildren(process.pid, "cat-file")) process.kill(pid, "SIGKILL");
    put(root, "b", "new");
    const { tree } = await repo.capture({ against: git(root, "rev-parse", "HEAD^{tree}"), exclude: [] });
    expect(await repo.readAt(tree, "b")).toBe("new");
  });
});
