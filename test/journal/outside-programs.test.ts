/** Programs on PATH outside of the repository: one that comes in front of another during the run is noticed. */
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outsideFolders, pinOutside, watchOutside } from "../../src/journal/outside-programs.js";
import { ownOrNamed, ownProgram } from "../../src/own-program.js";
import { scratch } from "./scratch.js";

/** Folders `first`, `second` and `third` of a PATH, with the named programs in them. */
function machine(programs: Record<string, string[]>): {
  path: string;
  root: string;
  add(place: string): void;
  remove(place: string): void;
  at(place: string): string;
} {
  const base = scratch();
  const at = (place: string): string => join(base, place);
  const add = (place: string): void => {
    writeFileSync(at(place), "#!/bin/sh\n");
    chmodSync(at(place), 0o755);
  };
  for (const folder of ["first", "second", "third", "repo"]) mkdirSync(at(folder));
  for (const [folder, names] of Object.entries(programs)) for (const name of names) add(`${folder}/${name}`);
  return { path: ["first", "second", "third"].map(at).join(":"), root: at("repo"), add, remove: (place) => rmSync(at(place)), at };
}

function watched({ path, root }: { path: string; root: string }, names: string[]): () => string | null {
  return watchOutside(pinOutside(names, path, root), outsideFolders(path, root));
}

describe("a program of a gate outside of the repository", () => {
  it("that is where it was is no matter, whatever else comes and goes", () => {
    const box = machine({ second: ["node"], third: ["node", "npm"] });
    const stray = watched(box, ["node", "npm", "pnpm"]);
    expect(stray()).toBeNull();
    box.add("first/pnpm");
    box.add("first/other");
    box.add("third/pnpm");
    box.remove("second/node");
    expect(stray()).toBeNull();
  });

  it("is named when another comes in front of it, until that is gone", () => {
    const box = machine({ second: ["node"] });
    const stray = watched(box, ["node"]);
    expect(stray()).toBeNull();
    box.add("first/node");
    expect(stray()).toBe(`${box.at("first/node")} came during the run, in front of the node that gates run (${box.at("second/node")})`);
    box.remove("first/node");
    expect(stray()).toBeNull();
  });

  it("is named also where the folder was made to look unchanged", () => {
    const box = machine({ second: ["node"] });
    const stray = watched(box, ["node"]);
    utimesSync(box.at("first"), 1, 1);
    expect(stray()).toBeNull();
    box.add("first/node");
    utimesSync(box.at("first"), 1, 1);
    expect(stray()).toContain("first/node came during the run");
  });

  it("is looked for in folders of PATH that are not the repository's", () => {
    expect(outsideFolders("/usr/bin:/repo/bin:/repo:bin::/repository/bin", "/repo")).toEqual(["/usr/bin", "/repository/bin"]);
  });
});

describe("a program of the driver's own", () => {
  it("is the one of the first question, and one that was missing then stays missing", () => {
    const box = machine({ second: ["git"] });
    expect(ownProgram("git", box.path)).toBe(box.at("second/git"));
    box.add("first/git");
    box.add("first/sh");
    expect(ownProgram("git", box.path)).toBe(box.at("second/git"));
    expect(ownProgram("sh", box.path)).toBe("/proc/not-on-PATH/sh");
  });

  it("is told from other programs by its plain name", () => {
    expect(ownOrNamed("notify-send")).toMatch(/^\/.*\/notify-send$/);
    expect(ownOrNamed("./notify.sh")).toBe("./notify.sh");
  });
});
