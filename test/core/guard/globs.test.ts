/** Globs of protected and opened paths. */
import { describe, expect, it } from "vitest";
import { DEFAULT_PROTECT } from "../../../src/core/defaults.js";
import { allowedEdits, isProtected, matchAny } from "../../../src/core/guard/globs.js";

describe("matchAny", () => {
  it.each([
    [["test/**"], "test/a.test.js", true],
    [["test/**"], "test/.hidden/a.js", true],
    [["test"], "test/deep/a.js", true],
    [["test/"], "test/a.js", true],
    [["./test/**"], "test/a.js", true],
    [["/check.sh"], "check.sh", true],
    [["test/**"], "src/test/a.js", false],
    [["**/*.test.*"], "a.test.ts", true],
    [["test"], "testing/a.js", false],
    [["test/**", "!test/fixtures/**"], "test/fixtures/a.json", false],
    [["test/**", "!test/fixtures/**"], "test/a.js", true],
    [["!test/**"], "src/a.js", false],
    [[], "a", false],
    [["./"], "a/.b", true],
    [["docs/*.md"], "docs/a/b.md", false],
  ])("%j selects %s: %s", (globs, path, expected) => {
    expect(matchAny(globs, path)).toBe(expected);
  });
});

describe("isProtected with the default globs", () => {
  it.each(["test/a.js", "packages/x/tests/b.py", "src/a.test.ts", "pkg/a_test.go", "tests/conftest.py", "src/__tests__/a.tsx", "test_app.py"])(
    "protects %s",
    (path) => expect(isProtected(path, DEFAULT_PROTECT)).toBe(true),
  );
  it.each(["src/a.ts", "contest.py", "latest/a.js", "README.md", "src/attest.ts"])("leaves %s alone", (path) =>
    expect(isProtected(path, DEFAULT_PROTECT)).toBe(false),
  );
});

it("allowedEdits opens nothing without globs", () => {
  expect(allowedEdits("test/a.js", [])).toBe(false);
  expect(allowedEdits("test/a.js", ["test/a.js"])).toBe(true);
});
