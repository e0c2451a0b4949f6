/** What a person is told before anything runs: what, by whom, within which limits, and what nobody can check. */
import type { Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import { count, duration, money } from "../report/format.js";
import type { Preflight } from "../run/preflight.js";

/** The login's tokens rotate: a second client on the same folder can log the first one out in the middle of the night. */
const SUBSCRIPTION_NOTES = [
  "note: dollars are estimates at list price; a subscription is billed otherwise",
  "note: other sessions on this login can end it; a folder of its own (CLAUDE_CONFIG_DIR, CODEX_HOME) keeps the night apart from them",
];

export function startText(ready: Preflight): string[] {
  const { settings, plan, agents, agentNotes } = ready;
  const lines = [...agentNotes, `plan: ${settings.plan ?? "none"}${settings.objective === null ? "" : `; objective: ${settings.objective}`}`];
  lines.push(`limits: ${limitText(ready)}`);
  lines.push(ready.sandbox.note);
  if (settings.keep.length > 0 && ready.sandbox.isolated)
    lines.push(`note: in the sandbox nothing outlives its agent, so keep can't hold (${settings.keep.join(", ")}); --sandbox off lets it`);
  lines.push(
    settings.gates.length === 0
      ? "gates: none; nothing independent can refuse the agent's claims, the result will be unverified"
      : `gates: ${settings.gates.map((gate) => gate.name).join(", ")}`,
  );
  const open = plan?.tasks.filter((task) => task.state === "open").length ?? 0;
  if (settings.limits.iterations !== null && open > settings.limits.iterations) {
    lines.push(`note: ${open} open tasks and ${settings.limits.iterations} iterations; raise --max-iterations to get through all of them`);
  }
  if (agentNotes.some((note) => /subscription/i.test(note))) lines.push(...SUBSCRIPTION_NOTES);
  return [...lines, ...[...agents].flatMap(([label, agent]) => reachNotes(label, agent, settings))];
}

/** Which limits can't hold with this agent, and what does instead. */
function reachNotes(label: string, { reach }: Agent, { limits }: Settings): string[] {
  const lines: string[] = [];
  if (limits.costMicroUsd !== null && !reach.reportsCost) {
    lines.push(
      `note: ${label} reports no cost, so --max-cost can't hold; iterations and time do${reach.reportsUsage && limits.tokens !== null ? ", and so do tokens" : ""}`,
    );
  }
  if (limits.tokens !== null && !reach.reportsUsage) {
    lines.push(`note: ${label} reports no tokens, so --max-tokens can't hold; iterations and time do`);
  }
  if (reach.streams && !reach.reportsCommands) {
    lines.push(`note: ${label} tells no exit codes, so the brake for failing commands goes by what test runners print`);
  }
  return lines;
}

function limitText({ settings }: Preflight): string {
  const { iterations, tokens, costMicroUsd, timeMs } = settings.limits;
  return [
    settings.once ? "one iteration" : iterations === null ? "unlimited iterations" : `${iterations} iterations`,
    ...(tokens === null ? [] : [`${count(tokens)} tokens`]),
    ...(costMicroUsd === null ? [] : [money(costMicroUsd)]),
    duration(timeMs),
  ].join(", ");
}
