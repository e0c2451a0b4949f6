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
  if (read.kind === "invalid") {
    emit({ type: "error", kind: "other", fatal: true, message: read.message });
    emit({ type: "finished", ok: false, text: null });
    return false;
  }
  const prompt = await text(process.stdin);
  const stop = stopOnSignals();
  const access = await openAccess(read.config);
  try {
    return await runAgent(prompt, access, stop);
  } finally {
    await access.close();
  }
}

interface Access {
  config: ChildConfig;
  client: Anthropic;
  close(): Promise<void>;
}

/** The real API, or a recording that a server inside this process plays through the same client. */
async function openAccess(config: ChildConfig): Promise<Access> {
  const common = { maxRetries: 0, logger: new Console(process.stderr) };
  if (config.replay === null) {
    return { config, client: new Anthropic(common), close: async () => undefined };
  }
  const { readRecording } = await import("../replay/recording.js");
  const { startReplayServer } = await import("../replay/server.js");
  const recording = readRecording(readFileSync(config.replay.recording, "utf8"));
  const server = await startReplayServer(recording, { iteration: config.replay.iteration });
  // Explicit values keep a key or profile in the environment out of it.
  const client = new Anthropic({ ...common, apiKey: "replay", baseURL: server.url });
  return { config: { ...config, model: recording.model }, client, close: server.close };
}

async function runAgent(prompt: string, access: Access, signal: AbortSignal): Promise<boolean> {
  const { config, client } = access;
  const root = realpathSync(process.cwd());
  return runLoop(prompt, {
    client,
    config,
    systemPrompt: readFileSync(config.systemPromptPath ?? shippedFile(SYSTEM_PROMPT), "utf8"),
    tools: TOOLSET,
    context: {
      root,
      env: commandEnv(process.env),
      output: outputLimiter(root, config.spillDir),
      signal,
      killGraceMs: config.killGraceMs,
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
  // Nobody reads the events any more: the driver is gone.
  process.stdout.on("error", () => controller.abort());
  return controller.signal;
}

function emit(event: AgentEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

// No process.exit: it would cut off output that is still on its way.
process.exitCode = (await main()) ? 0 : 1;
