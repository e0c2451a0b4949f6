/** Gives each command what it needs: the repository around, the terminal, the environment. */
import { join } from "node:path";
import { TRUTH_DIR } from "../core/paths.js";
import { Refusal } from "../run/refusal.js";
import { plainPlace } from "../workspace/plain-place.js";
import type { RunStore } from "../journal/run-store.js";
import type { GatesFlags } from "./program-checks.js";
import type { GuardrailsRequest } from "./guardrails/guardrails.js";
import { complain, print, wantsColour } from "./terminal.js";

const terminal = { out: print, err: complain };

export async function status(options: { json?: boolean; all?: boolean }): Promise<number> {
  if (options.all === true)
    return (await import("./status-all.js")).runStatusAll({ env: process.env, nowMs: Date.now(), json: options.json === true, ...terminal });
  const { runStatus } = await import("./status.js");
  return runStatus({ ...(await place()), json: options.json === true, ...terminal });
}

export async function logs(options: { follow?: boolean; errors?: boolean; iteration?: string; tool?: string; json?: boolean }): Promise<number> {
  const { runLogs } = await import("./logs.js");
  const iteration = options.iteration === undefined ? null : Number(options.iteration);
  if (iteration !== null && !(Number.isInteger(iteration) && iteration > 0)) throw new Refusal(`--iteration wants a number from 1, not ${options.iteration}.`);
  const { root, truthDir } = await place();
  return runLogs({
    truthDir,
    calls: options.tool === undefined ? undefined : { tool: options.tool, read: await actionsReader({ root, truthDir, env: process.env }) },
    iteration,
    follow: options.follow === true,
    errors: options.errors === true,
    json: options.json === true,
    colours: wantsColour(process.stdout, process.env),
    ...terminal,
  });
}

async function actionsReader(where: { root: string; truthDir: string; env: NodeJS.ProcessEnv }) {
  const [{ recordedActions }, { createRedactor, redactValue }] = await Promise.all([import("./recorded-actions.js"), import("../journal/redact.js")]);
  const redact = createRedactor(where.env);
  return async (store: RunStore, iteration: number, agent: string) => redactValue(await recordedActions({ ...where, store }, iteration, agent), redact);
}

export async function attach(): Promise<number> {
  const { runAttach } = await import("./attach.js");
  const leave = new AbortController();
  const go = (): void => leave.abort();
  process.on("SIGINT", go).on("SIGTERM", go).on("SIGHUP", go);
  return runAttach({ ...(await place()), env: process.env, signal: leave.signal, ...terminal });
}

export async function report(options: { format?: string; run?: string; open?: boolean }): Promise<number> {
  const [{ runReport }, { REPORT_FORMATS }, { openFile }] = await Promise.all([import("./report.js"), import("../report/render.js"), import("./open-file.js")]);
  const format = REPORT_FORMATS.find((name) => name === (options.format ?? "md"));
  if (format === undefined) throw new Refusal(`--format wants ${REPORT_FORMATS.join(", ")}, not ${options.format}.`);
  return runReport({ ...(await place()), env: process.env, format, run: options.run ?? null, open: options.open === true ? openFile : null, ...terminal });
}

export async function config(plan: string | null, options: { json?: boolean }): Promise<number> {
  const [{ runConfig }, { findSubject }] = await Promise.all([import("./config.js"), import("../run/find-plan.js")]);
  const { root } = await place();
  const subject = await findSubject({ argument: plan, root, cwd: process.cwd(), stdin: null }).catch((error: unknown) => {
    // Without a plan the other sources still have an answer.
    if (error instanceof Refusal && plan === null) return { plan: null, objective: null };
    throw error;
  });
  return runConfig({ cwd: process.cwd(), plan: subject.plan, env: process.env, json: options.json === true, ...terminal });
}

export async function agents(options: { json?: boolean }): Promise<number> {
  const [{ runAgents }, { loadConfig }, { findRoot }, { DEFAULT_SETTINGS }, { agentCommands }, { isConfirmed }] = await Promise.all([
    import("./agents.js"),
    import("../config/sources.js"),
    import("../workspace/root.js"),
    import("../core/defaults.js"),
    import("../config/repository-commands.js"),
    import("../config/trust.js"),
  ]);
  const root = await findRoot(process.cwd());
  // Outside a repository, or with a broken configuration, the question still has an answer.
  const reading = root === null ? null : loadConfig({ root, plan: null, objective: null, flags: {}, env: process.env });
  const settings = reading?.kind === "settings" ? reading.settings : DEFAULT_SETTINGS;
  const named = reading?.kind === "settings" ? reading.repositoryCommands : [];
  // `ralphd run` asks about all commands at once, `ralphd plan` about the agent's alone.
  const confirmed = root === null || [named, agentCommands(named)].some((commands) => isConfirmed(root, commands));
  return runAgents({ cwd: root ?? process.cwd(), env: process.env, settings, confirmed, json: options.json === true, ...terminal });
}

export async function stop(options: { now?: boolean; json?: boolean }): Promise<number> {
  const { runStop } = await import("./stop.js");
  return runStop({ ...(await place()), now: options.now === true, json: options.json === true, env: process.env, ...terminal });
}

/** The working tree around the current folder. */
export async function gates(kind: "list" | "run" | "test", name: string | undefined, options: GatesFlags): Promise<number> {
  const { runGatesCommand } = await import("./gates/gates.js");
  const { plan = null, json = false, trust = false } = options;
  return runGatesCommand({ kind, name: name ?? null, plan, json, trust, cwd: process.cwd(), env: process.env, ...terminal });
}

export async function guardrails(request: GuardrailsRequest): Promise<number> {
  const { runGuardrails } = await import("./guardrails/guardrails.js");
  return runGuardrails({ ...(await place()), env: process.env, ...terminal }, request);
}

export async function place(): Promise<{ root: string; truthDir: string }> {
  const plain = plainPlace(process.cwd(), process.env);
  const { root, gitDir } = plain ?? (await (await import("../run/require-repo.js")).requireRepo(process.cwd()));
  return { root, truthDir: join(gitDir, TRUTH_DIR) };
}
