/** What a gate's result is worth beside its baseline: the same gates, run before the first iteration. */
import type { GateResult, GateSpec } from "./gate.js";

/** As much of the baseline's result as later results are held against. */
export type GateBaseline = Pick<GateResult, "verdict" | "failing" | "testsRun">;

/** Names in a one-line reason. */
const MAX_NAMES = 5;

/**
 * A pass proves less when fewer tests ran than at the start: tests were deleted, filtered or never found. The whole
 * result, because a pass that turns into a fail also needs a fingerprint and a detail.
 */
export function judgeCounts(result: GateResult, baseline: Pick<GateBaseline, "testsRun"> | null): GateResult {
  const before = baseline?.testsRun ?? 0;
  if (result.verdict === "fail" || before === 0) return result;
  const { testsRun } = result;
  if (testsRun !== null && testsRun >= before) return result;
  const reason =
    testsRun === null
      ? `exit 0, but no test count in the output any more (${before} ran at the start); let the gate's command print its tests again`
      : `only ${testsRun} of at least ${before} tests ran; bring back those that are missing`;
  return { ...result, verdict: "fail", reason, fingerprint: `tests run: ${testsRun ?? "unknown"} < ${before}`, detail: reason };
}

/**
 * With `baseline: allow`, failures that were there at the start don't count. Only by name: a failure without a name
 * could be a new one. Neither may the number of tests fall, since a crashed runner names fewer.
 */
export function judgeBaseline(result: GateResult, baseline: GateBaseline | null, spec: Pick<GateSpec, "baseline">): GateResult {
  if (spec.baseline !== "allow" || result.verdict === "pass" || baseline?.verdict !== "fail") return result;
  if (result.failing.length === 0 || result.exitCode === null) return result;
  const known = new Set(baseline.failing);
  const added = result.failing.filter((name) => !known.has(name));
  if (added.length > 0) {
    const reason = `${added.length} new failing beside the ${known.size} of the start: ${nameList(added)}`;
    return { ...result, reason };
  }
  const allowed: GateResult = {
    ...result,
    verdict: "pass",
    reason: `failing as at the start, allowed by baseline: ${nameList(result.failing)}`,
    fingerprint: "pass",
    detail: null,
  };
  return judgeCounts(allowed, baseline);
}

/** `a, b, c and 4 more`. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
