/** A coding agent that is a command-line program: found, checked and started the same way for every product. */
import { randomUUID } from "node:crypto";
import type { Settings } from "../../core/settings.js";
import type { Agent, AgentCheck, AgentReach } from "../../driver/ports.js";
import type { AgentContext } from "../context.js";
import { findExecutable } from "../executable.js";
import { replayStream } from "../process/replay-stream.js";
import { type Translator, runCommand, startProcess, sweep } from "../process/tree.js";
import type { Login } from "./login.js";
import type { TranslatorContext } from "./translator-context.js";

/** What sets one product apart from the others; a file of this folder's parent each. */
export interface CliProduct {
  kind: string;
  /** Looked for on PATH unless `RALPHD_<KIND>_PATH` or the settings name another. */
  program: string;
  /** How a person gets it. */
  install: string;
  reach: AgentReach;
  /** What follows the program for an unattended run; the prompt comes on stdin. */
  argv(settings: Settings): string[];
  /** How a message on stdin is written, where the CLI takes more than one; null for plain text. */
  message?(settings: Settings): ((text: string) => string) | null;
  /** What in the user's own arguments would make an unattended run stop and ask; null for fine. */
  refuses?(args: readonly string[]): string | null;
  /** Set unless the user did. */
  environment(settings: Settings): Record<string, string>;
  login(context: AgentContext, settings: Settings): Login;
  /** What a person does to log in. */
  loginHint: string;
  translator(context: TranslatorContext): Translator;
}

/** An argument that is left out when there is nothing to say. */
export function option(flag: string, value: string | null): string[] {
  return value === null ? [] : [flag, value];
}

const VERSION_TIMEOUT_MS = 20_000;

const UNCONFIRMED = "was not started to look: nobody has confirmed yet what this repository's own files run as an agent";

export function cliAgent(product: CliProduct, settings: Settings, context: AgentContext): Agent {
  const [program, ...before] = settings.agent.argv;
  const file = program ?? context.env[pathVariable(product.kind)] ?? product.program;
  const translator = (cwd: string): Translator =>
    product.translator({
      roots: [cwd],
      nowMs: Date.now,
      localZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      prices: settings.agent.prices,
    });
  return {
    kind: product.kind,
    reach: product.reach,
    check: () => check(product, { file, before, settings, context }),
    start: (request) =>
      startProcess({
        argv: [file, ...before, ...product.argv(settings)],
        cwd: request.cwd,
        env: { ...product.environment(settings), ...request.env },
        stdin: request.prompt,
        message: product.message?.(settings) ?? undefined,
        streamPath: request.streamPath,
        token: request.token,
        wrap: request.wrap,
        keep: request.keep,
        translator: translator(request.cwd),
        killGraceMs: settings.killGraceMs,
        settleGraceMs: settings.settleGraceMs,
      }),
    replayStream: (raw) => replayStream(translator(context.cwd), raw),
    reap: sweep,
  };
}

function pathVariable(kind: string): string {
  return `RALPHD_${kind.toUpperCase()}_PATH`;
}

interface Checked {
  file: string;
  before: string[];
  settings: Settings;
  context: AgentContext;
}

async function check(product: CliProduct, { file, before, settings, context }: Checked): Promise<AgentCheck> {
  const [program] = settings.agent.argv;
  const { kind } = product;
  const found = findExecutable(file, { cwd: context.cwd, path: context.env["PATH"] });
  if (found.kind === "missing") {
    return { kind: "missing", message: `${kind}: ${found.message}; install it with \`${product.install}\`, or set ${pathVariable(kind)}` };
  }
  const refused = product.refuses?.(settings.agent.args) ?? null;
  if (refused !== null) return { kind: "missing", message: `${kind}: ${refused}` };
  // Even asking for a version runs it. What stands on PATH the person put there; what the settings name, a repository may have.
  if (program !== undefined && !context.confirmed) return { kind: "unconfirmed", message: `${kind}: ${[program, ...before].join(" ")} ${UNCONFIRMED}` };
  const version = await versionOf(kind, [found.path, ...before], { ...product.environment(settings), ...context.env }, context.cwd);
  if ("problem" in version) return { kind: "missing", message: version.problem };
  const login = product.login(context, settings);
  if (login.kind === "none") return { kind: "notLoggedIn", message: `${kind} is not logged in: ${product.loginHint}` };
  return { kind: "ready", version: version.text, billing: login.billing };
}

async function versionOf(kind: string, argv: string[], env: NodeJS.ProcessEnv, cwd: string): Promise<{ text: string } | { problem: string }> {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { exit, output } = await runCommand({
    argv: [...argv, "--version"],
    cwd,
    env: Object.fromEntries(defined),
    timeoutMs: VERSION_TIMEOUT_MS,
    outputPath: null,
    signal: new AbortController().signal,
    token: randomUUID(),
    killGraceMs: 1_000,
  });
  if (exit.kind === "exited" && exit.code === 0) return { text: /\d+\.\d+\.\d+[\w.+-]*/.exec(output)?.[0].replace(/\.$/, "") ?? output.trim() };
  const how = exit.kind === "cannotStart" ? exit.message : `${argv.join(" ")} --version: ${exit.kind} ${output.trim().slice(-300)}`;
  return { problem: `${kind} does not run: ${how}` };
}
