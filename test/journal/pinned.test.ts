/** Frozen paths on a real disk: whatever an agent did to them, they come back and its version is kept. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FrozenPaths, RestoredPath } from "../../src/driver/ports.js";
import { createFrozenPaths } from "../../src/journal/pinned.js";
import { openPinnedStore } from "../../src/journal/pinned-store.js";

const SIGN = (status: string, text = "Look twice."): string => `---\ntrigger: adding an import\nadded_after: iteration 1\nstatus: ${status}\n---\n${text}\n`;

const PACKAGE = '{\n  "name": "x",\n  "scripts": {\n    "test": "node run.mjs",\n    "lint": "eslint ."\n  }\n}\n';

const START: Record<string, string> = {
  ".ralph/config.yaml": "gates: []\n",
  ".ralph/prompts/work.md": "Work.\n",
  ".ralph/guardrails/imports.md": SIGN("approved"),
  ".ralph/guardrails/idea.md": SIGN("draft"),
  ".ralph/progress.md": "",
  ".github/workflows/ci.yml": "on: push\n",
  "vitest.config.ts": "export default {};\n",
  "check.sh": "#!/bin/sh\nexit 1\n",
  "run.mjs": "",
  "package.json": PACKAGE,
  "src/a.ts": "",
};

interface World {
  root: string;
  runDir: string;
  control: Map<string, string | null>;
  frozen: FrozenPaths;
  at(path: string): string;
  text(path: string): string;
  put(path: string, text: string): void;
  /** A driver that starts again on the same run. */
  reopen(): FrozenPaths;
  restore(edits?: string[]): Promise<RestoredPath[]>;
  kept(one: RestoredPath | undefined): string;
}

async function start(change: Record<string, string | null> = {}, more: (at: (path: string) => string) => void = () => undefined): Promise<World> {
  const dir = mkdtempSync(join(tmpdir(), "ralphd-pinned-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const root = join(dir, "tree");
  const runDir = join(dir, "run");
  mkdirSync(runDir);
  const control = new Map<string, string | null>([
    ["/r/.git/config", "[core]\n"],
    ["/r/.git/hooks/pre-commit", null],
  ]);
  const at = (path: string): string => join(root, path);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries({ ...START, ...change })) if (text !== null) put(path, text);
  chmodSync(at("check.sh"), 0o755);
  more(at);
  const reopen = (): FrozenPaths =>
    createFrozenPaths({
      root,
      runDir,
      commands: ["./check.sh && npm test"],
      protect: ["test/**"],
      freeze: ["vitest.config.*"],
      path: `${root}/tools:/usr/bin:/bin`,
      repo: {
        gitControlFiles: async () => [...control].map(([path, content]) => ({ path, content })),
        restoreControlFile: async (path, content) => void control.set(path, content),
      },
    });
  const frozen = reopen();
  await frozen.pin();
  return {
    root,
    runDir,
    control,
    frozen,
    at,
    put,
    reopen,
    text: (path) => readFileSync(at(path), "utf8"),
    restore: async (edits = []) => {
      const restored: RestoredPath[] = [];
      await frozen.restore(1, edits, (item) => void restored.push(item));
      return restored;
    },
    kept: (one) => readFileSync(join(runDir, one?.keptAs ?? "nothing was kept"), "utf8"),
  };
}

/** Everything frozen is as at the start, and a second look finds nothing to do. */
async function expectIntact(world: World): Promise<void> {
  for (const [path, text] of Object.entries(START)) {
    if (/^(?:src|\.ralph\/progress)|idea\.md$/.test(path)) continue;
    expect(lstatSync(world.at(path)).isFile(), path).toBe(true);
    expect(world.text(path), path).toBe(text);
  }
  expect(await world.restore()).toEqual([]);
}

it("reads its index back with every path in it, also those named as what every object has", () => {
  const runDir = mkdtempSync(join(tmpdir(), "ralphd-pinned-"));
  onTestFinished(() => rmSync(runDir, { recursive: true, force: true }));
  const paths = ["a.sh", "constructor", "prototype", "__proto__", "toString"];
  const entries = Object.fromEntries(paths.map((path) => [path, { kind: "other" as const }]));
  const index = { version: 1 as const, freeze: paths, files: [], untouched: [], packages: [], entries, control: {} };
  openPinnedStore(runDir).save(index);
  expect(Object.keys(openPinnedStore(runDir).load()?.entries ?? {})).toEqual(paths);
});

describe("programs that gates start by name", () => {
  const GOOD = "#!/usr/bin/env node\nrun();\n";
  const PACKAGES = { "package.json": '{ "scripts": { "test": "vitest run && node run.mjs" } }\n', "node_modules/vitest/vitest.mjs": GOOD };

  async function installed(more: (at: (path: string) => string) => void = () => undefined, test = "vitest run && node run.mjs"): Promise<World> {
    const world = await start({ "package.json": `{ "scripts": { "test": "${test}" } }\n` }, (at) => {
      mkdirSync(at("node_modules/vitest"), { recursive: true });
      mkdirSync(at("node_modules/.bin"), { recursive: true });
      writeFileSync(at("node_modules/vitest/vitest.mjs"), GOOD, { mode: 0o755 });
      symlinkSync("../vitest/vitest.mjs", at("node_modules/.bin/vitest"));
      more(at);
    });
    return world;
  }

  it("come back when they, or the file that they lead to, were changed, whatever git ignores", async () => {
    const world = await installed();
    unlinkSync(world.at("node_modules/.bin/vitest"));
    world.put("node_modules/.bin/vitest", "echo 5 passed\n");
    world.put("node_modules/vitest/vitest.mjs", "console.log('Tests 5 passed')\n");
    const restored = await world.restore();
    expect(restored.map(({ path, rule, why }) => [path, rule, why])).toEqual([
      ["node_modules/.bin/vitest", "frozen", "was changed; gates run it as a program"],
      ["node_modules/vitest/vitest.mjs", "frozen", "was changed; gates run it as a program"],
    ]);
    expect([readlinkSync(world.at("node_modules/.bin/vitest")), world.text("node_modules/vitest/vitest.mjs")]).toEqual(["../vitest/vitest.mjs", GOOD]);
    expect(world.kept(restored[0])).toBe("echo 5 passed\n");
    expect(await world.restore()).toEqual([]);
  });

  it("are not shadowed by a new one, in the packages' folder or on PATH", async () => {
    const world = await start(PACKAGES);
    world.put("node_modules/.bin/node", "exit 0\n");
    world.put("tools/sh", "exit 0\n");
    world.put("tools/mine", "a program of the agent's own\n");
    expect((await world.restore()).map(({ path, why }) => [path, why])).toEqual([
      ["tools/sh", "was added in front of the sh that gates run"],
      ["node_modules/.bin/node", "was added in front of the node that gates run"],
    ]);
    expect([existsSync(world.at("tools/sh")), existsSync(world.at("tools/mine"))]).toEqual([false, true]);
  });

  it("may be installed where there was none, which is named once and then fixed, also after a restart", async () => {
    const world = await start({ "package.json": '{ "scripts": { "test": "some-runner" } }\n' });
    world.put("node_modules/.bin/some-runner", GOOD);
    expect(await world.restore()).toEqual([]);
    expect(world.frozen.takeNotes()).toEqual([expect.stringContaining("node_modules/.bin/some-runner came during the run")]);
    world.put("node_modules/.bin/some-runner", "exit 0\n");
    const again = world.reopen();
    await again.pin();
    const restored: string[] = [];
    await again.restore(2, [], ({ path }) => void restored.push(path));
    expect(restored).toEqual(["node_modules/.bin/some-runner"]);
    expect(world.frozen.takeNotes()).toEqual([]);
  });

  it("of a fresh clone's packages may stand beside the machine's own, which is named; a shell may not", async () => {
    const world = await start({ "package.json": '{ "scripts": { "test": "sed -n 1p x" } }\n' });
    for (const name of ["sed", "sh"]) world.put(`node_modules/.bin/${name}`, GOOD);
    expect((await world.restore()).map(({ path }) => path)).toEqual(["node_modules/.bin/sh"]);
    expect(world.frozen.takeNotes()).toEqual([expect.stringContaining("node_modules/.bin/sed came during the run")]);
    const later = await installed((at) => symlinkSync("../vitest/vitest.mjs", at("node_modules/.bin/other")), "sed -n 1p x");
    later.put("node_modules/.bin/sed", GOOD);
    expect((await later.restore()).map(({ path }) => path)).toEqual(["node_modules/.bin/sed"]);
  });

  it("may go away, and change where a task's edits say so", async () => {
    const world = await installed();
    rmSync(world.at("node_modules"), { recursive: true });
    expect(await world.restore()).toEqual([]);
    world.put("node_modules/vitest/vitest.mjs", "newer\n");
    expect(await world.restore(["node_modules/**"])).toEqual([]);
    expect(await world.restore()).toEqual([]);
  });

  it("come back alone when only they were removed, or a folder took their place", async () => {
    const world = await installed((at) => {
      mkdirSync(at("tools"));
      writeFileSync(at("tools/node"), GOOD, { mode: 0o755 });
    });
    unlinkSync(world.at("node_modules/.bin/vitest"));
    unlinkSync(world.at("tools/node"));
    world.put("tools/node/inner.txt", "mine\n");
    expect((await world.restore()).map(({ path, why }) => [path, why])).toEqual([
      ["tools/node", "was removed; gates run it as a program"],
      ["node_modules/.bin/vitest", "was removed; gates run it as a program"],
    ]);
    expect([world.text("tools/node"), world.text("node_modules/.bin/vitest")]).toEqual([GOOD, GOOD]);
    expect(await world.restore()).toEqual([]);
  });

  it("are not bent by a link in place of their folder", async () => {
    const world = await installed();
    renameSync(world.at("node_modules"), world.at("real"));
    unlinkSync(world.at("real/.bin/vitest"));
    world.put("real/.bin/vitest", "exit 0\n");
    symlinkSync("real", world.at("node_modules"));
    expect((await world.restore()).map(({ path }) => path)).toEqual(["node_modules/.bin/vitest", "node_modules/vitest/vitest.mjs"]);
    expect([lstatSync(world.at("node_modules")).isDirectory(), world.text("node_modules/.bin/vitest")]).toEqual([true, GOOD]);
    // Once more in the same iteration: where the link was kept no folder can be.
    world.put("node_modules/.bin/vitest", "exit 0\n");
    expect(world.kept((await world.restore())[0])).toBe("exit 0\n");
    const fresh = await start(PACKAGES);
    rmSync(fresh.at("node_modules"), { recursive: true });
    for (const name of ["vitest", "node"]) fresh.put(`packages/.bin/${name}`, "exit 0\n");
    symlinkSync("packages", fresh.at("node_modules"));
    expect((await fresh.restore()).map(({ path }) => path)).toEqual(["node_modules/.bin/node"]);
    expect(existsSync(fresh.at("node_modules"))).toBe(false);
  });

  it("may lie behind a link, which is theirs from the start or named once", async () => {
    const world = await installed((at) => {
      renameSync(at("node_modules"), at("real"));
      symlinkSync("real", at("node_modules"));
    });
    world.put("real/.bin/vitest", "newer\n");
    expect(await world.restore()).toEqual([]);
    const fresh = await start({ "package.json": '{ "scripts": { "test": "some-runner" } }\n' });
    fresh.put("packages/.bin/some-runner", GOOD);
    symlinkSync("packages", fresh.at("node_modules"));
    expect(await fresh.restore()).toEqual([]);
    expect(fresh.frozen.takeNotes()).toEqual([expect.stringContaining("came during the run")]);
    expect(await fresh.restore()).toEqual([]);
    expect(fresh.frozen.takeNotes()).toEqual([]);
  });

  it("can't be replaced by what is too large to be kept", async () => {
    const large = "#".repeat(2 * 1024 * 1024);
    const world = await installed((at) => {
      mkdirSync(at("tools"));
      writeFileSync(at("tools/node"), large);
    });
    world.put("node_modules/vitest/vitest.mjs", large);
    world.put("node_modules/.bin/sh", large);
    world.put("tools/node", `${large}compiled again`);
    expect((await world.restore()).map(({ path }) => path)).toEqual(["node_modules/.bin/sh", "node_modules/vitest/vitest.mjs"]);
    expect(existsSync(world.at("tools/node"))).toBe(true);
  });

  it("come back after a driver that died when it had cleared the way to them", async () => {
    const world = await installed();
    renameSync(world.at("node_modules"), world.at("real"));
    symlinkSync("real", world.at("node_modules"));
    const died = world.frozen.restore(1, [], () => {
      unlinkSync(world.at("node_modules"));
      throw new Error("killed");
    });
    await expect(died).rejects.toThrow("killed");
    const again = world.reopen();
    await again.pin();
    const restored: string[] = [];
    await again.restore(1, [], ({ path }) => void restored.push(path));
    expect(restored).toEqual(["node_modules/.bin/vitest", "node_modules/vitest/vitest.mjs"]);
    expect(world.text("node_modules/.bin/vitest")).toBe(GOOD);
  });

  it("take their shell from settings that no agent adds", async () => {
    const world = await start();
    world.put(".npmrc", "script-shell=/bin/true\n");
    expect((await world.restore()).map(({ path }) => path)).toEqual([".npmrc"]);
  });
});

describe("what an agent may do", () => {
  it("leaves everything alone that is not frozen", async () => {
    const world = await start();
    world.put("src/a.ts", "export {};\n");
    world.put(".ralph/progress.md", "did it\n");
    world.put("tsconfig.json", "{}\n");
    world.put(".ralph/guardrails/idea.md", SIGN("draft", "Better words."));
    world.put(".ralph/guardrails/new.md", SIGN("draft"));
    world.put("package.json", PACKAGE.replace('"eslint ."', '"biome check"'));
    expect(await world.restore()).toEqual([]);
    expect(world.text(".ralph/guardrails/idea.md")).toContain("Better words.");
    expect(world.text("package.json")).toContain("biome");
    unlinkSync(world.at(".ralph/guardrails/new.md"));
    expect(await world.restore()).toEqual([]);
  });

  it("does not mind a mode that only a umask made", async () => {
    const world = await start();
    chmodSync(world.at(".ralph/config.yaml"), 0o664);
    expect(await world.restore()).toEqual([]);
  });

  it("opens CI files to a task that declares them, and only those", async () => {
    const world = await start();
    world.put(".github/workflows/ci.yml", "on: pull_request\n");
    world.put(".github/workflows/new.yml", "on: push\n");
    world.put(".ralph/config.yaml", "gates: none\n");
    world.put("check.sh", "exit 0\n");
    const restored = await world.restore(["**", ".github/**", ".ralph/**", "check.sh"]);
    expect(restored.map((one) => one.path)).toEqual([".ralph/config.yaml", "check.sh"]);
    // Pinned anew: the next task finds them as this one left them.
    expect(await world.restore()).toEqual([]);
    expect(world.text(".github/workflows/ci.yml")).toBe("on: pull_request\n");
    world.put(".github/workflows/ci.yml", "on: never\n");
    await world.restore();
    expect(world.text(".github/workflows/ci.yml")).toBe("on: pull_request\n");
  });
});

describe("B-18 what comes back, with the agent's version kept", () => {
  it.each([
    ".ralph/config.yaml",
    ".ralph/prompts/work.md",
    ".ralph/guardrails/imports.md",
    ".github/workflows/ci.yml",
    "vitest.config.ts",
    "check.sh",
    "run.mjs",
  ])("a changed %s", async (path) => {
    const world = await start();
    writeFileSync(world.at(path), "mine\n");
    const restored = await world.restore();
    expect(restored).toEqual([{ path, rule: "frozen", why: expect.stringMatching(/changed/), keptAs: `iterations/0001/rejected/${path}` }]);
    expect(world.kept(restored[0])).toBe("mine\n");
    await expectIntact(world);
  });

  it("line endings count, and so does every byte", async () => {
    const world = await start();
    world.put("check.sh", START["check.sh"]?.replaceAll("\n", "\r\n") ?? "");
    expect((await world.restore()).map((one) => one.path)).toEqual(["check.sh"]);
    await expectIntact(world);
  });

  it("bytes that are no text come back exactly", async () => {
    const world = await start();
    const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x80]);
    writeFileSync(world.at(".ralph/prompts/work.md"), bytes);
    world.frozen.accept([".ralph/prompts/work.md"]);
    world.put(".ralph/prompts/work.md", "mine");
    await world.restore();
    expect(readFileSync(world.at(".ralph/prompts/work.md")).equals(bytes)).toBe(true);
  });

  it("deleted, emptied and moved files", async () => {
    const world = await start();
    unlinkSync(world.at(".ralph/config.yaml"));
    world.put(".ralph/prompts/work.md", "");
    renameSync(world.at("check.sh"), world.at("old-check.sh"));
    rmSync(world.at(".github"), { recursive: true });
    const restored = await world.restore();
    expect(restored.map((one) => [one.path, one.keptAs !== null])).toEqual([
      [".github/workflows/ci.yml", false],
      [".ralph/config.yaml", false],
      [".ralph/prompts/work.md", true],
      ["check.sh", false],
    ]);
    expect(lstatSync(world.at("check.sh")).mode & 0o111).toBe(0o111);
    await expectIntact(world);
  });

  it("files that did not exist and must not appear", async () => {
    const world = await start({ ".ralph/config.yaml": null });
    world.put(".ralph/config.yaml", "gates: none\n");
    world.put(".ralph/prompts/rules.md", "No rules.\n");
    world.put(".github/workflows/evil.yml", "on: push\n");
    world.put("Jenkinsfile", "x");
    world.put("vitest.config.js", "x");
    const restored = await world.restore();
    expect(restored.map((one) => one.path)).toEqual([
      ".github/workflows/evil.yml",
      ".ralph/config.yaml",
      ".ralph/prompts/rules.md",
      "Jenkinsfile",
      "vitest.config.js",
    ]);
    for (const one of restored) {
      expect(one.why).toContain("was added");
      expect(existsSync(world.at(one.path))).toBe(false);
      expect(world.kept(one)).not.toBe("");
    }
    expect(await world.restore()).toEqual([]);
  });

  it("a symlink in place of a file, without touching its target", async () => {
    const world = await start();
    world.put("src/mine.yaml", "mine\n");
    unlinkSync(world.at(".ralph/config.yaml"));
    symlinkSync("../src/mine.yaml", world.at(".ralph/config.yaml"));
    const restored = await world.restore();
    expect(restored).toMatchObject([{ path: ".ralph/config.yaml", why: expect.stringMatching(/replaced by a symlink/) }]);
    expect(world.kept(restored[0])).toBe("symbolic link to ../src/mine.yaml\n");
    expect(world.text("src/mine.yaml")).toBe("mine\n");
    await expectIntact(world);
  });

  it("a symlink with the same content", async () => {
    const world = await start();
    renameSync(world.at("check.sh"), world.at("real.sh"));
    symlinkSync("real.sh", world.at("check.sh"));
    expect((await world.restore()).map((one) => one.path)).toEqual(["check.sh"]);
    await expectIntact(world);
  });

  it("a symlink in place of a folder on the way", async () => {
    const world = await start();
    const outside = join(world.root, "..", "outside");
    renameSync(world.at(".ralph"), outside);
    symlinkSync(outside, world.at(".ralph"));
    writeFileSync(join(outside, "config.yaml"), "mine\n");
    const restored = await world.restore();
    expect(restored.map((one) => one.path)).toEqual([".ralph", ".ralph/config.yaml", ".ralph/guardrails/imports.md", ".ralph/prompts/work.md"]);
    expect(lstatSync(world.at(".ralph")).isDirectory()).toBe(true);
    expect(readFileSync(join(outside, "config.yaml"), "utf8")).toBe("mine\n");
    await expectIntact(world);
  });

  it("a symlink in place of a folder in which nothing was frozen yet", async () => {
    const world = await start({ ".ralph/prompts/work.md": null });
    world.put("src/prompts/work.md", "mine\n");
    rmSync(world.at(".ralph/prompts"), { recursive: true, force: true });
    symlinkSync("../src/prompts", world.at(".ralph/prompts"));
    expect((await world.restore()).map((one) => one.path)).toEqual([".ralph/prompts"]);
    expect(existsSync(world.at(".ralph/prompts"))).toBe(false);
  });

  it("a file in place of a folder, a folder or a pipe in place of a file", async () => {
    const world = await start();
    rmSync(world.at(".github"), { recursive: true });
    world.put(".github", "mine\n");
    unlinkSync(world.at(".ralph/config.yaml"));
    world.put(".ralph/config.yaml/inner.txt", "mine\n");
    unlinkSync(world.at("check.sh"));
    execFileSync("mkfifo", [world.at("check.sh")]);
    const restored = await world.restore();
    expect(restored.map((one) => one.path)).toEqual([".github/workflows/ci.yml", ".ralph/config.yaml", "check.sh"]);
    expect(readFileSync(join(world.runDir, "iterations/0001/rejected/.github"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(world.runDir, "iterations/0001/rejected/.ralph/config.yaml/inner.txt"), "utf8")).toBe("mine\n");
    await expectIntact(world);
  });

  it("closed files and folders", async () => {
    const world = await start();
    chmodSync(world.at("check.sh"), 0o644);
    chmodSync(world.at(".ralph/config.yaml"), 0o000);
    chmodSync(world.at(".ralph"), 0o000);
    const restored = await world.restore();
    expect(restored.map((one) => [one.path, one.why])).toEqual([
      [".ralph/config.yaml", "its mode was changed; it is the loop's configuration"],
      ["check.sh", "its mode was changed; it is a file that decides what a gate, a hook or a notification runs"],
    ]);
    expect(lstatSync(world.at(".ralph")).mode & 0o700).toBe(0o700);
    await expectIntact(world);
  });

  it("keeps both versions when one iteration is restored twice", async () => {
    const world = await start();
    world.put("check.sh", "first\n");
    const first = await world.restore();
    world.put("check.sh", "second\n");
    const second = await world.restore();
    expect([world.kept(first[0]), world.kept(second[0])]).toEqual(["first\n", "second\n"]);
  });
});

describe("signs", () => {
  it("an approved one comes back, an agent's own approval does not stay", async () => {
    const world = await start();
    unlinkSync(world.at(".ralph/guardrails/imports.md"));
    world.put(".ralph/guardrails/idea.md", SIGN("approved", "Skip the tests."));
    world.put(".ralph/guardrails/own.md", SIGN("approved"));
    const restored = await world.restore();
    expect(restored.map((one) => one.path)).toEqual([".ralph/guardrails/idea.md", ".ralph/guardrails/imports.md", ".ralph/guardrails/own.md"]);
    expect(world.text(".ralph/guardrails/idea.md")).toBe(SIGN("draft", "Skip the tests."));
    expect(world.text(".ralph/guardrails/own.md")).toBe(SIGN("draft"));
    await expectIntact(world);
  });

  it("a link is no way to an approved one", async () => {
    const world = await start();
    world.put("src/sign.md", SIGN("approved"));
    symlinkSync("../../src/sign.md", world.at(".ralph/guardrails/own.md"));
    expect((await world.restore()).map((one) => one.path)).toEqual([".ralph/guardrails/own.md"]);
    expect(existsSync(world.at(".ralph/guardrails/own.md"))).toBe(false);
  });

  it("a person's approval counts once it is accepted", async () => {
    const world = await start();
    world.put(".ralph/guardrails/idea.md", SIGN("approved"));
    world.frozen.accept([".ralph/guardrails/idea.md"]);
    expect(await world.restore()).toEqual([]);
    unlinkSync(world.at(".ralph/guardrails/idea.md"));
    expect((await world.restore()).map((one) => one.path)).toEqual([".ralph/guardrails/idea.md"]);
  });
});

describe("SE-03 package.json scripts that gates call", () => {
  it("come back alone; other edits stay", async () => {
    const world = await start();
    const edited = PACKAGE.replace('"node run.mjs"', '"true"').replace('"eslint ."', '"biome check"').replace('"lint"', '"posttest": "exit 0",\n    "lint"');
    world.put("package.json", edited);
    const restored = await world.restore();
    expect(restored).toMatchObject([{ path: "package.json", why: "gates call its scripts posttest, test, put back as at the start; your other changes stay" }]);
    expect(world.kept(restored[0])).toBe(edited);
    expect(world.text("package.json")).toBe(PACKAGE.replace('"eslint ."', '"biome check"'));
  });

  it.each([
    ["broken", (world: World) => world.put("package.json", "{ <<<<<<<")],
    ["deleted", (world: World) => unlinkSync(world.at("package.json"))],
    ["a symlink", (world: World) => (renameSync(world.at("package.json"), world.at("p.json")), symlinkSync("p.json", world.at("package.json")))],
  ])("come back with the last readable version when the file is %s", async (_, harm) => {
    const world = await start();
    const grown = PACKAGE.replace('"name": "x",', '"name": "x",\n  "dependencies": {},');
    world.put("package.json", grown);
    expect(await world.restore()).toEqual([]);
    harm(world);
    expect(await world.restore()).toMatchObject([{ path: "package.json", rule: "frozen" }]);
    expect(lstatSync(world.at("package.json")).isFile()).toBe(true);
    expect(world.text("package.json")).toBe(grown);
    expect(await world.restore()).toEqual([]);
  });
});

describe("git's own files", () => {
  it("are put back through their owner", async () => {
    const world = await start();
    world.control.set("/r/.git/config", "[core]\n\thooksPath = evil\n");
    world.control.set("/r/.git/hooks/pre-commit", "exit 0\n");
    world.control.set("/r/.git/hooks/post-commit", "evil\n");
    const restored = await world.restore(["**"]);
    expect(restored.map((one) => [one.path, one.why])).toEqual([
      ["/r/.git/config", "was changed; it decides what git does"],
      ["/r/.git/hooks/post-commit", "was added; it decides what git does"],
      ["/r/.git/hooks/pre-commit", "was added; it decides what git does"],
    ]);
    expect(world.kept(restored[0])).toContain("evil");
    expect([...world.control.values()]).toEqual(["[core]\n", null, null]);
  });
});

describe("restarts", () => {
  it("go on with what the first start pinned", async () => {
    const world = await start();
    world.put(".ralph/config.yaml", "mine\n");
    const again = world.reopen();
    await again.pin();
    const kept: (string | null)[] = [];
    // Kept, then named, then put back: a death in between is no way to change it unseen, and loses no name.
    await again.restore(2, [], (one) => void kept.push(one.keptAs, world.kept(one), world.text(".ralph/config.yaml")));
    expect(kept).toEqual(["iterations/0002/rejected/.ralph/config.yaml", "mine\n", "mine\n"]);
    expect(world.text(".ralph/config.yaml")).toBe(START[".ralph/config.yaml"]);
  });

  it("are not misled by a pinned copy that was bent", async () => {
    const world = await start();
    const copies = join(world.runDir, "pinned/bytes");
    for (const name of readdirSync(copies)) if (readFileSync(join(copies, name), "utf8") === START["check.sh"]) writeFileSync(join(copies, name), "mine\n");
    world.put("check.sh", "mine\n");
    expect((await world.restore()).map((one) => one.path)).toEqual(["check.sh"]);
    expect(world.text("check.sh")).toBe(START["check.sh"]);
    await expect(world.reopen().pin()).rejects.toThrow(/the pinned copy of check.sh was changed/);
  });

  it("refuse to check what was never pinned, or whose index is damaged", async () => {
    const world = await start();
    writeFileSync(join(world.runDir, "pinned/index.json"), "{}");
    await expect(world.reopen().pin()).rejects.toThrow();
    rmSync(join(world.runDir, "pinned"), { recursive: true });
    await expect(world.reopen().restore(1, [], () => undefined)).rejects.toThrow(/not pinned/);
  });
});

it("a link that stood there at the start stays a link", async () => {
  const world = await start({ ".ralph/prompts/work.md": null });
  world.put("shared/work.md", "Work.\n");
  mkdirSync(world.at(".ralph/prompts"), { recursive: true });
  symlinkSync("../../shared/work.md", world.at(".ralph/prompts/work.md"));
  world.frozen.accept([".ralph/prompts/work.md"]);
  expect(await world.restore()).toEqual([]);
  unlinkSync(world.at(".ralph/prompts/work.md"));
  world.put(".ralph/prompts/work.md", "mine\n");
  await world.restore();
  expect(readlinkSync(world.at(".ralph/prompts/work.md"))).toBe("../../shared/work.md");
});
