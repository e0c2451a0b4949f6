/** The person's git configuration counts as it was at the start of a run: what is written into it later is an agent's. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createGit } from "../../src/workspace/git.js";
import { personalConfig } from "../../src/workspace/global-config.js";
import { freezePersonalConfig } from "../../src/workspace/personal-config.js";
import { scratchFolder } from "./scratch.js";

const before = { ...process.env };
const thaws: (() => void)[] = [];
afterEach(() => {
  for (const thaw of thaws.splice(0)) thaw();
  process.env = { ...before };
});

/** A home of its own, and what git reads there. */
function person(files: Record<string, string>) {
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
  return {
    home,
    put,
    list: async (...args: string[]) => (await git.read(["config", "--list", "-z", ...args])).stdout.toString().split("\0").filter(Boolean),
    async freeze() {
      const frozen = await freezePersonalConfig(git, process.env, scratchFolder());
      thaws.push(frozen.thaw);
      return frozen;
    },
  };
}

const alias = (name: string): string => `[alias]\n\t${name} = status\n`;
const aliases = (list: string[]): string[] => list.filter((entry) => entry.startsWith("alias.")).map((entry) => entry.slice(6).split("\n")[0] ?? "");

describe("the person's git configuration", () => {
  it.each([
    [".gitconfig", {}],
    [".config/git/config", {}],
    [".config/git/config", { ".gitconfig": alias("mine") }],
    [".gitconfig", { ".config/git/config": alias("mine") }],
    [".gitconfig", { ".gitconfig": alias("mine") }],
    ["more/config", { ".gitconfig": `${alias("mine")}[include]\n\tpath = more/config\n` }],
    ["more/config", { ".gitconfig": "[include]\n\tpath = more/config\n", "more/config": alias("mine") }],
  ])("is not what is written into %s after the start (%o)", async (path, there) => {
    const { put, list, freeze } = person(there as Record<string, string>);
    const known = aliases(await list());
    await freeze();
    put(path, alias("forged"));
    expect(aliases(await list())).toEqual(known);
    for (const thaw of thaws.splice(0)) thaw();
    expect(aliases(await list())).toContain("forged");
  });

  it("says the same in the copy, whatever stands in it", async () => {
    const odd = [
      '[url "git@host:"]\n\tinsteadOf = "https://host/"\n\tinsteadOf = host:\n',
      '[filter "with \\"quotes\\" and \\\\ and . dots"]\n\tclean = "sh -c \\"a # b; c\\"\\n\\tnext  "\n',
      "[core]\n\tbare\n\teditor =\n\texcludesFile = ~/ignore\n[user]\n\tname = Änne ; not this\n",
      '[include]\n\tpath = other\n[includeIf "gitdir:/nowhere/"]\n\tpath = never\n',
    ];
    const { list, freeze } = person({ ".gitconfig": odd.join(""), ".config/git/config": alias("first"), other: "[core]\n\tpager = less\n" });
    const own = (entries: string[]): string[] => entries.filter((entry) => !/^include(if)?\./.test(entry));
    const known = own(await list());
    await freeze();
    expect(await list()).toEqual(known);
    expect(known).toContain('filter.with "quotes" and \\ and . dots.clean\nsh -c "a # b; c"\n\tnext  ');
  });

  it("names the files that it was read from, so that they can be kept from agents", async () => {
    const { home, freeze } = person({ ".gitconfig": "[include]\n\tpath = other\n", other: alias("mine"), stray: "" });
    expect((await freeze()).files.sort()).toEqual([join(home, ".gitconfig"), join(home, "other")].sort());
  });

  it("is what GIT_CONFIG_GLOBAL names; no device is mounted for one that names nothing", () => {
    expect(personalConfig({ HOME: "/home/ann", GIT_CONFIG_GLOBAL: "/etc/mine" }).files).toEqual(["/etc/mine"]);
    expect(personalConfig({ HOME: "/home/ann", GIT_CONFIG_GLOBAL: "/dev/null" }).files).toEqual([]);
    expect(personalConfig({ HOME: "/home/ann" })).toEqual({ files: ["/home/ann/.gitconfig", "/home/ann/.config/git/config"], folder: "/home/ann/.config/git" });
  });

  it("may be missing altogether", async () => {
    const { freeze, list } = person({});
    expect((await freeze()).files).toEqual([]);
    expect(aliases(await list())).toEqual([]);
  });
});
