/** Shell commands taken apart: the programs that a gate starts, however its line is written. */
import { describe, expect, it } from "vitest";
import { base, isShell, join, simpleCommands } from "../../../src/core/guard/shell-words.js";

const words = (command: string): string[][] => simpleCommands(command).map((simple) => simple.words);

describe("a command line", () => {
  it.each<[string, string[][]]>([
    ["a b c", [["a", "b", "c"]]],
    ["", []],
    ["  \n ; && || | & ( ) ", []],
    ["a; b && c || d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
    // Quotes: what stands in them is one word, and what a backslash hides is its character.
    ["a 'b c' \"d e\"", [["a", "b c", "d e"]]],
    ["a 'b'\"c\"d", [["a", "bcd"]]],
    ["a '' \"\"", [["a", "", ""]]],
    ['a "b\\"c" \'d\\"e\'', [["a", 'b"c', 'd\\"e']]],
    ['a "\\$x \\`y\\` \\\\ \\n"', [["a", "$x `y` \\ \\n"]]],
    ["a b\\ c \\#d", [["a", "b c", "#d"]]],
    ["a b\\\nc", [["a", "bc"]]],
    ["a \\\n b", [["a", "b"]]],
    ["a\\", [["a"]]],
    // What is never closed goes to the end.
    ["a 'b c", [["a", "b c"]]],
    ['a "b c', [["a", "b c"]]],
    // Comments begin a word; elsewhere the sign is a character.
    ["a # b\nc", [["a"], ["c"]]],
    ["a # b", [["a"]]],
    ["a b#c", [["a", "b#c"]]],
    // Redirections, with their number and their file.
    ["a > out b", [["a", "b"]]],
    ["a b2>&1 c", [["a", "b2", "c"]]],
    ["a 2>err b", [["a", "b"]]],
    ["a >>out <in b", [["a", "b"]]],
    ["a 2>&1; b", [["a"], ["b"]]],
    ["a >; b", [["a"], ["b"]]],
    ["> out a", [["a"]]],
  ])("%j", (command, expected) => expect(words(command)).toEqual(expected));

  it.each<[string, string[][]]>([
    ["CI=1 A_b2=c env X=y a", [["a"]]],
    ["if a; then b; else c; fi", [["a"], ["b"], ["c"], ["fi"]]],
    ["! a", [["a"]]],
    ["time -p a", [["a"]]],
    ["nice -n a", [["a"]]],
    ["/usr/bin/env -i a -i", [["a", "-i"]]],
    ["timeout 60 a", [["a"]]],
    ["timeout -k 5 60 a", [["a"]]],
    ["gtimeout -s KILL --foreground 60 a", [["a"]]],
    ["timeout", []],
    ["timeout -k", []],
    ["CI=1", []],
    ["-x a", [["-x", "a"]]],
    ["1A=b c", [["1A=b", "c"]]],
  ])("%j without what stands before its program", (command, expected) => expect(words(command)).toEqual(expected));

  it.each<[string, string[][]]>([
    ["sh -c 'a; b'", [["a"], ["b"]]],
    ["/bin/bash -ec 'a b'", [["a", "b"]]],
    ["bash -o pipefail -c a", [["a"]]],
    ["sh -c", [["sh", "-c"]]],
    ["sh a.sh -x", [["sh", "a.sh", "-x"]]],
    ["sh a.sh -C", [["sh", "a.sh", "-C"]]],
    ["eval 'a b' c", [["a", "b", "c"]]],
    ["eval", []],
    ["python -c 'a; b'", [["python", "-c", "a; b"]]],
  ])("%j with what a shell in it runs", (command, expected) => expect(words(command)).toEqual(expected));

  it("runs in the folder it went to, also within a shell in it", () => {
    const dirs = (command: string, dir?: string): string[] => simpleCommands(command, dir).map((simple) => simple.dir);
    expect(dirs("a; cd x; b; pushd ../y/.; c")).toEqual([".", "x", "x", "y", "y"]);
    expect(dirs("cd x && sh -c 'cd y; a'; b", "z")).toEqual(["z/x", "z/x/y", "z/x/y", "z/x"]);
  });
});

it.each([
  [".", "a", "a"],
  ["a", ".", "a"],
  [".", ".", "."],
  ["a/b", "../c", "a/c"],
  ["a", "..", "."],
  ["a", "../..", ".."],
  ["a", "../../../b", "../../b"],
  ["a", "./b//c/", "a/b/c"],
  ["a", "/x/../y", "/y"],
  ["a", "/", "/"],
])("%s and %s are %s", (dir, path, joined) => expect(join(dir, path)).toBe(joined));

it("knows shells by the file's name", () => {
  expect(["sh", "/bin/dash", "zsh", "ksh", "ash", "bash", "fish", "sh.js"].map(isShell)).toEqual([true, true, true, true, true, true, false, false]);
  expect([base("a/b.c"), base("b.c"), base("a/")]).toEqual(["b.c", "b.c", ""]);
});
