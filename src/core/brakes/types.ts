/** What the brakes see and what they say. */
import type { StopReason } from "../words.js";

/** One observed act of the agent, in order. Output and contents are already free of control sequences. */
export type Action =
  | { kind: "command"; command: string; failed: boolean; exitCode: number | null; output: string; atMs: number }
  /** `before`/`after` are null when unknown or too large to compare. */
  | { kind: "write"; path: string; before: string | null; after: string | null; atMs: number }
  /** Any other tool: reads, searches, fetches, polls. */
  | { kind: "tool"; name: string; input: unknown; atMs: number };

/** Hits that are about one task: with it parked they are answered. All others are about the run. */
export const PARKABLE: ReadonlySet<StopReason> = new Set(["gutter_command", "gutter_thrash", "gutter_signal", "no_progress"]);

/** A rule that ends the run (or parks the task), with what a person needs to judge it. */
export interface BrakeHit {
  reason: StopReason;
  /** One sentence: what was seen, how often, against which threshold. */
  summary: string;
  /** Normalised signature or tree that repeats. */
  signature: string;
  lastActions: string[];
  /** What a person can do. */
  advice: string;
}

/** A lesson that the driver drafts when a brake is about to hit. */
export interface SignDraft {
  trigger: string;
  instruction: string;
  signature: string;
}
