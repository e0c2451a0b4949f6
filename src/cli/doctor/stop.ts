/** Does it stop? The limits and brakes in force, and which of them this agent lets hold. */
import { DEFAULT_SETTINGS } from "../../core/defaults.js";
import type { BrakeSettings } from "../../core/settings.js";
import type { Agent } from "../../driver/ports.js";
import { count, duration, money, plural } from "../../report/format.js";
import type { ChosenAgent, Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";

export function checkStop(examined: Examined, chosen: ChosenAgent): Finding[] {
  const { limits, brakes } = examined.settings;
  const agent = chosen.kind === "none" ? null : chosen.agent;
  return [
    iterations(examined),
    ok(
      "stop.time",
      `a run ends after ${duration(limits.timeMs)} of work, an iteration after ${duration(limits.iterationMs)}, a silent one after ${duration(limits.idleMs)}`,
    ),
    ...spending(examined, agent),
    stuck(brakes),
  ];
}

function iterations({ settings, tasks }: Examined): Finding {
  const { iterations: most } = settings.limits;
  if (most === null)
    return hint(
      "stop.iterations",
      "iterations are unlimited; the time limit alone ends a run that makes progress for ever",
      "Set limits.iterations to what a night may take.",
    );
  const open = tasks?.filter((task) => task.state === "open").length ?? 0;
  if (open > most)
    return hint(
      "stop.iterations",
      `${open} open tasks and ${plural(most, "iteration")}: the run ends before it has tried all of them`,
      `Set limits.iterations to more than ${open}, or run again.`,
    );
  return ok("stop.iterations", `a run ends after ${plural(most, "iteration")}`);
}

/** A limit that the agent's reports can't feed is one that people believe in and that does not hold. */
function spending({ settings }: Examined, agent: Agent | null): Finding[] {
  const { costMicroUsd, tokens } = settings.limits;
  const findings: Finding[] = [];
  if (costMicroUsd !== null) {
    findings.push(
      agent === null || agent.reach.reportsCost
        ? ok("stop.cost", `a run ends at ${money(costMicroUsd)}`)
        : gap(
            "stop.cost",
            `${agent.kind} reports no cost, so the limit of ${money(costMicroUsd)} can't hold`,
            agent.reach.reportsUsage
              ? "Set limits.tokens, which this agent reports."
              : "Lower limits.iterations and limits.time, or take an agent that reports cost (`ralphd agents`).",
          ),
    );
  }
  if (tokens !== null) {
    findings.push(
      agent === null || agent.reach.reportsUsage
        ? ok("stop.tokens", `a run ends at ${count(tokens)} tokens`)
        : gap(
            "stop.tokens",
            `${agent.kind} reports no tokens, so the limit of ${count(tokens)} can't hold`,
            "Lower limits.iterations and limits.time, or take an agent that reports tokens (`ralphd agents`).",
          ),
    );
  }
  if (costMicroUsd === null && tokens === null) {
    findings.push(
      hint(
        "stop.spend",
        "no limit on cost or tokens is set; iterations and time alone bound what a run spends",
        "Set limits.cost (dollars) or limits.tokens, or run with --max-cost or --max-tokens.",
      ),
    );
  }
  return findings;
}

function stuck(brakes: BrakeSettings): Finding {
  const { brakes: usual } = DEFAULT_SETTINGS;
  const numbers = ["repeats", "noProgress", "oscillation", "disagreement", "attempts"] as const;
  const looser = [
    ...numbers.filter((name) => brakes[name] > usual[name]).map((name) => `${name} ${brakes[name]} (${usual[name]})`),
    ...(brakes.gutterCommand.count > usual.gutterCommand.count ? [`gutterCommand ${brakes.gutterCommand.count} (${usual.gutterCommand.count})`] : []),
    ...(brakes.gutterThrash.count > usual.gutterThrash.count ? [`gutterThrash ${brakes.gutterThrash.count} (${usual.gutterThrash.count})`] : []),
  ];
  if (looser.length > 0)
    return hint(
      "stop.stuck",
      `brakes are looser than their defaults: ${looser.join(", ")}`,
      "Set them back unless the work needs it: each repeat is paid for.",
    );
  return ok(
    "stop.stuck",
    `a stuck run stops: the same failure ${brakes.gutterCommand.count} times, ${plural(brakes.noProgress, "iteration")} without progress, ${brakes.attempts} attempts on one task`,
  );
}
