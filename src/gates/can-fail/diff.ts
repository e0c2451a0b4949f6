/** What a diff gate is given: for each of its rules a made-up change that breaks that rule. */
import { type FileChange, brokenRules } from "../../core/gate-diff.js";
import type { DiffGate, DiffRules } from "../../core/gate.js";
import { type Family, familyOf } from "../../core/guard/code-lines.js";
import { matchAny } from "../../core/guard/globs.js";
import type { Trial, TrialRoom } from "../can-fail.js";

const NONE: DiffRules = { only: null, maxLines: null, noDeletedAssertions: [], noSkips: [] };
const OUTSIDE = "ralphd-gate-test/outside.txt";

const ASSERTION: Partial<Record<Family, string>> = { python: "assert answer == 42\n", ruby: "assert(answer == 42)\n" };
const SKIP: Partial<Record<Family, string>> = { python: "@pytest.mark.skip\n", ruby: 'skip "later"\n', shell: "exit 0\n" };

export async function diffTrials(spec: DiffGate, { files }: Pick<TrialRoom, "files">): Promise<Trial[]> {
  const trials: Trial[] = [];
  if (spec.only !== null) trials.push(tryRule({ ...NONE, only: spec.only }, `a change to ${OUTSIDE}`, { path: OUTSIDE, before: null, after: "x\n" }));
  if (spec.maxLines !== null) {
    const after = "x\n".repeat(spec.maxLines + 1);
    trials.push(tryRule({ ...NONE, maxLines: spec.maxLines }, `${spec.maxLines + 1} added lines`, { path: "a.txt", before: null, after }));
  }
  if (spec.noDeletedAssertions.length > 0) trials.push(forGlobs(spec.noDeletedAssertions, files, lostAssertion));
  if (spec.noSkips.length > 0) trials.push(forGlobs(spec.noSkips, files, addedSkip));
  return trials;
}

function tryRule(rules: DiffRules, given: string, change: FileChange): Trial {
  const broken = brokenRules(rules, [change]);
  return { given, about: "content", verdict: broken.length > 0 ? "fail" : "pass", reason: broken[0] ?? "nothing was refused" };
}

function lostAssertion(globs: string[], path: string): Trial {
  const before = ASSERTION[familyOf(path)] ?? "expect(answer).toBe(42);\n";
  return tryRule({ ...NONE, noDeletedAssertions: globs }, `an assertion removed from ${path}`, { path, before, after: "" });
}

function addedSkip(globs: string[], path: string): Trial {
  const after = SKIP[familyOf(path)] ?? 'it.skip("answers", () => {});\n';
  return tryRule({ ...NONE, noSkips: globs }, `a skip added to ${path}`, { path, before: "", after });
}

/** A real file where there is one: globs that match nothing guard nothing. */
function forGlobs(globs: string[], files: readonly string[], trial: (globs: string[], path: string) => Trial): Trial {
  const code = files.filter((path) => matchAny(globs, path));
  const path = code.find((one) => !["data", "other"].includes(familyOf(one))) ?? code[0];
  if (path !== undefined) return trial(globs, path);
  return { given: `a file for ${globs.join(", ")}`, about: "content", verdict: "pass", reason: "no file of the tree matches, so nothing is guarded" };
}
