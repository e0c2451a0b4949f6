/** Which part of a line is code: what went into a comment or a string is gone, and what only stands in one never was. */
import { describe, expect, it } from "vitest";
import { align } from "../../../src/core/guard/survives.js";
import { codeLines, type Family, familyOf } from "../../../src/core/guard/code-lines.js";

const code = (source: string, family: Family): string[] => codeLines(source, family).map((line) => line.code);

it.each<[string, Family]>([
  ["a.ts", "c"],
  ["A.TSX", "c"],
  ["x/y.go", "c"],
  ["a.b/c.py", "python"],
  ["a.rb", "ruby"],
  ["a.bats", "shell"],
  ["a.json", "data"],
  ["a.unknown", "other"],
  ["a.ts/Makefile", "other"],
  [".ts", "c"],
  ["a.", "other"],
])("%s is of the family %s", (path, family) => expect(familyOf(path)).toBe(family));

describe("code", () => {
  it.each<[string, Family, string, string[]]>([
    ["comments to the end", "c", "a(); // b", ["a();"]],
    ["comments within", "c", "a(/* b */ c);", ["a( c);"]],
    ["comments over lines", "c", "a(); /* b\nc\nd */ e();", ["a();", "", " e();"]],
    ["strings", "c", "a('b // c', \"d\");", ["a('', \"\");"]],
    ["quotes within strings", "c", "a('b\\'c');", ["a('');"]],
    ["a string that is not closed ends with its line", "c", "a('b\nc();", ["a('", "c();"]],
    ["templates over lines", "c", "a(`b\nc`);", ["a(`", "`);"]],
    ["a hash", "c", "a(#b)", ["a(#b)"]],
    ["a regular expression", "c", "a(/\\/'/); b = /'/; return /'/;", ["a(//); b = //; return //;"]],
    ["a division", "c", "a / b / c", ["a / b / c"]],
    ["an escaped slash in a comment is none", "c", "/* \\*/ a();", [" a();"]],
    ["python's comments", "python", "a()# b", ["a()"]],
    ["python's long strings", "python", 'a = """b\nc"""\nd', ['a = "', '"', "d"]],
    ["python's other long strings", "python", "'''b\n# c''' + d", ["'", "' + d"]],
    ["a hash within a word of a shell", "shell", "a#b $# # c", ["a#b $#"]],
    ["a line that is a comment", "shell", "# a\nb", ["", "b"]],
    ["a slash is nothing to a shell", "shell", "a // b /* c", ["a // b /* c"]],
    ["ruby's values in strings", "ruby", '"a #{b}" + c#{d} # e', ['"" + c#{d}']],
    ["ruby's long comments", "ruby", "a\n=begin\nb\n=end\nc", ["a", "", "", "", "c"]],
    ["what only looks like ruby's long comment", "python", "=begin\nb", ["=begin", "b"]],
    ["data is taken as it is", "data", "# a // 'b", ["# a // 'b"]],
    ["unknown text too", "other", "# a // 'b", ["# a // 'b"]],
    ["line ends of every kind, the mark of Windows, and trailing blanks", "c", "\uFEFFa  \r\nb\rc\n", ["a", "b", "c"]],
    ["nothing", "c", "", []],
    ["a last line that is empty but not the end", "c", "a\n\n", ["a", ""]],
  ])("%s (%s)", (_name, family, source, expected) => expect(code(source, family)).toEqual(expected));

  it("knows in what a line begins, so that the same words in a comment are another line", () => {
    const inside = (source: string, family: Family) => codeLines(source, family).map((line) => line.inside);
    expect(inside("/*\na\n*/\nb", "c")).toEqual(["", "*/", "*/", ""]);
    expect(inside("`\na\n`\nb", "c")).toEqual(["", "`", "`", ""]);
    expect(inside('"""\na\n"""\nb', "python")).toEqual(["", '"""', '"""', ""]);
    expect(inside("=begin\na =end\n=end\nb", "ruby")).toEqual(["", "=end", "=end", ""]);
    expect(inside("'\na", "c")).toEqual(["", ""]);
  });
});

describe("lines survive", () => {
  const lost = (before: string, after: string, family: Family = "c"): number | null =>
    align(codeLines(before, family), codeLines(after, family), family).lost?.at ?? null;
  it.each<[string, string, string, Family, number | null]>([
    ["as they are, with others between them", "a\nb", "x\na\ny\nb\nz", "c", null],
    ["not in another order", "a\nb", "b\na", "c", 1],
    ["not when one is gone", "a\nb\nc", "a\nc", "c", 1],
    ["not within a comment", "a\nb", "a\n/*\nb\n*/", "c", 1],
    ["not out of a string", "`\na\n`", "a\n`\n`", "c", 1],
    ["without blank lines between them", "a\n\nb", "a\nb", "c", null],
    ["with blank lines of a string", "`\n\n`", "`\n`", "c", 1],
    ["with a comma behind what was the last", "a\nb", "a,\nb", "c", null],
    ["with a comma, in data", '"a"', '"a",', "data", null],
    ["but not with a comma in other languages", "a", "a,", "python", 0],
    ["nor with a comma within a string", "`\na\n`", "`\na,\n`", "c", 1],
    ["with further names on an import", 'import { a, b } from "m";', 'import { a, b, c } from "m";', "c", null],
    ["with names in another order", 'import { a, b } from "m";', 'import { b, a } from "m";', "c", null],
    ["with further exports", "export { a };", "export { a, b };", "c", null],
    ["with further names that are required", 'const { a } = require("m");', 'const { a, b } = require("m");', "c", null],
    ["with further names of an awaited import", 'const { a } = await import("m");', 'const { a, b } = await import("m");', "c", null],
    ["with further names in Rust", "use m::{a};", "use m::{a, b};", "c", null],
    ["with further names in Python", "from m import a", "from m import a, b", "python", null],
    ["with further names in Python in brackets", "from m import (a)", "from m import (a, b)", "python", null],
    ["not with a name less", 'import { a, b } from "m";', 'import { a } from "m";', "c", 0],
    ["not from another module", 'import { a } from "m";', 'import { a } from "n";', "c", 0],
    ["not as another kind of line", 'import { a } from "m";', "import a;", "c", 0],
    // What is taken apart, or assigned, can be bent by a further name.
    ["not with a further name that is only taken apart", "const { a } = b;", "const { a, c } = b;", "c", 0],
    ["not with a name less in Python", "from m import a, b", "from m import a", "python", 0],
  ])("%s", (_name, before, after, family, at) => expect(lost(before, after, family)).toBe(at));

  it("and are told apart from new ones", () => {
    expect(align(codeLines("a\n\nb", "c"), codeLines("x\na\n\ny\nb", "c"), "c").old).toEqual([false, true, true, false, true]);
  });
});
