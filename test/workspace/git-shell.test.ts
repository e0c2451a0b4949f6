/** Git calls that come often are started by a shell that stays; nobody can tell the difference. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGit, type Git } from "../../src/workspace/git.js";
import { findChildren } from "./children.js";
import { put, repoWith, script, scratchFolder } from "./scratch.js";

const ALIAS = "alias.say";

function often(root: string, timeoutMs = 20_000): { git: Git; inputDir: string; shells(): number[] } {
  const inputDir = scratchFolder();
  const git = createGit({ root, inputDir, timeoutMs });
  return { git, inputDir, shells: () => findChildren(process.pid, "while IFS= read -r input").filter((pid) => pid !== process.pid) };
}

/** What git does here is a script's affair: its output, its exit code, its hanging. */
function saying(root: string, body: string): string[] {
  return ["-c", `${ALIAS}=!${script(scratchFolder(), "say", body)} ${root}`, "say"];
}

describe("a git call that comes often", () => {
  it("gives what a call of its own gives: bytes, complaints and exit code", async () => {
    const root = repoWith("a");
    const { git } = often(root);
    for (const body of ["printf 'a\\0b\\n\\n'; echo no >&2; exit 3", "exit 0", "printf x", "yes 'a long line of text' | head -c 300000"]) {
      const args = saying(root, body);
      const own = await git.read(args);
      for (let time = 0; time < 3; time++) expect(await git.read(args, { often: true })).toEqual(own);
    }
  });

  it("takes input anew each time, from one file", async () => {
    const root = repoWith("a");
    const { git, inputDir } = often(root);
    for (const input of ["one", "", "two\0three\n", "x".repeat(200_000)]) {
      const result = await git.write(["hash-object", "--stdin"], { input, often: true });
      expect(result.stdout).toEqual((await git.write(["hash-object", "--stdin"], { input })).stdout);
    }
    expect(readdirSync(inputDir)).toEqual(["git-input-0"]);
  });

  it("is started by one shell however often it comes, and the shell is gone when it is closed", async () => {
    const root = repoWith("a");
    const { git, shells } = often(root);
    const before = shells().length;
    for (let time = 0; time < 5; time++) await git.read(["status", "-z"], { often: true });
    await Promise.all([1, 2, 3].map(() => git.read(["status", "-z"], { often: true })));
    expect(shells()).toHaveLength(before + 1);
    await git.close();
    expect(shells()).toHaveLength(before);
  });

  it("GT-05 ends in time, and comes back the next time", async () => {
    const root = repoWith("a");
    const { git } = often(root, 500);
    const args = saying(root, `[ -e ${join(root, "go")} ] || sleep 600; echo went`);
    expect(await git.read(args, { often: true })).toMatchObject({ code: null, timedOut: true });
    put(root, "go");
    expect((await git.read(args, { often: true })).stdout.toString()).toBe("went\n");
  });

  it("SE-08 is run in the usual way when its shell was killed", async () => {
    const root = repoWith("a");
    const { git, shells } = often(root);
    const before = shells();
    const args = saying(root, `[ -e ${join(root, "go")} ] || { touch ${join(root, "go")}; exec sleep 600; }; echo went`);
    const result = git.read(args, { often: true });
    await until(() => existsSync(join(root, "go")));
    const [pid = 0] = shells().filter((one) => !before.includes(one));
    process.kill(pid, "SIGKILL");
    expect((await result).stdout.toString()).toBe("went\n");
    await until(() => findSleeping(root).length === 0);
  });
});

/** The scripts of `saying` carry the root as their argument. */
function findSleeping(root: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/environ`, "utf8").includes(`PWD=${root}`) &&
        readFileSync(`/proc/${name}/cmdline`, "utf8").startsWith("sleep\0")
      );
    } catch {
      // It ended while the list was read.
      return false;
    }
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
