/** Ways in which an added line takes tests out of the run: skips, "only this one", early exits, switched-off blocks. */
import type { CodeLine, Family } from "./code-lines.js";

interface Rule {
  what: string;
  pattern: RegExp;
}

/** Names under which JavaScript runners offer a test, with whatever stands between: `test.concurrent.skip`. */
const RUNNER = String.raw`(?<![.\w$])(?:it|test|tests|describe|suite|specify|bench)(?:\.\w+)*\??\.`;

/** Matched against code without comments and with emptied strings. */
const CODE: readonly Rule[] = [
  // JavaScript: node:test, vitest, jest, mocha, ava, tap, playwright.
  { what: "a skip", pattern: new RegExp(`${RUNNER}(?:skip|skipIf|runIf|todo|fixme|fails|failing)\\b`) },
  { what: "an only", pattern: new RegExp(`${RUNNER}only\\b`) },
  { what: "a skip", pattern: /\b(?:this|t|tap|ctx|context)\??\.skip\(|\bt\.todo\(|\.skip\(\s*["'`]/ },
  { what: "an only", pattern: /\.only\(\s*(?:["'`]|\w+,|$)/ },
  { what: "a skip", pattern: /(?<![.\w$])(?:xit|xtest|xdescribe|xcontext|xspecify)\b\s*[(."'`]/ },
  { what: "an only", pattern: /(?<![.\w$])(?:fit|fdescribe|fcontext)\b\s*(?:\(\s*["'`]|\.each\b|["'`])/ },
  { what: "a skip", pattern: /\bskip\s*:\s*(?:true\b|!|process\b|["'`])|\btodo\s*:\s*true\b/ },
  { what: "an only", pattern: /\bonly\s*:\s*true\b/ },
  // Python.
  { what: "a skip", pattern: /@(?:pytest\.mark\.|unittest\.)?(?:skip\w*|xfail|expectedFailure)\b/ },
  { what: "a skip", pattern: /\bpytest\.(?:skip|xfail|importorskip|exit)\s*\(|\bpytest\.mark\.(?:skip\w*|xfail)\b/ },
  { what: "a skip", pattern: /\bself\.skipTest\s*\(|\bSkipTest\b|\bcollect_ignore\w*\s*=|\b__test__\s*=\s*False\b/ },
  // Go, Rust, JVM, .NET, PHP, Swift, C++, Elixir.
  { what: "a skip", pattern: /\b[tbf]\.(?:Skip|SkipNow|Skipf)\(|#\[ignore\b|#!?\[cfg\((?:any\(\)|not\(test\))\)/ },
  { what: "a skip", pattern: /@(?:Ignored?|Disabled\w*)\b|\bassume(?:True|False|That)\s*\(|\[(?:Ignore|Fact\(Skip|Theory\(Skip)\b/ },
  { what: "a skip", pattern: /\bmarkTest(?:Skipped|Incomplete)\s*\(|\bXCTSkip|\bGTEST_SKIP\s*\(|\bDISABLED_\w|@(?:module)?tag :skip\b/ },
  // Early exits.
  { what: "an early exit", pattern: /\bprocess\s*\??\.\s*(?:exit|reallyExit|abort)\s*\(|\bDeno\.exit\s*\(|\bprocess\.exitCode\s*=(?!=)/ },
  { what: "an early exit", pattern: /\bos\._exit\b|\bsys\.exit\s*\(|\bos\.Exit\s*\(|\bprocess::exit\s*\(|\bSystem\.exit\s*\(/ },
  // Blocks that never run.
  { what: "a block that never runs", pattern: /\bif\s*\(\s*(?:false|0)\s*\)|^\s*while\s*\(\s*(?:false|0)\s*\)/ },
  { what: "a block that never runs", pattern: /^\s*(?:if|while)\s+(?:False|0|false)\s*(?::|$|;)|^\s*#if\s+0\b/ },
];

/** Only where they are statements of the language. `exit 1` in a shell makes a check fail, which is no way out. */
const BY_FAMILY: Partial<Record<Family, readonly Rule[]>> = {
  ruby: [
    { what: "a skip", pattern: /^\s*(?:skip|pending|xit|xdescribe|xcontext)\b(?!\s*=)/ },
    { what: "an early exit", pattern: /^\s*exit\b/ },
  ],
  shell: [
    { what: "an early exit", pattern: /(?:^|[;&|{(]|\bthen\b)\s*exit(?:\s+0)?\s*(?:$|[;&|)}])/ },
    { what: "a skip", pattern: /^\s*skip\b/ },
  ],
  python: [{ what: "an early exit", pattern: /^\s*(?:exit|quit)\s*\(/ }],
};

/** Build constraints stand in comments, so they are matched against the raw text. */
const GO_BUILD_TAG = /^\/\/(?:go:build| ?\+build)\b/;

/** Says what an added line switches off, or null. */
export function skipIn(line: CodeLine, family: Family): string | null {
  if (family === "data") return null;
  if (line.inside === "" && GO_BUILD_TAG.test(line.text)) return "a build constraint";
  if (line.code === "") return null;
  const rule = [...CODE, ...(BY_FAMILY[family] ?? [])].find((one) => one.pattern.test(line.code));
  return rule?.what ?? null;
}
