/** Entry of the built-in agent's process: config from the environment, prompt on stdin, one AgentEvent a line on stdout. */
import { Console } from "node:console";
import { readFileSync, realpathSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import type { AgentEvent } from "../../core/agent-event.js";
import { shippedFile } from "../../shipped.js";
import { CONFIG_ENV, type ChildConfig, readConfig } from "./config.js";
import { runLoop } from "./loop.js";
import { commandEnv } from "./tools/command-env.js";
import { outputLimiter } from "./tools/output.js";
import { TOOLSET } from "./tools/toolset.js";

const SYSTEM_PROMPT = "prompts/agent-system.md";

async function main(): Promise<boolean> {
  const read = readConfig(process.env[CONFIG_ENV]);
  if (read.kind === "invalid") return refuse(read.message);
  const prompt = await text(process.stdin);
  const stop = stopOnSignals();
  const access = await openAccess(read.config);
  if (access.kind === "refused") return refuse(access.message);
  try {
    return await runAgent(prompt, access, stop);
  } finally {
    await access.close();
  }
}

function refuse(message: string): false {
  emit({ type: "error", kind: "other", fatal: true, message });
  emit({ type: "finished", ok: false, text: null });
  return false;
}

interface Access {
  kind: "open";
  config: ChildConfig;
  client: Anthropic;
  close(): Promise<void>;
}

type Refused = { kind: "refused"; message: string };

const CLIENT_OPTIONS = { maxRetries: 0, logger: new Console(process.stderr) };

async function openAccess(config: ChildConfig): Promise<Access | Refused> {
  if (config.replay !== null) return openReplay(config, config.replay);
  return { kind: "open", config, client: new Anthropic(CLIENT_OPTIONS), close: async () => undefined };
}

/** A recording that a server inside this process plays through the same client. */
async function openReplay(config: ChildConfig, replay: NonNullable<ChildConfig["replay"]>): Promise<Access | Refused> {
  const { readRecordingFile } = await import("../replay/recording.js");
  const { startReplayServer } = await import("../replay/server.js");
  const read = readRecordingFile(replay.recording);
  if (read.kind === "unreadable") return { kind: "refused", message: read.message };
  const server = await startReplayServer(read.recording, { iteration: replay.iteration });
  // Explicit values, so that no key, profile or address of the environment takes part.
  const client = new Anthropic({ ...CLIENT_OPTIONS, apiKey: "replay", baseURL: server.url });
  return { kind: "open", config: { ...config, model: read.recording.model }, client, close: server.close };
}

async function runAgent(prompt: string, access: Access, signal: AbortSignal): Promise<boolean> {
  const { config, client } = access;
  const root = realpathSync(process.cwd());
  return runLoop(prompt, {
    client,
    config,
    systemPrompt: readFileSync(config.systemPromptPath ?? shippedFile(SYSTEM_PROMPT), "utf8"),
    tools: config.tools === "none" ? [] : TOOLSET,
    context: {
      root,
      env: commandEnv(process.env),
      output: outputLimiter(root, config.spillDir),
      signal,
      killGraceMs: config.killGraceMs,
      searchMs: config.searchMs,
    },
    signal,
    emit,
    log: (line) => process.stderr.write(`${line.replaceAll("\n", " ")}\n`),
    // An abort ends the wait early; the next request then ends at once.
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    random: Math.random,
    nowMs: Date.now,
  });
}

/** Commands run in groups of their own, so this process must end them when it is told to end itself. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => controller.abort());
  // Nobody reads any more: the driver is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => controller.abort());
  return controller.signal;
}

function emit(event: AgentEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

// No process.exit: it would cut off output that is still on its way.
process.exitCode = (await main()) ? 0 : 1;
