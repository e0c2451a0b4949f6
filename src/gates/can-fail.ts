/** Shows that gates can say no: each is given what it must refuse. One that passes whatever it is given proves nothing. */
import type { GateSpec } from "../core/gate.js";
import type { Verdict } from "../core/words.js";
import type { Gates } from "../driver/ports.js";
import { commandTrials } from "./can-fail/command.js";
import { diffTrials } from "./can-fail/diff.js";
import { fileTrials } from "./can-fail/file.js";
import { httpTrials } from "./can-fail/http.js";
import { rubricTrials } from "./can-fail/rubric.js";

export interface TrialRoom {
  gates: Gates;
  env: Record<string, string>;
  signal: AbortSignal;
  /** Files of the tree, relative to the root. */
  files: readonly string[];
  /** For logs and stand-in trees; removed by the caller. */
  folder: string;
}

export interface Trial {
  /** What the gate was given. */
  given: string;
  verdict: Verdict;
  reason: string;
  /** `driver`: refused by the driver whatever the gate says, so it shows nothing about the gate's own judgement. */
  about: "content" | "driver";
}

export interface CanFail {
  name: string;
  kind: GateSpec["kind"];
  trials: Trial[];
  /** It refused at least one thing for its content. */
  canFail: boolean;
  /** What was not tried, and why; null when nothing was left out. */
  note: string | null;
}

/** One try and a short time are enough for what must fail. */
const TRIAL_MS = 30_000;

export async function canFail(spec: GateSpec, room: TrialRoom): Promise<CanFail> {
  const brief: GateSpec = { ...spec, retries: 0, timeoutMs: Math.min(spec.timeoutMs, TRIAL_MS) };
  const trials = await trialsOf(brief, room);
  const content = trials.filter((trial) => trial.about === "content");
  return { name: spec.name, kind: spec.kind, trials, canFail: content.some((trial) => trial.verdict === "fail"), note: noteOf(spec) };
}

function trialsOf(spec: GateSpec, room: TrialRoom): Promise<Trial[]> {
  switch (spec.kind) {
    case "run":
      return commandTrials(spec, room);
    case "file":
    case "json":
    case "yaml":
      return fileTrials(spec, room);
    case "http":
      return httpTrials(spec, room);
    case "diff":
      return diffTrials(spec, room);
    case "rubric":
      return rubricTrials(spec);
  }
}

function noteOf(spec: GateSpec): string | null {
  if (spec.kind === "rubric") return "the model itself was not asked, since that costs money; a stand-in answered";
  if (spec.kind === "http") return `the server itself was not asked; stand-ins answered in its place`;
  return null;
}
