/** The agent: installed, logged in, and with `--probe` one tiny real answer. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Settings } from "../../core/settings.js";
import { countedTokens, type Usage } from "../../core/usage.js";
import { count, duration, money, UNKNOWN } from "../../report/format.js";
import { oneLine } from "../../report/markdown-text.js";
import { askAgent } from "../../run/ask-agent.js";
import { createAgent } from "../../agents/registry.js";
import { agentsConfirmed, type ChosenAgent, type Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";

const PROBE_PROMPT = "This is a connection test. Do not use any tool and do not change anything. Answer with the single word: ready\n";
/** A cold start on a slow line; a model that needs longer for one word does not work. */
const PROBE_TIMEOUT_MS = 120_000;

export async function checkAgent(examined: Examined, chosen: ChosenAgent, probe: { ask: boolean; signal: AbortSignal }): Promise<Finding[]> {
  if (chosen.kind === "none")
    return [gap("machine.agent", chosen.message, "Install one of them and log in, or name a program of your own: `ralphd run -- ./my-agent.sh`.")];
  if (chosen.kind === "missing")
    return [gap("machine.agent", chosen.message, "`ralphd agents` lists what is installed; `agent:` in .ralph/config.yaml names another.")];
  if (chosen.kind === "notLoggedIn") return [gap("machine.login", chosen.message, "Log in as that says; `ralphd agents` lists what is logged in.")];
  if (chosen.kind === "unconfirmed") return [hint("machine.agent", chosen.message, "`ralphd run` shows it and asks once.")];
  const ready = ok("machine.agent", chosen.note);
  if (!probe.ask)
    return [ready, hint("machine.probe", "the login was not tried with a real call", "`ralphd doctor --probe` makes one, which costs a few tokens.")];
  if (!agentsConfirmed(examined)) {
    return [
      ready,
      hint(
        "machine.probe",
        "the agent was not asked: this repository's own files name its command, and nobody has confirmed that yet",
        "`ralphd run` shows it and asks once.",
      ),
    ];
  }
  return [ready, await ask(examined, chosen.agent.kind, probe.signal)];
}

/** In an empty folder, so that nothing of the repository can be changed by it. */
async function ask({ settings, repo, cwd, env }: Examined, kind: string, signal: AbortSignal): Promise<Finding> {
  const root = repo?.root ?? cwd;
  const folder = mkdtempSync(join(tmpdir(), "ralphd-probe-"));
  try {
    const here = {
      ...settings,
      agent: { ...settings.agent, kind: settings.agent.kind === "auto" ? kind : settings.agent.kind, argv: fromRoot(settings, root) },
    };
    const created = await createAgent(here, { cwd: root, env, confirmed: true });
    if ("error" in created) return gap("machine.probe", created.error, "`ralphd agents` lists what is installed.");
    const answer = await askAgent({
      agent: created.agent,
      settings: here,
      prompt: PROBE_PROMPT,
      cwd: folder,
      scratch: folder,
      env,
      timeoutMs: PROBE_TIMEOUT_MS,
      signal,
    });
    const after = `after ${duration(answer.durationMs)}, ${used(answer.usage)}`;
    if (answer.kind === "failed")
      return gap(
        "machine.probe",
        `${kind} gave no answer ${after}: ${oneLine(answer.why, 300)}`,
        "Start the agent by hand and look what it says; log in again where it asks for that.",
      );
    if ((answer.text ?? "").trim() === "")
      return gap("machine.probe", `${kind} ended without an error and without a word ${after}`, "Start the agent by hand and look what it says.");
    return ok("machine.probe", `${kind} answered ${JSON.stringify(oneLine(answer.text ?? "", 60))} ${after}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program of the repository is named from its root, and the probe starts elsewhere. */
function fromRoot({ agent }: Settings, root: string): string[] {
  const [program, ...rest] = agent.argv;
  if (program === undefined) return [];
  return [program.includes("/") && !isAbsolute(program) ? resolve(root, program) : program, ...rest];
}

function used(usage: Usage): string {
  const tokens = countedTokens(usage);
  return `${tokens === null ? `tokens ${UNKNOWN}` : `${count(tokens)} tokens`}, cost ${money(usage.costMicroUsd)}`;
}
