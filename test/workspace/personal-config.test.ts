/** The person's git configuration counts as it was at the start: files that appear later are an agent's. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createGit } from "../../src/workspace/git.js";
import { personalConfig, pinnedGlobal } from "../../src/workspace/personal-config.js";
import { scratchFolder } from "./scratch.js";

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

/** A home of its own, and what git reads there. */
function person(files: Record<string, string>): { put(path: string, text: string): void; aliases(): Promise<string> } {
  const home = scratchFolder();
  process.env = { ...before, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  delete process.env["XDG_CONFIG_HOME"];
  delete process.env["GIT_CONFIG_GLOBAL"];
  const put = (path: string, text: string): void => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const git = createGit({ root: home });
  return { put, aliases: async () => (await git.read(["config", "--get-regexp", "^alias"])).stdout.toString() };
}

const alias = (name: string): string => `[alias]\n\t${name} = status\n`;

describe("the person's git configuration", () => {
  it.each<{ there: Record<string, string>; appears: string; reads: string }>([
    { there: {}, appears: ".gitconfig", reads: "" },
    { there: {}, appears: ".config/git/config", reads: "" },
    { there: { ".gitconfig": alias("mine") }, appears: ".config/git/config", reads: "alias.mine status\n" },
    { there: { ".config/git/config": alias("mine") }, appears: ".gitconfig", reads: "alias.mine status\n" },
  ])("is read where it stood ($there), and $appears is not when it appears later", async ({ there, appears, reads }) => {
    const { put, aliases } = person(there);
    expect(await aliases()).toBe(reads);
    put(appears, alias("forged"));
    expect(await aliases()).toBe(reads);
  });

  it("is left to git where both files stood", async () => {
    const { aliases } = person({ ".gitconfig": alias("one"), ".config/git/config": alias("two") });
    expect((await aliases()).split("\n").filter(Boolean).sort()).toEqual(["alias.one status", "alias.two status"]);
  });

  it("is what GIT_CONFIG_GLOBAL names, and nothing where that file is missing", () => {
    expect(personalConfig({ HOME: "/home/ann", GIT_CONFIG_GLOBAL: "/etc/mine" }).files).toEqual(["/etc/mine"]);
    // In the sandbox these files are mounted, which a device would not survive.
    expect(personalConfig({ HOME: "/home/ann", GIT_CONFIG_GLOBAL: "/dev/null" }).files).toEqual([]);
    expect(pinnedGlobal({ HOME: "/home/ann", GIT_CONFIG_GLOBAL: "/nowhere/config" })).toBe("/dev/null");
    expect(pinnedGlobal({ HOME: "/home/ann", GIT_CONFIG_GLOBAL: "/dev/null" })).toBeNull();
  });
});
