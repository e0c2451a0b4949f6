/** The record of a run on disk: a new one, or the unfinished one that the same command continues. */
import * as v from "valibot";
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import { foldAll } from "../core/fold.js";
import { noList } from "../core/no-list.js";
import type { TemplateName } from "../core/prompt.js";
import { canContinue, type RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import type { Journal } from "../driver/ports.js";
import { openJournal } from "../journal/journal.js";
import type { Redactor } from "../journal/redact.js";
import { latestRun, type RunStore } from "../journal/run-store.js";
import { Refusal } from "./refusal.js";

/** What a run was started with; a continued run uses this, not what the files say now. */
export interface Frozen {
  settings: Settings;
  templates: Record<TemplateName, string>;
  tokenSeed: string;
  /** Paths that were dirty at the start and are never touched. */
  startDirty: string[];
}

const FROZEN_FILE = "pinned/run.json";
const frozenSchema = v.object({
  settings: noList(v.object({})),
  templates: noList(v.record(v.string(), v.string())),
  tokenSeed: v.string(),
  startDirty: v.array(v.string()),
});

export function writeFrozen(store: RunStore, frozen: Frozen): void {
  // An agent may read this file; hidden gates and the addresses of people stay where they are.
  const shown = { ...frozen, settings: { ...frozen.settings, hiddenGates: [], notify: [], heartbeat: DEFAULT_SETTINGS.heartbeat } };
  store.files.write(FROZEN_FILE, `${JSON.stringify(shown, null, 2)}\n`);
}

/** `hiddenGates`: as the user's own file has them now, since they are not frozen on disk. */
export function readFrozen(store: RunStore, hiddenGates: Settings["hiddenGates"] = []): Frozen {
  const content = store.files.read(FROZEN_FILE);
  const value: unknown = content === null ? null : JSON.parse(content);
  if (!v.is(frozenSchema, value))
    throw new Refusal(`The record of run ${store.run} lacks its frozen configuration (${store.dir}/${FROZEN_FILE}). Move that folder away to begin a new run.`);
  // Written by writeFrozen from typed values, in a folder that only the driver writes.
  const frozen = value as Frozen;
  return { ...frozen, settings: { ...withDefaults(frozen.settings), hiddenGates } };
}

/** A run that an older version began lacks the settings that came later. */
function withDefaults(settings: Settings): Settings {
  const name = settings.agent.name ?? settings.agent.kind;
  // A run goes on under the limits that it began with.
  const context = { ...settings.context, sharePercent: settings.context.sharePercent ?? null, windows: settings.context.windows ?? {} };
  return {
    ...DEFAULT_SETTINGS,
    ...settings,
    context,
    agent: { ...DEFAULT_SETTINGS.agent, ...settings.agent, name },
    limits: { ...DEFAULT_SETTINGS.limits, ...settings.limits },
  };
}

export interface OpenedRecord {
  store: RunStore;
  journal: Journal & { close(): void };
  state: RunState;
  repaired: boolean;
}

/** The newest run when it can be continued: see `canContinue`. */
export function openUnfinished(truthDir: string, redact: Redactor, wanted: Settings): OpenedRecord | null {
  const store = latestRun(truthDir);
  if (store === null) return null;
  const opened = openJournal(store.journalPath, store.run, { redact });
  if ("problem" in opened) {
    const { line, message } = opened.problem;
    throw new Refusal(
      `The journal of run ${store.run} is damaged in line ${line}: ${message}\n` +
        `It is ${store.journalPath}. Its commits are safe on the run branch. Move the folder ${store.dir} away to begin a new run.`,
    );
  }
  const state = foldAll(opened.events);
  // Another plan or objective is another run; the unfinished one keeps its branch and its record.
  const other = state?.started.plan !== wanted.plan || (wanted.objective !== null && state?.started.objective !== wanted.objective);
  if (state === null || !canContinue(state) || other) {
    opened.journal.close();
    return null;
  }
  return { store, journal: opened.journal, state, repaired: opened.repaired };
}
