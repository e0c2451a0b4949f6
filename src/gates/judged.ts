/** What one try of a gate says; the rest of a `GateResult` belongs to the gate and not to the try. */
import type { GateResult } from "../core/gate.js";

export type Judged = Pick<GateResult, "verdict" | "reason" | "failing" | "fingerprint" | "testsRun" | "exitCode" | "detail">;

const MAX_REASON_CHARS = 300;

export function passed(reason: string): Judged {
  return { verdict: "pass", reason: oneLine(reason), failing: [], fingerprint: "pass", testsRun: null, exitCode: null, detail: null };
}

/** `failing`: names of what failed, sorted; `detail`: more for the next prompt than the reason says. */
export function failed(why: string, more: { failing?: string[]; detail?: string; fingerprint?: string } = {}): Judged {
  const reason = oneLine(why);
  return {
    verdict: "fail",
    reason,
    failing: [...(more.failing ?? [])].sort(),
    fingerprint: more.fingerprint ?? reason,
    testsRun: null,
    exitCode: null,
    detail: more.detail ?? reason,
  };
}

export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_REASON_CHARS ? line : `${line.slice(0, MAX_REASON_CHARS - 1)}…`;
}

/** Enough of a value to recognise it in a reason. */
export function shown(value: unknown, maxChars = 80): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
