/** grep and find in a real repository and outside of one. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findTool } from "../../../../src/agents/anthropic/tools/find.js";
import { grepTool } from "../../../../src/agents/anthropic/tools/grep.js";
import type { Tool } from "../../../../src/agents/anthropic/tools/tool.js";
import { tempRoot, toolContext } from "../harness.js";

const FILES = {
  ".gitignore": "dist/\n",
  "src/a.ts": "const alpha = 1;\nconst beta = 2;\nconst gamma = 3;\n",
  "src/deep/b.ts": "alpha(beta);\n",
  "notes.md": "Alpha\n",
  "dist/out.js": "alpha\n",
  "node_modules/m/index.js": "alpha\n",
  "data.bin": "alpha\0",
};

function repository(): string {
  const root = tempRoot({ ...FILES, ".gitignore": "dist/\nnode_modules/\n", "gone.ts": "alpha\n" });
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "src/a.ts", "gone.ts"], { cwd: root });
  rmSync(join(root, "gone.ts"));
  return root;
}

async function use(tool: Tool, root: string, input: unknown) {
  return (await tool.prepare(input, toolContext(root))).run();
}

describe("grep", () => {
  it("finds in tracked and new files, not in ignored, binary or deleted ones", async () => {
    const { text } = await use(grepTool, repository(), { pattern: "alpha" });
    expect(text.split("\n")).toEqual(["src/a.ts:1:const alpha = 1;", "src/deep/b.ts:1:alpha(beta);"]);
  });

  it("works outside of git, without node_modules", async () => {
    const { text } = await use(grepTool, tempRoot(FILES), { pattern: "^alpha" });
    expect(text.split("\n")).toEqual(["dist/out.js:1:alpha", "src/deep/b.ts:1:alpha(beta);"]);
  });

  it("narrows by folder, file and glob, and ignores case when asked", async () => {
    const root = repository();
    expect((await use(grepTool, root, { pattern: "alpha", path: "src/deep" })).text).toBe("src/deep/b.ts:1:alpha(beta);");
    expect((await use(grepTool, root, { pattern: "beta", path: "src/a.ts" })).text).toBe("src/a.ts:2:const beta = 2;");
    expect((await use(grepTool, root, { pattern: "alpha", glob: "*.md", ignore_case: true })).text).toBe("notes.md:1:Alpha");
  });

  it("shows lines around a match once", async () => {
    const { text } = await use(grepTool, repository(), { pattern: "alpha|beta", path: "src/a.ts", context: 1 });
    expect(text.split("\n").map((line) => line.slice(8, 11))).toEqual([":1:", ":2:", "-3-"]);
  });

  it("stops at the limit and says so", async () => {
    const { text } = await use(grepTool, repository(), { pattern: "const", limit: 2 });
    expect(text.split("\n")).toHaveLength(3);
    expect(text).toContain("limit reached");
  });

  it("stops an expression that backtracks without end", async () => {
    const root = tempRoot({ "a.txt": `${"a".repeat(60)}b\n` });
    const search = grepTool.prepare({ pattern: "^(a+)+$" }, { ...toolContext(root), searchMs: 200 });
    expect(await (await search).run()).toMatchObject({ ok: false, text: expect.stringContaining("took longer") });
  });

  it("answers a bad expression and a folder outside", async () => {
    const root = repository();
    expect(await use(grepTool, root, { pattern: "(" })).toMatchObject({ ok: false, text: expect.stringContaining("Unterminated group") });
    expect((await use(grepTool, root, { pattern: "x", path: ".." })).ok).toBe(false);
  });
});

describe("find", () => {
  it("finds by name and by path, without ignored and deleted files", async () => {
    const root = repository();
    expect((await use(findTool, root, { pattern: "*.ts" })).text).toBe("src/a.ts\nsrc/deep/b.ts");
    expect((await use(findTool, root, { pattern: "src/*.ts" })).text).toBe("src/a.ts");
    expect((await use(findTool, root, { pattern: "*.ts", path: "src/deep" })).text).toBe("src/deep/b.ts");
    expect((await use(findTool, root, { pattern: "**/*.{md,js}" })).text).toBe("notes.md");
  });

  it("bounds the list", async () => {
    expect((await use(findTool, repository(), { pattern: "*", limit: 1 })).text).toMatch(/^\S+\n\[\d+ more\]$/);
  });
});
