/** Live gutter brakes: folds the agent's actions, within and across iterations. */
import type { BrakeSettings } from "../settings.js";
import { actionSignature, commandSignature, commandVerdict, isReadOnly, outcomeSignature, type CommandVerdict } from "../signature.js";
import { foldCommand } from "./command-brake.js";
import { isOwnOrGenerated } from "./own-files.js";
import { foldRepeat } from "./repeat-brake.js";
import { foldWrite, isUnchanged } from "./thrash-brake.js";
import type { Action, BrakeHit, SignDraft } from "./types.js";
import { BOUNDS, type WatchState } from "./watch-state.js";
import { boundedKey, clip, describeAction } from "./wording.js";

export type { WatchState } from "./watch-state.js";

export interface WatchResult {
  state: WatchState;
  hit: BrakeHit | null;
  /** Drafted when the next equal failure would hit. */
  sign: SignDraft | null;
}

interface Step {
  state: WatchState;
  hit: Omit<BrakeHit, "lastActions"> | null;
  sign: SignDraft | null;
}

/**
 * `baseline`: outcome signatures or gate fingerprints of what failed before the run; those failures never count.
 * `exempt`: exact paths beside the built-in ones that may be written at will, such as the plan's.
 * Once hit, every later call returns the same hit: no later signal talks it over.
 */
export function watch(state: WatchState, action: Action, settings: BrakeSettings, baseline: readonly string[], exempt: readonly string[] = []): WatchResult {
  if (state.hit !== null) return { state, hit: state.hit, sign: null };
  const last = [...state.last, describeAction(action)].slice(-BOUNDS.lastActions);
  const step = fold({ ...state, last }, action, { settings, baseline, exempt });
  if (step.hit === null) return { state: step.state, hit: null, sign: step.sign };
  const hit: BrakeHit = { ...step.hit, summary: clip(step.hit.summary, 600), advice: clip(step.hit.advice, 600), lastActions: last };
  return { state: { ...step.state, hit }, hit, sign: null };
}

interface Rules {
  settings: BrakeSettings;
  baseline: readonly string[];
  exempt: readonly string[];
}

function fold(state: WatchState, action: Action, rules: Rules): Step {
  switch (action.kind) {
    case "command":
      return foldCommandAction(state, action, rules);
    case "write":
      return foldWriteAction(state, action, rules);
    case "tool": {
      // Looking and waiting neither repeat nor separate what does.
      if (isReadOnly(action.name, action.input)) return { state, hit: null, sign: null };
      const shown = boundedKey(actionSignature(action.name, action.input));
      return repeated(state, { key: shown, shown, reason: "gutter_command" }, rules);
    }
  }
}

function foldCommandAction(state: WatchState, action: Extract<Action, { kind: "command" }>, rules: Rules): Step {
  const { command, exitCode, output, failed } = action;
  const verdict = commandVerdict({ command, exitCode, output, agentSaysFailed: failed });
  const { commands, hit, sign } = foldCommand(state.commands, action, verdict, {
    gutter: rules.settings.gutterCommand,
    baseline: rules.baseline,
  });
  const next = { ...state, commands };
  if (hit !== null || sign !== null) return { state: { ...next, repeat: null }, hit, sign };
  if (isReadOnly("shell", command)) return { state: next, hit, sign };
  if (didFail(action, verdict)) return { state: { ...next, repeat: null }, hit, sign };
  // Another result of the same command is a change in the world, as polling looks for.
  const shown = boundedKey(commandSignature(command));
  return repeated(next, { key: `${shown} = ${outcomeSignature(output, exitCode)}`, shown, reason: "gutter_command" }, rules);
}

/** Also what does not count there, such as a missing program: a failure is `gutter_command`'s business or nobody's. */
function didFail(action: Extract<Action, { kind: "command" }>, verdict: CommandVerdict): boolean {
  return verdict === "failed" || (verdict === "unclear" && action.exitCode !== 0);
}

function foldWriteAction(state: WatchState, action: Extract<Action, { kind: "write" }>, rules: Rules): Step {
  if (isOwnOrGenerated(action.path, rules.exempt)) return { state: { ...state, repeat: null }, hit: null, sign: null };
  const unchanged = isUnchanged(state.writes, action);
  const { writes, hit } = foldWrite(state.writes, action, rules.settings.gutterThrash);
  const next = { ...state, writes };
  if (hit !== null || !unchanged) return { state: { ...next, repeat: null }, hit, sign: null };
  const shown = boundedKey(`write ${action.path} (content unchanged)`);
  return repeated(next, { key: shown, shown, reason: "gutter_thrash" }, rules);
}

function repeated(state: WatchState, action: Parameters<typeof foldRepeat>[1], rules: Rules): Step {
  const { repeat, hit } = foldRepeat(state.repeat, action, rules.settings.repeats);
  return { state: { ...state, repeat }, hit, sign: null };
}
