/** `gutter_command`: the same command fails with the same normalised outcome, within and across iterations. */
import { gateFingerprint } from "../gate-output/fingerprint.js";
import { readOutput } from "../gate-output/read.js";
import type { BrakeSettings } from "../settings.js";
import { readCommand, type CommandVerdict } from "../signature.js";
import { isTailOf, outcomeSignature, readOutcome } from "../signature/outcome.js";
import type { Action, BrakeHit, SignDraft } from "./types.js";
import { BOUNDS, type CommandRecord } from "./watch-state.js";
import { boundedKey, errorLine } from "./wording.js";

type CommandAction = Extract<Action, { kind: "command" }>;
type Finding = Omit<BrakeHit, "lastActions">;

export interface CommandStep {
  commands: CommandRecord[];
  hit: Finding | null;
  sign: SignDraft | null;
}

/**
 * A change of files between two equal failures does not reset the count: an edit that leaves the failure
 * as it was is what being stuck looks like. An edit that helped shows as another outcome.
 * `baseline` holds outcome signatures or gate fingerprints of what failed before the run began.
 */
export function foldCommand(
  commands: readonly CommandRecord[],
  action: CommandAction,
  verdict: CommandVerdict,
  rules: { gutter: BrakeSettings["gutterCommand"]; baseline: readonly string[] },
): CommandStep {
  const quiet = { hit: null, sign: null };
  const reading = readCommand(action.command);
  const signature = boundedKey(reading.signature);
  const previous = commands.find((record) => record.signature === signature);
  const others = commands.filter((record) => record !== previous);
  if (verdict === "unclear") return { commands: [...commands], ...quiet };
  if (verdict === "succeeded") return { commands: others, ...quiet };
  if (isBaseline(action, rules.baseline)) {
    return { commands: rules.gutter.match === "command" ? [...commands] : others, ...quiet };
  }
  const partial = reading.exitMasked || reading.shortened;
  const record = nextRecord(previous, { signature, partial, ...outcomeOf(action, reading.exitMasked) });
  return { commands: [...others, record].slice(-BOUNDS.commands), ...judge(record, action, rules.gutter) };
}

function isBaseline(action: CommandAction, baseline: readonly string[]): boolean {
  if (baseline.length === 0) return false;
  if (baseline.includes(outcomeSignature(action.output, action.exitCode))) return true;
  const { failing, firstError } = readOutput(action.output);
  return failing.length > 0 && baseline.includes(gateFingerprint(failing, firstError));
}

function outcomeOf(action: CommandAction, exitMasked: boolean): Pick<CommandRecord, "outcome" | "view"> {
  const { signature, view } = readOutcome(action.output, exitMasked ? null : action.exitCode);
  return { outcome: signature, view };
}

function nextRecord(previous: CommandRecord | undefined, now: Omit<CommandRecord, "count" | "commandFailures">): CommandRecord {
  if (previous === undefined) return { ...now, count: 1, commandFailures: 1 };
  const same = previous.outcome === now.outcome || ((previous.partial || now.partial) && isTailOf(previous.view, now.view));
  const commandFailures = previous.commandFailures + 1;
  if (!same) return { ...now, count: 1, commandFailures };
  // The fuller view stays, so that the next one has more to be compared with.
  const kept = now.partial && !previous.partial ? previous : now;
  return { ...kept, count: previous.count + 1, commandFailures };
}

function judge(record: CommandRecord, action: CommandAction, gutter: BrakeSettings["gutterCommand"]): { hit: Finding | null; sign: SignDraft | null } {
  const times = gutter.match === "command" ? record.commandFailures : record.count;
  if (times < gutter.count - 1) return { hit: null, sign: null };
  const how = gutter.match === "command" ? `${times} times` : `${times} times in the same way`;
  const error = errorLine(action.output, readOutput(action.output));
  if (times >= gutter.count) return { hit: hitFor(record.signature, `${how} (threshold ${gutter.count}): ${error}`), sign: null };
  return { hit: null, sign: signFor(record.signature, `${how}: ${error}`) };
}

function hitFor(signature: string, what: string): Finding {
  return {
    reason: "gutter_command",
    summary: `\`${signature}\` failed ${what}`,
    signature,
    advice: `Run \`${signature}\` yourself and look at the first error. Fix what the agent cannot fix, or say in the task how to; then run ralphd again.`,
  };
}

function signFor(signature: string, what: string): SignDraft {
  return {
    trigger: `running \`${signature}\``,
    instruction: `\`${signature}\` failed ${what}. Do not repeat it unchanged: read the whole output, write the cause down, and try another way.`,
    signature,
  };
}
