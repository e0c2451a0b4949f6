/** Compared paths with real git: an agent's attack on the tests, the trees it leaves, and what stands there afterwards. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { comparedChanges, restoreCompared } from "../../../src/core/guard/compared.js";
import { emptyRepo, git, open, put, scratchFolder } from "../../workspace/scratch.js";

const TEST = 'test("adds", () => {\n  equal(add(1, 2), 3);\n});\n';
const PROTECT = ["test/**", "**/*.test.*"];

/** Plays one iteration and does with the tree what the driver does; returns the paths that came back. */
async function attack(agent: (root: string) => void): Promise<{ root: string; restored: Record<string, string> }> {
  const root = emptyRepo();
  for (const path of ["test/a.test.js", "test/deep/b.test.js", "src/c.test.js"]) put(root, path, TEST);
  put(root, "src/add.js");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  const repo = open(root);
  const start = await repo.capture({ against: null, exclude: [] });
  agent(root);
  const end = await repo.capture({ against: start.tree, exclude: [] });
  const texts = new Map<string, { before: string | null; after: string | null }>();
  for (const { path } of comparedChanges(end.changes, PROTECT, [])) {
    texts.set(path, { before: await repo.readAt(start.tree, path), after: await repo.readAt(end.tree, path) });
  }
  const wrong = restoreCompared({
    changes: end.changes,
    readBefore: (path) => texts.get(path)?.before ?? null,
    readAfter: (path) => texts.get(path)?.after ?? null,
    protect: PROTECT,
    edits: [],
  });
  await repo.restore(
    start.tree,
    wrong.map((one) => one.path),
  );
  const again = await repo.capture({ against: start.tree, exclude: [] });
  expect(again.changes.filter((one) => wrong.some(({ path }) => path === one.path))).toEqual([]);
  return { root, restored: Object.fromEntries(wrong.map(({ path, why }) => [path, why])) };
}

function expectTestsBack(root: string): void {
  for (const path of ["test/a.test.js", "test/deep/b.test.js", "src/c.test.js"]) {
    expect(lstatSync(join(root, path)).isFile(), path).toBe(true);
    expect(readFileSync(join(root, path), "utf8"), path).toBe(TEST);
  }
}

describe("SE-03 on disk", () => {
  it.each<[string, (root: string) => void, string[]]>([
    ["deleted", (root) => unlinkSync(join(root, "test/a.test.js")), ["test/a.test.js"]],
    ["the whole folder deleted", (root) => rmSync(join(root, "test"), { recursive: true }), ["test/a.test.js", "test/deep/b.test.js"]],
    ["emptied", (root) => put(root, "src/c.test.js", ""), ["src/c.test.js"]],
    ["moved out of the protected folder", (root) => renameSync(join(root, "test"), join(root, "attic")), ["test/a.test.js", "test/deep/b.test.js"]],
    ["renamed by case", (root) => renameSync(join(root, "test/a.test.js"), join(root, "test/A.test.js")), ["test/a.test.js"]],
    ["skipped", (root) => put(root, "test/a.test.js", TEST.replace("test(", "test.skip(")), ["test/a.test.js"]],
    [
      "replaced by a link",
      (root) => (unlinkSync(join(root, "test/a.test.js")), symlinkSync("../src/add.js", join(root, "test/a.test.js"))),
      ["test/a.test.js"],
    ],
    ["made executable", (root) => chmodSync(join(root, "test/a.test.js"), 0o755), ["test/a.test.js"]],
    ["replaced by a folder", (root) => (unlinkSync(join(root, "test/a.test.js")), put(root, "test/a.test.js/index.js")), ["test/a.test.js"]],
    ["weakened and committed", (root) => (put(root, "test/a.test.js", TEST.replace("3", "4")), git(root, "commit", "-qam", "fix")), ["test/a.test.js"]],
  ])("%s", async (_, agent, paths) => {
    const { root, restored } = await attack(agent);
    expect(Object.keys(restored)).toEqual(paths);
    expectTestsBack(root);
  });

  it("the folder replaced by a link to a softer copy", async () => {
    const softer = scratchFolder();
    const { root, restored } = await attack((tree) => {
      rmSync(join(tree, "test"), { recursive: true });
      writeFileSync(join(softer, "a.test.js"), "");
      mkdirSync(join(softer, "deep"));
      symlinkSync(softer, join(tree, "test"));
    });
    expect(Object.keys(restored)).toEqual(["test", "test/a.test.js", "test/deep/b.test.js"]);
    expectTestsBack(root);
    expect(readFileSync(join(softer, "a.test.js"), "utf8")).toBe("");
  });

  it("says where a moved file went", async () => {
    const { restored } = await attack((root) => renameSync(join(root, "src/c.test.js"), join(root, "src/c.js")));
    expect(restored).toEqual({ "src/c.test.js": "was moved away to src/c.js" });
  });

  it.each<[string, (root: string) => void]>([
    ["a new test file", (root) => put(root, "test/new.test.js", 'test.skip("later", () => {});\n')],
    ["a new test in an old file", (root) => put(root, "test/a.test.js", `${TEST}\n${TEST.replace("adds", "adds again")}`)],
    ["line endings", (root) => put(root, "test/a.test.js", TEST.replaceAll("\n", "\r\n"))],
    ["the code", (root) => put(root, "src/add.js", "export {};\n")],
  ])("lets the agent change %s", async (_, agent) => {
    const { restored } = await attack(agent);
    expect(restored).toEqual({});
  });
});
