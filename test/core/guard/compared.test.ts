/** Compared paths: honest additions pass, every way of weakening a test is put back. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparedChanges, judgeCompared, restoreCompared, type ComparedChange } from "../../../src/core/guard/compared.js";

const JS = `import test from "node:test";
import assert from "node:assert";
import { add } from "../src/add.js";

// it.skip("not a skip", () => {});
const text = "describe.skip('neither')";

test("adds", () => {
  assert.equal(add(1, 2), 3);
});
`;

const PY = `import pytest
from app import add

def test_add():
    assert add(1, 2) == 3

def test_sub():
    assert add(1, -2) == -1
`;

function judge(path: string, before: string, after: string | null, modes = ["100644", "100644"]) {
  const [oldMode = "", newMode = ""] = modes;
  return judgeCompared({ path, before, after, oldMode, newMode });
}

function insert(source: string, before: string, added: string): string {
  expect(source).toContain(before);
  return source.replace(before, `${added}${before}`);
}

describe("additions that pass", () => {
  const second = `test("adds zero", () => {\n  assert.equal(add(0, 0), 0);\n});\n`;
  it.each<[string, string, string, string]>([
    ["nothing", "a.test.js", JS, JS],
    ["a test at the end", "a.test.js", JS, `${JS}\n${second}`],
    ["a test in front", "a.test.js", JS, insert(JS, `test("adds"`, `${second}\n`)],
    ["an assertion", "a.test.js", JS, insert(JS, "\n});", "\n  assert.equal(add(2, 2), 4);")],
    ["a documented test before a documented one", "a.test.js", "/**\n * A\n */\ntest(1);\n", "/**\n * B\n */\ntest(2);\n\n/**\n * A\n */\ntest(1);\n"],
    ["another name on an import", "a.test.js", JS, JS.replace("{ add }", "{ add, sub }") + second],
    ["another name on a Python import", "test_a.py", PY, PY.replace("import add", "import add, sub")],
    ["a further entry behind the last", "a.test.js", "const t = [\n  [1, 2]\n];\n", "const t = [\n  [1, 2],\n  [3, 4]\n];\n"],
    ["a further key of a fixture", "test/f.json", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "skip": true\n}\n'],
    ["CRLF line endings", "a.test.js", JS, JS.replaceAll("\n", "\r\n")],
    ["a missing last newline", "a.test.js", JS, JS.trimEnd()],
    ["a byte order mark", "a.test.js", JS, `\uFEFF${JS}`],
    ["trailing blanks taken off", "a.test.js", "a();  \nb();\n", "a();\nb();\n"],
    ["a blank line less", "test_a.py", PY, PY.replace("\n\ndef test_sub", "\ndef test_sub")],
    ["an emptied file that was empty", "a.test.js", "", ""],
    ["first lines of an empty file", "a.test.js", "", JS],
    ["a skip word in an added string", "a.test.js", JS, `${JS}test("lints", () => lint("it.skip('x'); process.exit(0)"));\n`],
    ["a skip word in an added comment", "a.test.js", JS, `${JS}// never use test.skip( here\n/* or it.only( */\n`],
    ["a skip word in an added template", "a.test.js", JS, `${JS}const source = \`\nit.skip("x");\n\`;\n`],
    ["a glob in an added string", "a.test.js", JS, insert(JS, `test("adds"`, `const globs = ["test/**", 'a/*'];\n`)],
    ["a quote in an added regular expression", "a.test.js", JS, insert(JS, `test("adds"`, "const tick = text.replace(/`/g, '');\n")],
    ["paging of a query", "a.test.js", JS, `${JS}test("pages", () => users.skip(10).limit(5));\n`],
    ["a todo list", "a.test.js", JS, `${JS}test("lists", () => assert.deepEqual(list(), [{ todo: "milk" }]));\n`],
    ["a model's fit", "test_a.py", PY, `${PY}\ndef test_fit():\n    model.fit(data)\n`],
    ["a helper that returns", "a.test.js", JS, `${JS}function three() {\n  return 3;\n}\n`],
    ["a nested helper that returns before a brace", "a.test.js", JS, insert(JS, "\n});", "\n  const one = () => {\n    return 1;\n  };\n  assert(one());")],
    ["a failing exit in a shell test", "test/run.sh", "./a\n", "./a\n[ -f out ] || exit 1\n"],
    ["prose about skipping", "test/README.md", "# Tests\n", "# Tests\nNever write it.skip( here.\n"],
    ["a Rust test with lifetimes", "tests/a.rs", "fn a() {}\n", "fn a() {}\nfn b<'a>(x: &'a str) {}\nfn c() {}\n"],
    ["a docstring", "test_a.py", PY, insert(PY, "    assert add(1, 2)", '    """Adds\n    two."""\n')],
  ])("%s", (_, path, before, after) => {
    expect(judge(path, before, after)).toEqual({ kind: "ok" });
  });

  it("any lines inserted into plain text keep it", () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "b", " ", "x") }), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, fc.infiniteStream(fc.nat()), (old, added, where) => {
        const now = [...old];
        for (const line of added) now.splice((where.next().value ?? 0) % (now.length + 1), 0, `#${line}`);
        return judge("test/a.txt", old.join("\n"), now.join("\n")).kind === (old.join("").trim() !== "" && now.join("").trim() === "" ? "restore" : "ok");
      }),
    );
  });
});

describe("SE-03 weakened tests that are put back", () => {
  it.each<[string, string, string, string | null, RegExp]>([
    ["a removed line", "a.test.js", JS, JS.replace("  assert.equal(add(1, 2), 3);\n", ""), /line 9 was removed, changed or commented out: `assert\.equal/],
    ["a changed expectation", "a.test.js", JS, JS.replace(", 3)", ", 4)"), /line 9/],
    ["a test turned into a skip", "a.test.js", JS, JS.replace(`test("adds"`, `test.skip("adds"`), /line 8/],
    ["a line commented out", "a.test.js", JS, JS.replace("  assert.equal", "  // assert.equal"), /line 9/],
    ["a block commented out", "a.test.js", JS, `${insert(JS, `test("adds"`, "/*\n")}*/\n`, /line 8 was removed, changed or commented out/],
    ["a block put into a template", "a.test.js", JS, `${insert(JS, `test("adds"`, "const off = `\n")}\`;\n`, /line 8/],
    ["a Python block put into a string", "test_a.py", PY, `${insert(PY, "def test_sub", '"""\n')}"""\n`, /line 7/],
    ["lines swapped", "a.test.js", "a();\nb();\n", "b();\na();\n", /line 2/],
    ["indentation changed", "test_a.py", PY, PY.replace("    assert add(1, 2)", "        assert add(1, 2)"), /line 5/],
    ["emptied", "a.test.js", JS, "", /was emptied/],
    ["only blanks left", "a.test.js", JS, "\n \n", /was emptied/],
    ["an import bound to another name", "a.test.js", JS, JS.replace("{ add }", "{ add as plus, sub as add }"), /line 3/],
    ["an import from elsewhere", "a.test.js", JS, JS.replace("../src/add.js", "./fake.js"), /line 3/],
    ["binary content", "test/a.png", "\0PNG", "\0PNG2", /is binary/],
    ["a describe.skip around it", "a.test.js", JS, `${insert(JS, `test("adds"`, `describe.skip("off", () => {\n`)}});\n`, /adds a skip: `describe\.skip/],
    ["test.only elsewhere", "a.test.js", JS, `${JS}test.only("x", () => {});\n`, /line 11 adds an only/],
    ["it.todo", "a.test.js", JS, `${JS}it.todo("x");\n`, /adds a skip/],
    ["xit", "a.test.js", JS, `${JS}xit("x", () => {});\n`, /adds a skip/],
    ["fdescribe", "a.test.js", JS, `${JS}fdescribe("x", () => {});\n`, /adds an only/],
    ["a skip of a chain", "a.test.js", JS, `${JS}test.concurrent.skip("x", () => {});\n`, /adds a skip/],
    ["a skip by option", "a.test.js", JS, `${JS}test("x", { skip: true }, () => {});\n`, /adds a skip/],
    ["t.skip()", "a.test.js", JS, insert(JS, "  assert.equal", "  t.skip();\n"), /adds a skip/],
    ["an exit", "a.test.js", JS, insert(JS, `test("adds"`, "process.exit(0);\n"), /adds an early exit/],
    ["an early return", "a.test.js", JS, insert(JS, "  assert.equal", "  return;\n"), /adds an early return/],
    ["if (false)", "a.test.js", JS, insert(JS, `test("adds"`, "if (false) {\n") + "}\n", /adds a block that never runs/],
    ["@pytest.mark.skip", "test_a.py", PY, insert(PY, "def test_sub", "@pytest.mark.skip(reason='later')\n"), /adds a skip/],
    ["@pytest.mark.xfail", "test_a.py", PY, insert(PY, "def test_sub", "@pytest.mark.xfail\n"), /adds a skip/],
    ["@unittest.skip", "test_a.py", PY, insert(PY, "def test_sub", "@unittest.skip('x')\n"), /adds a skip/],
    ["pytest.skip()", "test_a.py", PY, insert(PY, "    assert add(1, 2)", "    pytest.skip('later')\n"), /adds a skip/],
    ["a Python early return", "test_a.py", PY, insert(PY, "    assert add(1, 2)", "    return\n"), /adds an early return/],
    ["os._exit", "test_a.py", PY, insert(PY, "def test_add", "import os; os._exit(0)\n"), /adds an early exit/],
    ["sys.exit", "test_a.py", PY, insert(PY, "def test_add", "sys.exit(0)\n"), /adds an early exit/],
    ["t.Skip", "a_test.go", "func TestA(t *testing.T) {\n\tcheck(t)\n}\n", "func TestA(t *testing.T) {\n\tt.Skip()\n\tcheck(t)\n}\n", /adds a skip/],
    ["a Go build tag", "a_test.go", "package a\n", "//go:build ignore\n\npackage a\n", /adds a build constraint/],
    ["#[ignore]", "tests/a.rs", "#[test]\nfn a() {}\n", "#[test]\n#[ignore]\nfn a() {}\n", /adds a skip/],
    ["@Disabled", "src/test/A.java", "@Test\nvoid a() {}\n", "@Test\n@Disabled\nvoid a() {}\n", /adds a skip/],
    ["@Ignore", "src/test/A.kt", "@Test\nfun a() {}\n", "@Ignore\n@Test\nfun a() {}\n", /adds a skip/],
    ["a good exit in a shell test", "test/run.sh", "./a\n./b\n", "exit 0\n./a\n./b\n", /adds an early exit/],
    ["a skip in a Ruby test", "spec/a_spec.rb", "it 'a' do\n  run\nend\n", "it 'a' do\n  skip 'later'\n  run\nend\n", /adds a skip/],
  ])("%s", (_, path, before, after, why) => {
    const verdict = judge(path, before, after);
    expect(verdict.kind).toBe("restore");
    expect(verdict.kind === "restore" && verdict.why).toMatch(why);
  });

  it.each<[string, string | null, [string, string], RegExp]>([
    ["deleted", null, ["100644", "000000"], /deleted or moved away/],
    ["a symlink", "target", ["100644", "120000"], /replaced by a symlink/],
    ["unreadable", null, ["100644", "100644"], /can't be read/],
    ["another mode", JS, ["100755", "100644"], /mode changed/],
    ["a submodule", null, ["100644", "160000"], /no plain file/],
    ["a link elsewhere", "other", ["120000", "120000"], /points elsewhere/],
  ])("%s", (_, after, modes, why) => {
    const verdict = judge("a.test.js", JS, after, modes);
    expect(verdict.kind === "restore" && verdict.why).toMatch(why);
  });
});

describe("restoreCompared", () => {
  const change = (path: string, kind: ComparedChange["kind"], oids: [string, string] = ["1", "2"]): ComparedChange => ({
    path,
    kind,
    oldMode: kind === "added" ? "000000" : "100644",
    newMode: kind === "deleted" ? "000000" : "100644",
    oldOid: oids[0],
    newOid: oids[1],
  });
  const run = (changes: ComparedChange[], after: Record<string, string> = {}, edits: string[] = []) =>
    restoreCompared({
      changes,
      readBefore: () => JS,
      readAfter: (path) => after[path] ?? null,
      protect: ["test/**", "!test/out/**"],
      edits,
    });

  it("lets new test files, other files and opened files be", () => {
    const changes = [change("test/new.test.js", "added"), change("src/a.js", "deleted"), change("test/out/a.js", "deleted"), change("test/old.js", "deleted")];
    expect(run(changes, {}, ["test/old.js"])).toEqual([]);
    expect(comparedChanges(changes, ["test/**"], ["test/old.js"]).map((one) => one.path)).toEqual(["test/out/a.js"]);
  });

  it("puts a moved file back and names where it went", () => {
    const changes = [change("test/a.test.js", "deleted", ["7", "0"]), change("attic/a.js", "added", ["0", "7"])];
    expect(run(changes)).toEqual([{ path: "test/a.test.js", why: "was moved away to attic/a.js" }]);
  });

  it("takes a rename by case for a deletion", () => {
    const changes = [change("test/a.test.js", "deleted", ["7", "0"]), change("test/A.test.js", "added", ["0", "7"])];
    expect(run(changes).map((one) => one.path)).toEqual(["test/a.test.js"]);
  });

  it("does not take for kept what it cannot compare", () => {
    const options = { changes: [change("test/a.test.js", "modified")], readAfter: () => "", protect: ["test/**"], edits: [] };
    expect(restoreCompared({ ...options, readBefore: () => null })).toEqual([
      { path: "test/a.test.js", why: "can't be compared: its text from before this iteration can't be read" },
    ]);
  });

  it("quotes no more of a long line than a report has room for", () => {
    const long = `check(${"x".repeat(75)}`;
    const why = (line: string) =>
      restoreCompared({ changes: [change("test/a.test.js", "modified")], readBefore: () => line, readAfter: () => "y", protect: ["test/**"], edits: [] })[0]
        ?.why;
    expect(why(`${long.slice(0, 80)}`)).toContain(`: \`${long.slice(0, 80)}\``);
    expect(why(long)).toContain(`: \`${long.slice(0, 79)}…\``);
  });

  it("clears what took the place of a folder first", () => {
    const changes = [change("test/a.test.js", "deleted"), change("test", "added")];
    expect(run(changes).map((one) => one.path)).toEqual(["test", "test/a.test.js"]);
  });

  it("keeps a grown file and restores one whose bytes changed without its text", () => {
    expect(run([change("test/a.test.js", "modified")], { "test/a.test.js": `${JS}test("b", () => {});\n` })).toEqual([]);
    expect(run([change("test/a.test.js", "modified")], { "test/a.test.js": JS })).toEqual([
      { path: "test/a.test.js", why: "bytes that are no text were changed" },
    ]);
  });
});
