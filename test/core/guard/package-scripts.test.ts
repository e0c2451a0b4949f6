/** package.json scripts that gates call: found, compared and put back alone. */
import { describe, expect, it } from "vitest";
import { changedScripts, pinnedScripts, restoreScripts, scriptCalls } from "../../../src/core/guard/package-scripts.js";

const PACKAGE = `{
  "name": "x",
  "scripts": {
    "pretest": "npm run -s build",
    "test": "run-s 'test:*'",
    "test:a": "node a.js",
    "test:b": "node b.js",
    "build": "tsc",
    "lint": "eslint ."
  }
}
`;

describe("scriptCalls", () => {
  it.each<[string, string[]]>([
    ["npm test", ["test"]],
    ["npm t -- --watch=false", ["test"]],
    ["npm --silent run build", ["build"]],
    ["npm run -s build && npm run lint", ["build", "lint"]],
    ["CI=1 npm run-script lint", ["lint"]],
    ["npm run", []],
    ["npm ci", []],
    ["npm exec vitest", []],
    ["pnpm lint", ["lint"]],
    ["yarn test", ["test"]],
    ["yarn run lint", ["lint"]],
    ["bun run lint", ["lint"]],
    ["bun test", []],
    ["node --run lint", ["lint"]],
    ["npx run-s build 'test:*'", ["build", "test:*"]],
    ["concurrently 'npm:lint' npm:build", ["lint", "build"]],
    ["echo npm test", []],
    ["npx vitest", []],
    ["npx", []],
    ["concurrently lint npm:", []],
    ["concurrently 'npm:lint -- --fix' pnpm:a yarn:b bun:c", ["lint", "a", "b", "c"]],
    ["npm-run-all 'build --watch' lint", ["build", "lint"]],
    ["npm -w web --filter x run lint", ["lint"]],
    ["npm run -- lint", []],
    ["node a.js", []],
    ["yarn", []],
    ["yarn run", []],
    ["pnpm t", ["test"]],
  ])("%s calls %j", (command, expected) => {
    expect(scriptCalls(command).map((call) => call.name)).toEqual(expected);
  });

  it("says whose package.json is meant", () => {
    expect(scriptCalls("npm --prefix web test; cd api && npm -C ../db test; yarn --cwd=x lint").map((call) => call.dir)).toEqual(["web", "db", "api/x"]);
  });
});

describe("pinnedScripts", () => {
  it("follows scripts that call scripts, and pins the hooks that are not there as absent", () => {
    expect(pinnedScripts("npm test", PACKAGE)).toEqual([
      { name: "build", value: "tsc" },
      { name: "postbuild", value: null },
      { name: "posttest", value: null },
      { name: "posttest:a", value: null },
      { name: "posttest:b", value: null },
      { name: "prebuild", value: null },
      { name: "pretest", value: "npm run -s build" },
      { name: "pretest:a", value: null },
      { name: "pretest:b", value: null },
      { name: "test", value: "run-s 'test:*'" },
      { name: "test:a", value: "node a.js" },
      { name: "test:b", value: "node b.js" },
    ]);
  });

  it("ends for scripts that call each other", () => {
    expect(pinnedScripts("npm run a", '{"scripts":{"a":"npm run b","b":"npm run a"}}').length).toBe(6);
  });

  it.each(["", "{", "[]", "null", "{}", '{"scripts":[]}'])("pins nothing in %j", (text) => {
    expect(pinnedScripts("npm test", text)).toEqual([]);
  });

  it("leaves a script that does not exist yet to the agent", () => {
    expect(pinnedScripts("npm test", '{"scripts":{}}')).toEqual([]);
  });
});

describe("SE-03 restoreScripts", () => {
  const pinned = pinnedScripts("npm test", PACKAGE);

  it("puts back only the pinned values and keeps the agent's other edits", () => {
    const edited = PACKAGE.replace(`"run-s 'test:*'"`, '"true"').replace('"tsc"', '"tsc -b"').replace('"eslint ."', '"biome check"').replace('"x"', '"y"');
    const restored = restoreScripts(edited, pinned);
    expect(restored).toBe(PACKAGE.replace('"eslint ."', '"biome check"').replace('"x"', '"y"'));
    expect(changedScripts(edited, pinned)).toEqual(["build", "test"]);
    expect(changedScripts("{", pinned)).toBeNull();
  });

  it("takes out an added hook and brings back a removed script", () => {
    const edited = PACKAGE.replace('"build": "tsc",', '"posttest": "exit 0",');
    const restored = restoreScripts(edited, pinned) ?? "";
    expect(JSON.parse(restored).scripts).toEqual(JSON.parse(PACKAGE).scripts);
  });

  it("keeps tabs, CRLF, the byte order mark and a missing last newline", () => {
    const shaped = `\uFEFF${PACKAGE.trimEnd().replaceAll("  ", "\t").replaceAll("\n", "\r\n")}`;
    expect(restoreScripts(shaped.replace('"tsc"', '"true"'), pinned)).toBe(shaped);
  });

  it("returns an untouched text byte for byte, however it is laid out", () => {
    const odd = PACKAGE.replace('"name": "x",', '"name":    "x", "files": ["a",\n"b"],');
    expect(restoreScripts(odd, pinned)).toBe(odd);
  });

  it("keeps a text on one line on one line, and scripts that are no text", () => {
    expect(restoreScripts('{"scripts":{"test":"true","odd":7}}', [{ name: "test", value: "x" }])).toBe('{"scripts":{"test":"x","odd":7}}');
    expect(restoreScripts('{\n"scripts":{"test":7}\n}\n\n', [{ name: "test", value: "x" }])).toBe('{\n  "scripts": {\n    "test": "x"\n  }\n}\n\n');
    expect(pinnedScripts("npm test", '{"scripts":{"test":7}}')).toEqual([]);
  });

  it.each(["", "{", '{"scripts": {"test": }', "[1]", "<<<<<<< HEAD"])("gives up on %j", (text) => {
    expect(restoreScripts(text, pinned)).toBeNull();
  });

  it("replaces scripts that are no object", () => {
    expect(JSON.parse(restoreScripts('{"scripts":"none"}', [{ name: "test", value: "x" }]) ?? "")).toEqual({ scripts: { test: "x" } });
  });
});
