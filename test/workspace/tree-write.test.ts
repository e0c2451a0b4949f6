/** Trees that are written stay in memory: what is kept of them is what git keeps. */
import { expect, it } from "vitest";
import { createSession } from "../../src/workspace/git-session.js";
import { openObjects } from "../../src/workspace/objects.js";
import { editTree, MKTREE_ARGS } from "../../src/workspace/tree-write.js";
import { git, put, scratchFolder } from "./scratch.js";

it("an edited tree keeps name, mode and id of an entry, and nothing else that the edit knew", async () => {
  const root = scratchFolder();
  git(root, "init", "--quiet");
  put(root, "file");
  const oid = git(root, "hash-object", "-w", "file");
  const base = git(root, "write-tree");
  const objects = openObjects(root);
  const writer = createSession(root, MKTREE_ARGS, {});
  const entry = { mode: "100644", oid, stat: { size: 5n } };
  const tree = await editTree(base, [{ path: "file", entry }], { objects, writer });
  expect(tree).not.toBeNull();
  expect(await objects.tree(tree ?? "")).toEqual([{ name: "file", mode: "100644", oid }]);
  await Promise.all([writer.close(), objects.close()]);
});
