/** Programs that gates start by name, and the folders of the repository where another one could be put in front of them. */
import { describe, expect, it } from "vitest";
import { ALWAYS, gatePrograms } from "../../../src/core/guard/gate-programs.js";

const ROOT = "/repo";
function found(options: { commands?: string[]; files?: Record<string, string | null>; scripts?: Record<string, (string | null)[]>; path?: string }) {
  const { commands = [], files = {}, scripts = {}, path = "/usr/bin" } = options;
  const packages = Object.entries(scripts).map(([file, values]) => ({ path: file, scripts: values.map((value, at) => ({ name: `s${at}`, value })) }));
  const gateFiles = { files: Object.keys(files), packages } as unknown as Parameters<typeof gatePrograms>[0]["gateFiles"];
  return gatePrograms({ commands, gateFiles, root: ROOT, path, read: (file) => files[file] ?? null });
}
const names = (options: Parameters<typeof found>[0]): string[] => found(options).names.filter((name) => !ALWAYS.includes(name));

describe("the names", () => {
  it("are those of commands with their arguments, of called scripts, and of shell text that gates run", () => {
    expect(names({ commands: ["npx vitest run --x", "CI=1 ./check.sh a.b"] })).toEqual(["npx", "vitest", "run", "a.b"]);
    expect(names({ scripts: { "package.json": ["eslint .", null] } })).toEqual(["eslint"]);
    for (const file of ["check.sh", "a.bash", "a.zsh", "rules.mk", "Makefile", "makefile", "GNUmakefile", "x/Justfile", ".justfile", "bin/check"]) {
      expect([file, names({ files: { [file]: "tsc && jest\nmocha" } })]).toEqual([file, ["tsc", "jest", "mocha"]]);
    }
  });

  it("are none of files that no shell reads, or that are gone", () => {
    expect(names({ files: { "a.js": "tsc", "a.shx": "tsc", "notMakefile.txt": "tsc", "gone.sh": null } })).toEqual([]);
  });

  it("are no paths, flags, numbers or variables", () => expect(names({ commands: ["./a /b -c 9d $e 'f g' h/i"] })).toEqual([]));

  it("always hold what package managers start, and are bounded", () => {
    expect(found({}).names).toEqual(ALWAYS);
    expect(found({ commands: [Array.from({ length: 300 }, (_, at) => `p${at}`).join(" ")] }).names).toHaveLength(200);
  });
});

describe("the folders", () => {
  it.each<[string, string[]]>([
    ["/usr/bin:/bin", []],
    ["/repo/tools:/usr/bin", ["tools"]],
    ["/repo:/usr/bin", ["."]],
    ["/repository/bin", []],
    // What is relative, and an empty part, begins in the folder of the gate.
    ["tools:./more", ["tools", "more"]],
    ["", ["."]],
    ["/usr/bin::/bin", ["."]],
    ["../outside:..", []],
    ["/repo/a/../b", ["b"]],
  ])("of PATH=%s in the repository are %j", (path, folders) => expect(found({ path }).folders).toEqual([...folders, "node_modules/.bin"]));

  it("hold the programs of packages, of each package.json up to the root, once", () => {
    expect(found({ scripts: { "package.json": [], "packages/a/package.json": [] }, path: "/bin:/repo/node_modules/.bin" }).folders).toEqual([
      "node_modules/.bin",
      "packages/a/node_modules/.bin",
      "packages/node_modules/.bin",
    ]);
  });
});
