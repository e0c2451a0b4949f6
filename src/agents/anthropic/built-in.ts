/** Starts the built-in agent's process; shared by the real model and the replayed one. */
import type { AgentEvent } from "../../core/agent-event.js";
import type { AgentRequest, AgentRun } from "../../driver/ports.js";
import { shippedFile } from "../../shipped.js";
import { startProcess } from "../process/tree.js";
import { CONFIG_ENV, type ChildConfigInput } from "./config.js";
import { builtInTranslator, readEvent } from "./translate.js";

export interface BuiltInDeps {
  /** Where credentials are looked for; agents get their environment with each request. */
  env: NodeJS.ProcessEnv;
  context: { warnTokens: number; rotateTokens: number };
  killGraceMs: number;
  settleGraceMs: number;
  /** Settings of the process that no user setting reaches, such as waits. */
  child?: ChildConfigInput;
}

export function startBuiltIn(request: AgentRequest, config: ChildConfigInput, deps: BuiltInDeps): AgentRun {
  const whole: ChildConfigInput = {
    warnTokens: deps.context.warnTokens,
    rotateTokens: deps.context.rotateTokens,
    promptBreaks: [...(request.promptBreaks ?? [])],
    ...config,
    ...deps.child,
  };
  return startProcess({
    argv: [process.execPath, shippedFile("dist/agents/anthropic/child.js")],
    cwd: request.cwd,
    env: { ...request.env, [CONFIG_ENV]: JSON.stringify(whole) },
    stdin: request.prompt,
    streamPath: request.streamPath,
    token: request.token,
    wrap: request.wrap,
    keep: request.keep,
    translator: builtInTranslator(),
    killGraceMs: deps.killGraceMs,
    settleGraceMs: deps.settleGraceMs,
  });
}

/** What a recorded stream says; a torn last line becomes `unknown`. */
export function replayBuiltIn(raw: string): AgentEvent[] {
  return raw.split("\n").flatMap((line) => (line === "" ? [] : [readEvent(line)]));
}
