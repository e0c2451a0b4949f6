/** Which files of the repository a gate's command runs. */
import { describe, expect, it } from "vitest";
import { gateScripts, isShellScript, makeTargets } from "../../../src/core/guard/gate-scripts.js";

const FILES = new Set([
  "check.sh",
  "scripts/check.sh",
  "scripts/x.mjs",
  "tools/y.py",
  "packages/a/check.sh",
  "src/main.py",
  ".env",
  "hook.mjs",
  "test/a.test.js",
  "conf",
]);
const scripts = (command: string): string[] => gateScripts(command, (path) => FILES.has(path));

describe("gateScripts", () => {
  it.each<[string, string[]]>([
    ["./check.sh", ["check.sh"]],
    ["sh scripts/check.sh --fast", ["scripts/check.sh"]],
    ["bash -eu -o pipefail scripts/check.sh", ["scripts/check.sh"]],
    ["bash -xc './check.sh && node scripts/x.mjs'", ["check.sh", "scripts/x.mjs"]],
    ["node scripts/x.mjs src/main.py", ["scripts/x.mjs"]],
    ["node --env-file .env --import ./hook.mjs scripts/x.mjs", ["hook.mjs", "scripts/x.mjs"]],
    ["node --import=./hook.mjs --test test/a.test.js", ["hook.mjs"]],
    ["node --test test/a.test.js", []],
    ["python3 -u tools/y.py src/main.py", ["tools/y.py"]],
    ["python -m pytest src/main.py", []],
    ["python -c 'import x' src/main.py", []],
    ["CI=1 env FOO=bar time ./check.sh", ["check.sh"]],
    ["timeout -k 5 60 ./check.sh", ["check.sh"]],
    ["cd packages/a && ./check.sh", ["packages/a/check.sh"]],
    ["cd packages/a; cd ../..; ./check.sh", ["check.sh"]],
    ["if ./check.sh; then echo ok; fi", ["check.sh"]],
    ["! ./check.sh | tee log > out 2>&1", ["check.sh"]],
    ["(./check.sh)\nnode 'scripts/x.mjs'", ["check.sh", "scripts/x.mjs"]],
    [". ./check.sh", ["check.sh"]],
    ["echo ./check.sh", []],
    ["echo x # ./check.sh", []],
    ["check.sh", []],
    ["/usr/bin/check.sh", []],
    ["../check.sh", []],
    ["npm test", []],
    ["npx vitest run", []],
    ["", []],
    ["sh -c", []],
    ["ruby tools/y.py", ["tools/y.py"]],
    ["perl -w tools/y.py", ["tools/y.py"]],
    ["php tools/y.py", ["tools/y.py"]],
    ["pypy3 tools/y.py", ["tools/y.py"]],
    ["deno run scripts/x.mjs", ["scripts/x.mjs"]],
    ["tsx watch scripts/x.mjs", ["scripts/x.mjs"]],
    // What is cut off in its options starts nothing.
    ["node --import", []],
    ["node", []],
    ["'unclosed ./check.sh", []],
  ])("%s runs %j", (command, expected) => {
    expect(scripts(command)).toEqual(expected);
  });
});

describe("makeTargets", () => {
  it.each<[string, string[]]>([
    ["make test", ["GNUmakefile", "Makefile", "makefile"]],
    ["make -C sub -d test", ["sub/GNUmakefile", "sub/Makefile", "sub/makefile"]],
    ["cd sub && make -f ci.mk", ["sub/ci.mk"]],
    ["just test", [".justfile", "Justfile", "justfile"]],
    ["make --directory=sub --file ci.mk", ["sub/ci.mk"]],
    ["make -Csub -fci.mk", ["sub/ci.mk"]],
    ["make --makefile=ci.mk", ["ci.mk"]],
    ["make -f", ["GNUmakefile", "Makefile", "makefile"]],
    ["just --working-directory sub -f ci", ["sub/ci"]],
    ["task -d sub", ["sub/Taskfile.yaml", "sub/Taskfile.yml", "sub/taskfile.yaml", "sub/taskfile.yml"]],
    ["/usr/bin/gmake -f a && make -f b", ["a", "b"]],
    ["cmake .", []],
    ["echo make", []],
  ])("%s reads %j", (command, expected) => {
    expect(makeTargets(command)).toEqual(expected);
  });
});

describe("a script is one of a shell", () => {
  it.each<[string, string, boolean]>([
    ["a.py", "#!/bin/sh\n", true],
    ["a.py", "#!/usr/bin/env bash\n", true],
    ["a.py", "#!/usr/bin/env -S bash -e\n", true],
    ["a.sh", "#!/usr/bin/python3\n", false],
    ["a.sh", "echo", true],
    ["a.zsh", "echo", true],
    ["bin/check", "echo", true],
    ["a.py", "print()", false],
    ["a.shx", "echo", false],
    // A program is no text, whatever its name.
    ["check", "\u007fELF\0", false],
  ])("%s with %j: %s", (path, text, shell) => expect(isShellScript(path, text)).toBe(shell));
});
