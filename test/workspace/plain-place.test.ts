/** A working tree that is found without git is the one that git finds; out of the ordinary, git is asked. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverRepo } from "../../src/workspace/discover.js";
import { plainPlace } from "../../src/workspace/plain-place.js";
import { git, put, scratchFolder } from "./scratch.js";

function repository(root = scratchFolder()): string {
  mkdirSync(root, { recursive: true });
  git(root, "init", "--quiet");
  put(root, "a/b/file");
  git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message", "Begin");
  return root;
}

async function gitSays(cwd: string): Promise<{ root: string; gitDir: string } | null> {
  const found = await discoverRepo(cwd);
  return found.kind === "repo" ? { root: found.root, gitDir: found.gitDir } : null;
}

describe("an ordinary working tree", () => {
  it.each([
    ["its root", (root: string) => root],
    ["a folder in it", (root: string) => join(root, "a/b")],
    ["a link to a folder in it", (root: string) => linkTo(join(root, "a"))],
    ["an inner repository", (root: string) => repository(join(root, "a/inner"))],
  ])("is found as git finds it, from %s", async (_name, from) => {
    const cwd = from(repository());
    const found = plainPlace(cwd, {});
    expect(found).not.toBeNull();
    expect(found).toEqual(await gitSays(cwd));
  });
});

describe("git is asked", () => {
  it.each([
    ["outside of a repository", () => scratchFolder()],
    ["in git's own folder", () => join(repository(), ".git")],
    ["below git's own folder", () => join(repository(), ".git/refs")],
    ["in a bare repository", () => configured("core.bare", "true")],
    ["where the working tree is elsewhere", () => configured("core.worktree", scratchFolder())],
    ["where more configuration is read", () => configured("include.path", "more")],
    ["in a linked working tree", () => linked()],
    ["where git's folder is a link", () => moved()],
    ["where git's folder lacks a part", () => torn()],
    ["in a folder that is gone", () => join(scratchFolder(), "gone")],
  ])("%s", (_name, make) => expect(plainPlace(make(), {})).toBeNull());

  it.each(["GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"])("where %s limits the search", (name) => {
    expect(plainPlace(repository(), { [name]: "1" })).toBeNull();
  });
});

function linkTo(folder: string): string {
  const link = join(scratchFolder(), "link");
  symlinkSync(folder, link);
  return link;
}

function configured(name: string, value: string): string {
  const root = repository();
  git(root, "config", name, value);
  return root;
}

function linked(): string {
  const path = join(scratchFolder(), "linked");
  git(repository(), "worktree", "add", "--quiet", path);
  return path;
}

function moved(): string {
  const root = repository();
  const elsewhere = join(scratchFolder(), "git");
  renameSync(join(root, ".git"), elsewhere);
  symlinkSync(elsewhere, join(root, ".git"));
  return root;
}

/** Git looks on above it. */
function torn(): string {
  const root = repository();
  const inner = join(root, "inner");
  mkdirSync(join(inner, ".git"), { recursive: true });
  writeFileSync(join(inner, ".git/HEAD"), "ref: refs/heads/main\n");
  return inner;
}
