/** Builds the settings from validated sources and checks what only shows across sources. */
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import { isDeterministic } from "../core/gate.js";
import type { BrakeSettings, Limits, Settings } from "../core/settings.js";
import { readAgents } from "./agent-settings.js";
import { branchConflicts, readBranch } from "./branch-settings.js";
import { collectGates } from "./gates.js";
import { readNotify } from "./notify-settings.js";
import { originIn, Precedence, type Source } from "./precedence.js";
import { type ConfigProblem, problemAt } from "./raw-layer.js";
import { type RepositoryCommand, repositoryCommands } from "./repository-commands.js";

const D = DEFAULT_SETTINGS;

export interface Sources {
  /** From the highest to the lowest. */
  sources: readonly Source[];
  impliedGates: readonly { name: string; run: string }[];
  plan: string | null;
  objective: string | null;
}

export type Resolution =
  | { kind: "settings"; settings: Settings; origins: Record<string, string>; warnings: string[]; repositoryCommands: RepositoryCommand[] }
  | { kind: "invalid"; problems: ConfigProblem[] };

export function resolveSources(input: Sources): Resolution {
  const from = new Precedence(input.sources);
  const agents = readAgents(from);
  const baseline = from.pick("baseline", "require");
  from.pick("preset", null);
  const gates = collectGates({ sources: input.sources, implied: input.impliedGates, planPath: input.plan, baseline });
  const notify = readNotify(from);
  const settings: Settings = {
    plan: input.plan,
    objective: input.objective,
    agent: agents.agent,
    fallback: agents.fallback,
    agents: agents.agents,
    limits: readLimits(from),
    brakes: readBrakes(from),
    context: readContext(from),
    gates: gates.gates,
    hiddenGates: gates.hidden,
    ...readRest(from),
    ...readBranch(from),
    ...notify.settings,
  };
  for (const [name, origin] of gates.origins) from.origins.set(`gates.${name}`, origin);
  const problems = [...branchConflicts(input.sources), ...gates.problems, ...notify.problems, ...crossChecks(from, settings)];
  problems.push(...agents.problems.map(({ source, path, message }) => problemAt(source?.layer.spot(path) ?? null, message)));
  if (problems.length > 0) return { kind: "invalid", problems };
  return {
    kind: "settings",
    settings,
    origins: Object.fromEntries([...from.origins].map(([key, origin]) => [key, origin.text])),
    warnings: [...agents.warnings, ...timeWarnings(from, settings)],
    repositoryCommands: repositoryCommands(settings, from.origins),
  };
}

function readLimits(from: Precedence): Limits {
  return {
    iterations: from.pick("limits.iterations", D.limits.iterations),
    tokens: from.pick("limits.tokens", D.limits.tokens),
    costMicroUsd: from.pick("limits.cost", D.limits.costMicroUsd),
    timeMs: from.pick("limits.time", D.limits.timeMs),
    iterationMs: from.pick("limits.iteration", D.limits.iterationMs),
    idleMs: from.pick("limits.idle", D.limits.idleMs),
    firstOutputMs: from.pick("limits.firstOutput", D.limits.firstOutputMs),
    limitWaitMs: from.pick("limits.limitWait", D.limits.limitWaitMs),
    fallbackAfterMs: from.pick("limits.fallbackAfter", D.limits.fallbackAfterMs),
    resetSlackMs: from.pick("limits.resetSlack", D.limits.resetSlackMs),
  };
}

function readBrakes(from: Precedence): BrakeSettings {
  const { gutterCommand, gutterThrash } = D.brakes;
  return {
    onStuck: from.pick("brakes.onStuck", D.brakes.onStuck),
    gutterCommand: {
      count: from.pick("brakes.gutterCommand.count", gutterCommand.count),
      match: from.pick("brakes.gutterCommand.match", gutterCommand.match),
    },
    gutterThrash: {
      count: from.pick("brakes.gutterThrash.count", gutterThrash.count),
      windowMs: from.pick("brakes.gutterThrash.window", gutterThrash.windowMs),
      match: from.pick("brakes.gutterThrash.match", gutterThrash.match),
    },
    repeats: from.pick("brakes.repeats", D.brakes.repeats),
    noProgress: from.pick("brakes.noProgress", D.brakes.noProgress),
    oscillation: from.pick("brakes.oscillation", D.brakes.oscillation),
    disagreement: from.pick("brakes.disagreement", D.brakes.disagreement),
    attempts: from.pick("brakes.attempts", D.brakes.attempts),
    stepBack: from.pick("brakes.stepBack", D.brakes.stepBack),
  };
}

/** Who lowers only the rotation gets the warning in the same proportion, instead of one that never comes. */
function readContext(from: Precedence): Settings["context"] {
  const rotateTokens = from.pick("context.rotate", D.context.rotateTokens);
  const warn = from.pick("context.warn", null);
  // Who names the number means it, whatever the window.
  const own = from.origins.get("context.rotate")?.source !== "default";
  const sharePercent = from.pick("context.share", own ? null : D.context.sharePercent);
  const windows = from.pick("context.windows", D.context.windows);
  const rest = { rotateTokens, sharePercent, windows };
  if (warn !== null) return { warnTokens: warn, ...rest };
  if (rotateTokens === D.context.rotateTokens) return { warnTokens: D.context.warnTokens, ...rest };
  from.derive("context.warn", "from context.rotate");
  return { warnTokens: Math.floor((rotateTokens * D.context.warnTokens) / D.context.rotateTokens), ...rest };
}

function readRest(from: Precedence) {
  return {
    setup: from.pick("setup", D.setup),
    requireGate: from.pick("requireGate", D.requireGate),
    protect: from.pick("protect", D.protect),
    freeze: readFreeze(from),
    allowDirty: from.pick("allowDirty", D.allowDirty),
    sandbox: from.pick("sandbox.mode", D.sandbox),
    network: {
      access: from.pick("sandbox.network", D.network.access),
      hosts: from.pick("sandbox.hosts", D.network.hosts),
    },
    signCommits: from.pick("signCommits", D.signCommits),
    marker: from.pick("marker", D.marker),
    taskSections: from.pick("taskSections", D.taskSections),
    progressBytes: from.pick("progressBytes", D.progressBytes),
    maxFileBytes: from.pick("maxFileBytes", D.maxFileBytes),
    retention: {
      days: from.pick("retention.days", D.retention.days),
      megabytes: from.pick("retention.megabytes", D.retention.megabytes),
    },
    backoff: {
      firstMs: from.pick("backoff.first", D.backoff.firstMs),
      maxMs: from.pick("backoff.max", D.backoff.maxMs),
    },
    settleGraceMs: from.pick("settleGrace", D.settleGraceMs),
    keep: from.pick("keep", D.keep),
    killGraceMs: from.pick("killGrace", D.killGraceMs),
    once: from.pick("once", D.once),
    audit: {
      low: from.pick("audit.low", D.audit.low),
      medium: from.pick("audit.medium", D.audit.medium),
      high: from.pick("audit.high", D.audit.high),
    },
  };
}

/** Frozen globs add up: no source can thaw what another froze. */
function readFreeze(from: Precedence): string[] {
  const holders = from.sources.filter((source) => source.layer.values.freeze !== undefined);
  if (holders.length === 0) return from.pick("freeze", D.freeze);
  from.derive("freeze", holders.map((source) => originIn(source, "freeze").text).join(", "));
  return [...new Set(holders.flatMap((source) => source.layer.values.freeze ?? []))];
}

function crossChecks(from: Precedence, settings: Settings): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const { warnTokens, rotateTokens } = settings.context;
  if (warnTokens >= rotateTokens) {
    problems.push(problemFor(from, "context.warn", `context.warn (${warnTokens}) must be below context.rotate (${rotateTokens}): set both`));
  }
  if (settings.backoff.firstMs > settings.backoff.maxMs) {
    problems.push(problemFor(from, "backoff.first", "backoff.first must not be longer than backoff.max"));
  }
  const judged = settings.gates.some((gate) => gate.required && gate.scope === "plan" && isDeterministic(gate));
  if (settings.level === 3 && !judged) {
    problems.push(
      problemFor(from, "level", "level 3 runs unattended and needs a required, deterministic gate that can say no: add one under `gates:` or with --gate"),
    );
  }
  return problems;
}

/** The wall clock wins; who set the other by hand should know that it can't be reached. */
function timeWarnings(from: Precedence, settings: Settings): string[] {
  const set = from.origins.get("limits.iteration");
  const { iterationMs, timeMs } = settings.limits;
  if (set === undefined || set.source === "default" || iterationMs <= timeMs) return [];
  return [`limits.iteration of ${set.text} is longer than limits.time, which ends the run first`];
}

function problemFor(from: Precedence, key: string, message: string): ConfigProblem {
  const origin = from.origins.get(key);
  const source = from.sources.find((candidate) => candidate.name === origin?.source);
  return problemAt(source?.layer.spot(key.split(".")) ?? null, message);
}
