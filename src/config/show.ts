/** Settings as people write them: one line a key, in the spelling and units of the config file. */
import { agentLabel } from "../core/agent-list.js";
import { type GateSpec, gateText } from "../core/gate.js";
import type { AgentSettings, Settings } from "../core/settings.js";
import { HOOK_NAMES } from "../core/notice.js";
import { hostOf, plainNotify } from "./notify-settings.js";
import { UNLIMITED } from "./values.js";

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** The largest unit that divides it: `12h`, `90s`, `250ms`. */
export function plainDuration(ms: number): string {
  const unit = ms === 0 ? UNITS[3] : UNITS.find(([, size]) => ms % size === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}

function plainGate(gate: GateSpec): string {
  const notes = [
    gate.required ? [] : ["not required"],
    gate.scope === "tasks" ? ["for tasks that name it"] : [],
    gate.when === "iteration" ? ["every iteration"] : [],
    gate.baseline === "allow" ? ["baseline: allow"] : [],
    [`timeout ${plainDuration(gate.timeoutMs)}`, `retries ${gate.retries}`],
  ].flat();
  return `${gateText(gate)} (${notes.join(", ")})`;
}

/** Keys as in the origins of a reading; a value that is not set is `none`. */
export function plainSettings(settings: Settings): Map<string, string> {
  const { agent, limits, brakes } = settings;
  const entries: [string, unknown][] = [
    ["agent.kind", agent.kind],
    ["agent.argv", agent.argv],
    ["agent.args", agent.args],
    ["agent.output", agent.output],
    ["agent.model", agent.model],
    ["agent.effort", agent.effort],
    ["agent.env", agent.env],
    ["agent.envPass", agent.envPass],
    ["agent.envDeny", agent.envDeny],
    ["agent.envSet", Object.keys(agent.envSet)],
    ["agent.prices", Object.keys(agent.prices)],
    ["fallback", settings.fallback.map(agentLabel)],
    ...settings.agents.map((defined): [string, unknown] => [`agents.${defined.name}`, plainAgent(defined)]),
    ["limits.iterations", limits.iterations ?? UNLIMITED],
    ["limits.tokens", limits.tokens ?? UNLIMITED],
    ["limits.cost", limits.costMicroUsd === null ? UNLIMITED : `$${limits.costMicroUsd / 1_000_000}`],
    ["limits.time", plainDuration(limits.timeMs)],
    ["limits.iteration", plainDuration(limits.iterationMs)],
    ["limits.idle", plainDuration(limits.idleMs)],
    ["limits.firstOutput", plainDuration(limits.firstOutputMs)],
    ["limits.limitWait", plainDuration(limits.limitWaitMs)],
    ["limits.fallbackAfter", plainDuration(limits.fallbackAfterMs)],
    ["limits.resetSlack", plainDuration(limits.resetSlackMs)],
    ["brakes.onStuck", brakes.onStuck],
    ["brakes.gutterCommand.count", brakes.gutterCommand.count],
    ["brakes.gutterCommand.match", brakes.gutterCommand.match],
    ["brakes.gutterThrash.count", brakes.gutterThrash.count],
    ["brakes.gutterThrash.window", plainDuration(brakes.gutterThrash.windowMs)],
    ["brakes.gutterThrash.match", brakes.gutterThrash.match],
    ["brakes.repeats", brakes.repeats],
    ["brakes.noProgress", brakes.noProgress],
    ["brakes.oscillation", brakes.oscillation],
    ["brakes.disagreement", brakes.disagreement],
    ["brakes.attempts", brakes.attempts],
    ["brakes.stepBack", brakes.stepBack],
    ...restOf(settings),
    ...settings.gates.map((gate): [string, unknown] => [`gates.${gate.name}`, plainGate(gate)]),
  ];
  return new Map(entries.map(([key, value]) => [key, plain(value)]));
}

/** Variables by name only: their values may be secrets. */
function plainAgent({ kind, argv, args, model, effort, envSet }: AgentSettings): string {
  const parts = [kind, ...[argv, args].map((words) => words.join(" ")), model ?? "", effort ?? "", Object.keys(envSet).join(" ")];
  return parts.filter((part) => part !== "").join(", ");
}

function restOf(settings: Settings): [string, unknown][] {
  return [
    ["context.warn", settings.context.warnTokens],
    ["context.rotate", settings.context.rotateTokens],
    ["context.share", settings.context.sharePercent],
    ["context.windows", Object.entries(settings.context.windows).map(([model, tokens]) => `${model}: ${tokens}`)],
    ["backoff.first", plainDuration(settings.backoff.firstMs)],
    ["backoff.max", plainDuration(settings.backoff.maxMs)],
    ["setup", settings.setup],
    ["requireGate", settings.requireGate],
    ["protect", settings.protect],
    ["freeze", settings.freeze],
    ["level", settings.level],
    ["branch", settings.branch],
    ["currentBranch", settings.branchMode === "current"],
    ["worktree", settings.worktree],
    ["allowDirty", settings.allowDirty],
    ["sandbox.mode", settings.sandbox],
    ["sandbox.network", settings.network.access],
    ["sandbox.hosts", settings.network.hosts],
    ["signCommits", settings.signCommits],
    ["marker", settings.marker],
    ["taskSections", settings.taskSections],
    ["progressBytes", settings.progressBytes],
    ["maxFileBytes", settings.maxFileBytes],
    ["retention.days", settings.retention.days],
    ["retention.megabytes", settings.retention.megabytes],
    ["settleGrace", plainDuration(settings.settleGraceMs)],
    ["keep", settings.keep],
    ["killGrace", plainDuration(settings.killGraceMs)],
    ["once", settings.once],
    ["audit.low", settings.audit.low],
    ["audit.medium", settings.audit.medium],
    ["audit.high", settings.audit.high],
    ["notifyWait", plainDuration(settings.notifyWaitMs)],
    ...settings.notify.map((spec, index): [string, unknown] => [`notify.${index}`, plainNotify(spec)]),
    ["heartbeat.url", settings.heartbeat.url === null ? null : hostOf(settings.heartbeat.url)],
    ["heartbeat.every", plainDuration(settings.heartbeat.everyMs)],
    ...HOOK_NAMES.map((name): [string, unknown] => [`hooks.${name}`, settings.hooks[name]?.argv.join(" ") ?? null]),
  ];
}

function plain(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "none";
  return Array.isArray(value) ? value.map((item) => (/[\s,]/.test(String(item)) ? JSON.stringify(item) : String(item))).join(", ") : String(value);
}
