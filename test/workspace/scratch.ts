/** Fresh repositories on disk for the tests of this folder, isolated from the configuration of whoever runs them. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { type GitRepo, openRepo, type RepoOptions } from "../../src/workspace/repo.js";

const folders: string[] = [];
const repos: GitRepo[] = [];

process.env.GIT_CONFIG_NOSYSTEM = "1";
process.env.GIT_CONFIG_GLOBAL = "/dev/null";

afterEach(() => {
  for (const repo of repos.splice(0)) repo.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-test-")));
  folders.push(folder);
  return folder;
}

export function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
}

export function put(root: string, path: string, content = `${path}\n`): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

export function script(root: string, path: string, body: string): string {
  const file = put(root, path, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A repository without commits. */
export function emptyRepo(): string {
  const root = scratchFolder();
  git(root, "init", "-q", "-b", "main");
  git(root, "config", "user.name", "Person");
  git(root, "config", "user.email", "person@example.org");
  return root;
}

/** A repository with one commit of these files. */
export function repoWith(...paths: string[]): string {
  const root = emptyRepo();
  for (const path of paths) put(root, path);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  return root;
}

export function open(root: string, options: Partial<RepoOptions> = {}): GitRepo {
  const gitDir = git(root, "rev-parse", "--absolute-git-dir");
  const repo = openRepo({ root, gitDir, maxFileBytes: 1_000_000, signCommits: true, ...options });
  repos.push(repo);
  return repo;
}

/** Captures and commits what is there, as one iteration does. */
export async function keep(repo: GitRepo, message = "work", exclude: string[] = []) {
  const { tree, head } = await repo.capture({ against: null, exclude });
  return repo.commit({ tree, parent: head, message, verify: true });
}

/** Paths of a tree or commit. */
export function filesOf(root: string, tree: string): string[] {
  return git(root, "ls-tree", "-r", "--name-only", tree).split("\n").filter(Boolean);
}
