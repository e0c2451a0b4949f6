/** What came into git's store since the run began is held against its ids; nothing else tells a checkout what it takes. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ForgedObject } from "../../src/core/forged-object.js";
import { git, open, put, repoWith } from "./scratch.js";

const LATER_MS = 3_600_000;

function overwrite(path: string, content: Buffer): void {
  chmodSync(path, 0o644);
  writeFileSync(path, content);
}

/** Content of the committed file `a`, where git looks for it. */
function forge(root: string, text: string): string {
  const oid = git(root, "rev-parse", "HEAD:a");
  overwrite(join(root, ".git/objects", oid.slice(0, 2), oid.slice(2)), deflateSync(Buffer.from(`blob ${text.length}\0${text}`)));
  return oid;
}

describe("git's objects", () => {
  it("pass where they are what their ids say, loose and packed", async () => {
    const root = repoWith("a", "b");
    await open(root).verifyObjects(0);
    git(root, "repack", "-adq");
    put(root, "c");
    git(root, "add", "c");
    await open(root).verifyObjects(0);
  });

  it("that were replaced are found, and what was there before is not read again", async () => {
    const root = repoWith("a");
    const oid = forge(root, "weak\n");
    await expect(open(root).verifyObjects(Date.now())).rejects.toThrow(`the blob ${oid} holds other content than its id says`);
    await open(root).verifyObjects(Date.now() + LATER_MS);
  });

  it("in a pack that was changed are found", async () => {
    const root = repoWith("a");
    git(root, "repack", "-adq");
    const folder = join(root, ".git/objects/pack");
    const pack = join(folder, readdirSync(folder).find((name) => name.endsWith(".pack")) ?? expect.fail());
    const bytes = readFileSync(pack);
    bytes[bytes.length - 30] = (bytes[bytes.length - 30] ?? 0) ^ 0xff;
    overwrite(pack, bytes);
    await expect(open(root).verifyObjects(0)).rejects.toThrow(ForgedObject);
  });

  it("are not believed when they are read, compared or put back", async () => {
    const root = repoWith("a");
    const repo = open(root);
    const tree = await repo.treeOf(git(root, "rev-parse", "HEAD"));
    forge(root, "weak\n");
    await expect(repo.readAt(tree, "a")).rejects.toThrow(ForgedObject);
    put(root, "a", "changed\n");
    await expect(repo.restore(tree, ["a"])).rejects.toThrow(ForgedObject);
  });
});
