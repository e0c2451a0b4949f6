/** read, write and edit on real files. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editTool } from "../../../../src/agents/anthropic/tools/edit.js";
import { readTool } from "../../../../src/agents/anthropic/tools/read.js";
import type { Tool } from "../../../../src/agents/anthropic/tools/tool.js";
import { writeTool } from "../../../../src/agents/anthropic/tools/write.js";
import { tempRoot, toolContext } from "../harness.js";

async function use(tool: Tool, root: string, input: unknown) {
  const call = await tool.prepare(input, toolContext(root));
  return { detail: call.detail, ...(await call.run()) };
}

describe("confinement", () => {
  const OUTSIDE: [string, string][] = [
    ["an absolute path", "/etc/passwd"],
    ["a path with ..", "../x"],
    ["a link to a file outside", "link-file"],
    ["a link to a folder outside", "link-dir/new"],
    ["a link that leads nowhere", "dangling"],
    ["a folder whose name begins like the root", "SIBLING/x"],
  ];
  it.each(OUTSIDE)("%s is refused by every tool and nothing is written", async (_name, path) => {
    const root = tempRoot();
    const other = tempRoot({ secret: "s3cret" });
    mkdirSync(`${root}-x`);
    symlinkSync(join(other, "secret"), join(root, "link-file"));
    symlinkSync(other, join(root, "link-dir"));
    symlinkSync(join(other, "made"), join(root, "dangling"));
    const asked = path.replace("SIBLING", `${root}-x`);
    for (const [tool, input] of [
      [readTool, { path: asked }],
      [writeTool, { path: asked, content: "x" }],
      [editTool, { path: asked, old_text: "s3cret", new_text: "x" }],
    ] as const) {
      const outcome = await use(tool, root, input);
      expect(outcome.ok).toBe(false);
      expect(outcome.text).not.toContain("s3cret");
      expect(outcome.detail.writes).toBeUndefined();
    }
    expect(readdirSync(other)).toEqual(["secret"]);
    expect(readFileSync(join(other, "secret"), "utf8")).toBe("s3cret");
    execFileSync("rm", ["-r", `${root}-x`]);
  });

  it("follows a link that stays inside and writes through it", async () => {
    const root = tempRoot({ "real.txt": "a" });
    symlinkSync("real.txt", join(root, "alias"));
    const outcome = await use(writeTool, root, { path: "alias", content: "b" });
    expect(outcome).toMatchObject({ ok: true, detail: { path: "real.txt" } });
    expect(readFileSync(join(root, "real.txt"), "utf8")).toBe("b");
  });

  it("takes an absolute path inside", async () => {
    const root = tempRoot({ "a.txt": "a" });
    expect(await use(readTool, root, { path: join(root, "a.txt") })).toMatchObject({ ok: true, detail: { path: "a.txt" } });
  });
});

describe("read", () => {
  it("numbers lines and pages", async () => {
    const root = tempRoot({ "a.txt": "one\r\ntwo\nthree\n" });
    expect((await use(readTool, root, { path: "a.txt" })).text).toBe("1\tone\n2\ttwo\n3\tthree");
    expect((await use(readTool, root, { path: "a.txt", offset: 2, limit: 1 })).text).toBe("2\ttwo\n[3 lines in all; go on with offset=3]");
    expect((await use(readTool, root, { path: "a.txt", offset: 9 })).ok).toBe(false);
  });

  it("bounds long files and long lines", async () => {
    const root = tempRoot({ "long.txt": `${"x".repeat(9999)}\n`.repeat(50) });
    const { text } = await use(readTool, root, { path: "long.txt" });
    expect(Buffer.byteLength(text)).toBeLessThan(31 * 1024);
    expect(text).toContain("[... 7999 characters cut]");
    expect(text).toMatch(/go on with offset=\d+\]$/);
  });

  it("refuses folders, binaries, missing files and pipes without blocking", async () => {
    const root = tempRoot({ bin: "a\0b", empty: "" });
    execFileSync("mkfifo", [join(root, "fifo")]);
    for (const path of [".", "bin", "gone", "fifo", "x\0y", "bin/below"]) expect((await safeUse(root, path)).ok).toBe(false);
    expect(await use(readTool, root, { path: "empty" })).toMatchObject({ ok: true, text: "[empty is empty]" });
  });

  /** Like the tool round, which turns what the file system throws into an answer. */
  async function safeUse(root: string, path: string) {
    try {
      return await use(readTool, root, { path });
    } catch {
      // A path that the system itself refuses.
      return { ok: false };
    }
  }
});

describe("write and edit", () => {
  it("keeps the mode of an existing file and leaves no temporary file", async () => {
    const root = tempRoot({ "run.sh": "old" });
    chmodSync(join(root, "run.sh"), 0o755);
    await use(writeTool, root, { path: "run.sh", content: "new" });
    await use(editTool, root, { path: "run.sh", old_text: "new", new_text: "newer" });
    expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(root, "run.sh"), "utf8")).toBe("newer");
    expect(readdirSync(root)).toEqual(["run.sh"]);
  });

  it("leaves a large content out of the event", async () => {
    const root = tempRoot();
    const { detail } = await use(writeTool, root, { path: "big", content: "x".repeat(300_000) });
    expect(detail).toEqual({ path: "big", writes: true });
  });

  it.each([
    ["not found", "zzz", "y", false, /not found/],
    ["ambiguous", "a", "y", false, /2 times/],
    ["unchanged", "b", "b", false, /the same/],
  ])("refuses an edit that is %s, without a write", async (_name, old_text, new_text, replace_all, why) => {
    const root = tempRoot({ f: "a b a" });
    const outcome = await use(editTool, root, { path: "f", old_text, new_text, replace_all });
    expect(outcome).toMatchObject({ ok: false, text: expect.stringMatching(why), detail: { path: "f" } });
    expect(outcome.detail.writes).toBeUndefined();
    expect(readFileSync(join(root, "f"), "utf8")).toBe("a b a");
  });

  it("replaces all when told so, and takes $ as it stands", async () => {
    const root = tempRoot({ f: "a b a" });
    const outcome = await use(editTool, root, { path: "f", old_text: "a", new_text: "$&$1", replace_all: true });
    expect(outcome).toMatchObject({ ok: true, text: "replaced 2 in f", detail: { path: "f", writes: true, content: "$&$1 b $&$1" } });
  });

  it("TP-12 keeps CRLF line ends when the model writes bare newlines", async () => {
    const root = tempRoot({ f: "one\r\ntwo\r\nthree\r\n" });
    await use(editTool, root, { path: "f", old_text: "one\ntwo", new_text: "1\n2" });
    expect(readFileSync(join(root, "f"), "utf8")).toBe("1\r\n2\r\nthree\r\n");
  });

  it("does not touch a file that is no UTF-8", async () => {
    const root = tempRoot();
    const latin1 = Buffer.from("caf\xe9 a", "latin1");
    writeFileSync(join(root, "f"), latin1);
    expect((await use(editTool, root, { path: "f", old_text: "a", new_text: "b" })).ok).toBe(false);
    expect(readFileSync(join(root, "f"))).toEqual(latin1);
  });
});
