/** Gates as data: what is checked, and what came out. The kinds that exist are added here, one variant each. */
import type { Verdict } from "./words.js";

export interface GateCommon {
  name: string;
  /** Advisory gates are reported and fed back, but never refuse anything. */
  required: boolean;
  /** `plan`: judged on run-level claims. `tasks`: only for tasks that name it. */
  scope: "plan" | "tasks";
  /** `claim`: when its task is ticked or the run claims its end. `iteration`: also after every iteration. */
  when: "claim" | "iteration";
  timeoutMs: number;
  /** Further tries after a failure; a pass after a fail is recorded as flaky. */
  retries: number;
  /** `require`: a gate that was red at the start must become green. `allow`: only new failing names count. */
  baseline: "require" | "allow";
}

/** `run` is given to `sh -c` at the repository's root. */
export type GateSpec = GateCommon & { kind: "run"; run: string };

export interface GateResult {
  name: string;
  verdict: Verdict;
  /** One line for people and for the next prompt, never empty. */
  reason: string;
  required: boolean;
  /** Sorted names of failing checks, as far as the runner prints them. */
  failing: string[];
  /** Equal fingerprints mean: failing in the same way. `pass` for a pass. */
  fingerprint: string;
  /** Tests that ran, for known runners; null when unknown. */
  testsRun: number | null;
  exitCode: number | null;
  durationMs: number;
  flaky: boolean;
  /** The whole output, below the run's folder; null when nothing was captured. */
  outputPath: string | null;
  /** Compressed failure text for the next prompt; null on a pass. */
  detail: string | null;
}
