/** Signatures: what counts as the same command, the same outcome, the same action. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashText } from "../../src/core/hash.js";
import { actionSignature, commandSignature, isReadOnly, isRealFailure, outcomeSignature } from "../../src/core/signature.js";
import { normaliseOutput } from "../../src/core/signature/volatile.js";
import { replaceVolatile } from "../../src/core/signature/volatile.js";

describe("commandSignature", () => {
  const same: [string, string[]][] = [
    [
      "npm test",
      [
        "npm  test ",
        "npm test 2>&1",
        "npm test 2>&1 | tail -5",
        "npm test | head -n 20",
        "cd x && npm test",
        "cd /srv/app; npm test",
        "CI=1 FORCE_COLOR=0 npm test",
        "env CI=1 npm test",
        "timeout 60 npm test",
        "timeout -k 5 60s npm test",
        "(cd x && npm test)",
        'bash -lc "cd x && npm test 2>&1 | tail -40"',
        "npm 'test'",
        "npm test > /dev/null 2>&1",
        "npm test > /tmp/out.log 2>&1",
        "npm test; echo exit: $?",
        "npm test || true",
        "set -o pipefail; npm test 2>&1 | tee /tmp/x.log | tail -3",
        "npm test # once more",
        "time npm test",
        "npm \\\n  test",
      ],
    ],
    ["npm test -- 'say \"no\"'", ['npm test -- "say \\"no\\""']],
    ["", [" ", "# later"]],
    ["echo $(date $(cat x)) y", ["echo   $(date $(cat x))  y"]],
    ["echo `id` y", ["echo `id`   y"]],
    ["echo `id", ["echo  `id"]],
    ["echo $(id", ["echo  $(id"]],
    ["npm test", ["npm test # to the end\n", "timeout -k 5 -v 60 npm test", "npm test;; ;\n"]],
    ["bash -e -x run.sh", ["bash  -e -x run.sh"]],
    // A shell without the script that it was to run is a command like any other.
    ["bash -e -c", ["bash  -e -c 2>&1"]],
    ["node /tmp/a1b2/x.js", ["node /tmp/c3d4/x.js", "node '/tmp/zzz/x.js'"]],
    ["kill 123", ["kill 4567"]],
    ["curl http://localhost:3000/health", ["curl http://localhost:41235/health"]],
    ["vitest run --testTimeout=5000", ["vitest run --testTimeout=9000"]],
    ["git show 1a2b3c4d5e", ["git show 99ffee0011"]],
  ];
  it.each(same)("SD-04 %s has one canonical form in every spelling", (command, spellings) => {
    for (const spelling of spellings) expect([spelling, commandSignature(spelling)]).toEqual([spelling, commandSignature(command)]);
  });

  const different: [string, string][] = [
    ["npm test", "npm run build"],
    ["npm test -- a", "npm test -- b"],
    ["mv a.ts b.ts", "mv c.ts d.ts"],
    ["npm test && npm run lint", "npm test"],
    ["echo a | node run.js", "echo b | node run.js"],
    ["git commit -m 'one thing'", "git commit -m 'another thing'"],
    ["sed -n 1,5p x", "sed -n 6,9p x"],
    ["command -v node", "node"],
    ["tail -5 a.log", "tail -5 b.log"],
    ["cat a | grep x", "cat a | grep y"],
    ["pytest tests/test_a.py::test_one", "pytest tests/test_a.py::test_two"],
  ];
  it.each(different)("SD-10 `%s` and `%s` are different commands", (one, other) => {
    expect(commandSignature(one)).not.toBe(commandSignature(other));
  });

  it("reduces to a readable command", () => {
    expect(commandSignature("cd /srv/app && FOO=1 timeout 5m npm test -- 'a b' 2>&1 | tail -20")).toBe("npm test -- 'a b'");
  });

  it("is idempotent", () => {
    const word = fc.constantFrom(
      "npm",
      "test",
      "cd",
      "x",
      "&&",
      "|",
      "||",
      ";",
      "tail",
      "-5",
      "2>&1",
      ">",
      "/tmp/a1",
      "A=1",
      "timeout",
      "60",
      "'a b'",
      '"c"',
      "(",
      ")",
      "echo",
      "#",
      "$(ls -l)",
      "bash",
      "-c",
      "'npm test | head'",
      "sleep",
      "\\",
      "\n",
      "&",
      "grep",
      "<",
      "`id`",
      "\u00a0",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(word, { maxLength: 14 }).map((words) => words.join(" ")),
          fc.string({ maxLength: 60 }),
        ),
        (command) => {
          const once = commandSignature(command);
          expect(commandSignature(once)).toBe(once);
        },
      ),
      { numRuns: 1500 },
    );
  });
});

describe("outcomeSignature", () => {
  const sameOutcome: [string, string, string][] = [
    ["temporary path", "ENOENT: open '/tmp/a1b2/data.json'", "ENOENT: open '/tmp/c3d4/data.json'"],
    ["macOS temporary path", "open /var/folders/9x/k1/T/abc/x", "open /private/var/folders/zz/q2/T/def/x"],
    ["duration", "Tests  2 failed\nDuration 1.23s", "Tests  2 failed\nDuration 1.31s"],
    ["node duration", "ℹ fail 1\nℹ duration_ms 83.118512", "ℹ fail 1\nℹ duration_ms 102.5"],
    ["short duration", "✖ parses (0.0695ms)", "✖ parses (12.5ms)"],
    ["minutes", "finished in 1m 12.4s", "finished in 59s"],
    ["ISO time", "2026-11-30T22:24:02.123Z boom", "2026-12-01T01:02:03Z boom"],
    ["log time", "[2026-11-30 22:24:02,123] boom", "[2026-11-30 22:24:09,999] boom"],
    ["clock", "Start at 22:24:02", "Start at 09:01:33"],
    ["HTTP date", "Mon, 30 Nov 2026 22:24:02 GMT boom", "Tue, 01 Dec 2026 01:00:00 GMT boom"],
    ["npm log name", "/root/.npm/_logs/2026-11-30T22_24_02_123Z-debug-0.log", "/root/.npm/_logs/2026-11-30T23_00_00_001Z-debug-0.log"],
    ["hex address", "<Test object at 0x7f2147438c10>", "<Test object at 0x7f6a9fa3a150>"],
    ["digest", "mismatch at 1a2b3c4d5e6f", "mismatch at ffee0011aa22"],
    ["uuid", "id 123e4567-e89b-12d3-a456-426614174000", "id 99999999-e89b-12d3-a456-4266141740ff"],
    ["random string", "token Xy7Kp2Qw9ZrT4mB1 refused", "token aB3dE5fG7hJ9kL1m refused"],
    ["pid", "worker pid 4321 died", "worker pid 87 died"],
    ["node warning", "(node:4321) Warning: x", "(node:999) Warning: x"],
    ["thread id", "thread 'tests::a' (10476) panicked at src/lib.rs:9:30:", "thread 'tests::a' (99) panicked at src/lib.rs:9:30:"],
    ["port", "connect ECONNREFUSED 127.0.0.1:41234", "connect ECONNREFUSED 127.0.0.1:5001"],
    ["colour", "\u001b[31mFAIL\u001b[39m x", "FAIL x"],
    ["progress", "10%\r50%\r100% done", "100% done"],
    ["Windows line ends", "a\r\nb\r\n", "a\nb"],
    ["blanks", "  a   b\n\n\n c", "a b\nc"],
    ["order of parallel files", "✗ a.test.ts\n✗ b.test.ts", "✗ b.test.ts\n✗ a.test.ts"],
    ["line in the middle of a very long output", `${"x\n".repeat(900)}a\n${"x\n".repeat(900)}`, `${"x\n".repeat(900)}b\n${"x\n".repeat(900)}`],
    ["position in a stack frame", "Error: x\n    at f (src/a.ts:10:3)", "Error: x\n    at f (src/a.ts:14:3)"],
  ];
  it.each(sameOutcome)("SD-03 %s does not make another outcome", (_what, one, other) => {
    expect(normaliseOutput(one).split("\n").sort()).toEqual(normaliseOutput(other).split("\n").sort());
    expect(outcomeSignature(one, 1)).toBe(outcomeSignature(other, 1));
  });

  const otherOutcome: [string, string, string][] = [
    ["number of failures", "9 failing", "6 failing"],
    ["expected value", "expected 2 to be 1", "expected 3 to be 1"],
    ["date under test", "expected 2024-01-02", "expected 2024-01-03"],
    ["failing test", "✖ parses utf8 strings", "✖ parses utf16 strings"],
    ["camel case name", "✖ handlesUtf8StringsCorrectly2", "✖ handlesUtf8StringsCorrectly3"],
    ["end of a long output", `${"x\n".repeat(900)}a`, `${"x\n".repeat(900)}b`],
    ["error position", "src/a.ts(3,5): error TS2322: no", "src/a.ts(9,5): error TS2322: no"],
    ["file below the temporary folder", "/tmp/x/a.ts missing", "/tmp/x/b.ts missing"],
    ["version", "expected 1.2.3", "expected 1.2.4"],
  ];
  it.each(otherOutcome)("SD-01 another %s is another outcome", (_what, one, other) => {
    expect(outcomeSignature(one, 1)).not.toBe(outcomeSignature(other, 1));
  });

  it("tells exit codes apart and stays short", () => {
    expect(outcomeSignature("x", 1)).not.toBe(outcomeSignature("x", 2));
    expect(outcomeSignature("x".repeat(100_000), 1).length).toBeLessThan(12);
  });

  it("takes every position off the end of a stack frame", () => {
    expect(normaliseOutput("    at f (a:1:2) :22:24:02")).toBe("at f (a)");
  });

  it("is idempotent", () => {
    const piece = fc.constantFrom(
      "12ms",
      "/tmp/a/b",
      "2026-11-30T22:24:02Z",
      "0xff",
      " ",
      "\n",
      "\r",
      ":",
      "1a2b3c4d5",
      "Xy7Kp2Qw9ZrT4mB1",
      "1234567890",
      "pid 12",
      "[1234]",
      "{n}",
      "22:24:02",
      "at f (a:1:2)",
      "3m",
      "\u001b[31m",
      "-",
      ".",
      "localhost:80",
      "(",
      ")",
      "duration: 5",
      "h",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")),
          fc.string({ maxLength: 80 }),
        ),
        (text) => {
          const once = normaliseOutput(text);
          expect(normaliseOutput(once)).toBe(once);
          expect(replaceVolatile(replaceVolatile(text))).toBe(replaceVolatile(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("actionSignature", () => {
  it("joins the tool and its key argument", () => {
    expect(actionSignature("Bash", { command: "cd x && npm test 2>&1 | tail -5", description: "run tests" })).toBe("Bash npm test");
    expect(actionSignature("Read", { file_path: "src/a.ts" })).toBe("Read src/a.ts");
    expect(actionSignature("shell", { command: ["bash", "-lc", "npm test | head"] })).toBe("shell npm test");
  });

  it("SD-10 keeps different arguments apart and ignores the order of keys", () => {
    const names = Array.from({ length: 12 }, (_, index) => actionSignature("move", { path: `a${index}.ts`, to: `b${index}.ts` }));
    expect(new Set(names).size).toBe(12);
    expect(actionSignature("edit", { path: "a", old: "x", new: "y" })).toBe(actionSignature("edit", { new: "y", old: "x", path: "a" }));
    expect(actionSignature("edit", { path: "a", old: "x", new: "y" })).not.toBe(actionSignature("edit", { path: "a", old: "x", new: "z" }));
  });

  it("ignores what is volatile and bounds what is long", () => {
    expect(actionSignature("fetch", { url: "http://localhost:4001/x" })).toBe(actionSignature("fetch", { url: "http://localhost:4999/x" }));
    expect(actionSignature("x", { query: "q".repeat(9999) }).length).toBeLessThan(200);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), fc.anything(), (name, input) => typeof actionSignature(name, input) === "string"));
  });
});

describe("isRealFailure", () => {
  const cases: [string, number | null, string, boolean][] = [
    ["npm test", 1, "1 failing", true],
    ["npm test", 0, "ok", false],
    ["npm test", null, "boom", true],
    ["grep foo src/a.ts", 1, "", false],
    ["rg foo", 1, "", false],
    ["cat a | grep foo", 1, "", false],
    ["npm test | grep -v noise", 1, "ℹ tests 3\nℹ fail 2", true],
    ["npm test; exit 0", 0, "ℹ tests 3\nℹ fail 2", true],
    ["npm test; exit $?", 0, "ℹ tests 3\nℹ fail 2", false],
    ["grep foo missing.ts", 2, "grep: missing.ts: No such file or directory", true],
    ["diff a b", 1, "< x", false],
    ["cmp a b", 1, "differ", false],
    ["test -f x", 1, "", false],
    ["[ -f x ]", 1, "", false],
    ["[ -f x ]", 2, "[: missing", true],
    ["pgrep node", 1, "", false],
    ["git diff --quiet", 1, "", false],
    ["foo", 127, "sh: 1: foo: not found", false],
    ["foo", 1, "bash: line 1: foo: command not found", false],
    ["npm test", 127, "sh: 1: vitest: not found", false],
    ["curl -sf http://localhost:3000/health", 7, "", false],
    ["sleep 5 && curl -sf http://127.0.0.1:8080/", 7, "", false],
    ["gh pr checks 12", 8, "pending", false],
    ["curl -f https://example.com/data.json", 22, "404", true],
    ["npm test | tail -5", 0, "ℹ tests 3\nℹ fail 2", true],
    ["npm test | grep fail", 0, "ℹ fail 2", true],
    ["set -o pipefail; npm test | tail -5", 0, "ℹ fail 2", false],
    ["npm test || true", 0, "ℹ tests 3\nℹ fail 0", false],
    ["cat test.log", 0, "ℹ tests 3\nℹ fail 2", false],
  ];
  it.each(cases)("%s ending with %s", (command, exitCode, output, failed) => {
    expect(isRealFailure(command, exitCode, output)).toBe(failed);
  });
});

describe("isReadOnly", () => {
  const looks: [string, unknown][] = [
    ["Read", { file_path: "a" }],
    ["Grep", { pattern: "x" }],
    ["glob", {}],
    ["find", {}],
    ["read_file", {}],
    ["WebFetch", {}],
    ["BashOutput", { bash_id: "1" }],
    ["TodoWrite", {}],
    ["update_plan", {}],
    ["mcp__github__get_issue", {}],
    ["list_datasets", {}],
    ["Bash", { command: "sleep 30" }],
    ["Bash", { command: "git status --short" }],
    ["Bash", { command: "git -C x status" }],
    ["Bash", { command: "gh run watch 123" }],
    ["Bash", { command: "curl -s http://localhost:3000/health | jq ." }],
    ["Bash", { command: "ls -la && cat a.ts | head -50" }],
    ["Bash", { command: "until curl -sf localhost:3000/up; do sleep 1; done" }],
    ["Bash", { command: "find . -name *.ts" }],
    ["shell", "sed -n 1,20p a.ts"],
    ["Bash", { command: "cat a.ts > /dev/null" }],
  ];
  it.each(looks)("%s %j only looks or waits", (name, input) => {
    expect(isReadOnly(name, input)).toBe(true);
  });

  const acts: [string, unknown][] = [
    ["Edit", { path: "a" }],
    ["write_file", {}],
    ["get_or_create", {}],
    ["Bash", { command: "npm test" }],
    ["Bash", { command: "cat a > b" }],
    ["Bash", { command: "sed -i s/a/b/ x" }],
    ["Bash", { command: "curl -X POST http://x" }],
    ["Bash", { command: "find . -delete" }],
    ["Bash", { command: "git commit -m x" }],
    ["Bash", { command: "ls && rm -rf x" }],
    ["mcp__github__create_issue", {}],
  ];
  it.each(acts)("%s %j acts", (name, input) => {
    expect(isReadOnly(name, input)).toBe(false);
  });
});

describe("hashText", () => {
  it("separates near texts and has no collision among many", () => {
    const hashes = new Set(Array.from({ length: 20_000 }, (_, index) => hashText(`outcome ${index}`)));
    expect(hashes.size).toBe(20_000);
    expect(hashText("")).toMatch(/^[0-9a-z]{1,11}$/);
  });
});
