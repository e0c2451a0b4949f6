/** One question to a coding agent outside of any run: started once, heard to its end, its words and what it used returned. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { environmentOf } from "../agents/env.js";
import type { AgentEvent, AgentExit } from "../core/agent-event.js";
import type { Settings } from "../core/settings.js";
import { applyUsage, UNKNOWN_USAGE, type Usage } from "../core/usage.js";
import type { Agent, AgentRun, Wrap } from "../driver/ports.js";

export interface Question {
  agent: Agent;
  settings: Settings;
  prompt: string;
  /** Where the agent works; never the person's own working tree. */
  cwd: string;
  /** Gets the raw output; removed by the caller. */
  scratch: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal: AbortSignal;
  wrap?: Wrap | undefined;
}

/** `text` is the last thing it said; null when it said nothing, as agents do that only write files. */
export type Answer =
  | { kind: "answered"; text: string | null; usage: Usage; durationMs: number }
  | { kind: "failed"; why: string; usage: Usage; durationMs: number };

export async function askAgent(question: Question): Promise<Answer> {
  const started = performance.now();
  const { agent, settings, signal } = question;
  const token = `ask-${randomBytes(9).toString("base64url")}`;
  const run = agent.start({
    prompt: question.prompt,
    cwd: question.cwd,
    run: "ask",
    iteration: 0,
    token,
    streamPath: join(question.scratch, `${token}.jsonl`),
    env: environmentOf(settings.agent, { base: question.env, run: "ask", iteration: 0, token }),
    ...(question.wrap === undefined ? {} : { wrap: question.wrap }),
  });
  const stop = (): void => run.stop("human");
  const timer = setTimeout(() => run.stop("iteration_timeout"), question.timeoutMs);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    const heard = await listen(run);
    const exit = await run.exit;
    const why = failureOf(heard, exit);
    const rest = { usage: heard.usage, durationMs: Math.round(performance.now() - started) };
    return why === null ? { kind: "answered", text: heard.text, ...rest } : { kind: "failed", why, ...rest };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

interface Heard {
  text: string | null;
  /** What the agent itself calls its failure. */
  problem: string | null;
  /** It said that it is finished, and well. */
  finished: boolean;
  usage: Usage;
}

async function listen(run: AgentRun): Promise<Heard> {
  const heard: Heard = { text: null, problem: null, finished: false, usage: UNKNOWN_USAGE };
  for (let event = await run.next(); event !== null; event = await run.next()) hear(heard, event);
  return heard;
}

function hear(heard: Heard, event: AgentEvent): void {
  switch (event.type) {
    case "text":
      heard.text = event.text;
      return;
    case "finished":
      heard.finished = event.ok;
      if (event.ok) heard.text = event.text ?? heard.text;
      else heard.problem ??= event.text ?? "it said that it failed";
      return;
    case "limit":
      heard.problem ??= event.message;
      return;
    case "error":
      if (event.fatal) heard.problem = event.message;
      return;
    case "usage":
      heard.usage = applyUsage(heard.usage, event);
  }
}

/** A limit that the agent itself waited out is none: whoever finishes well has answered. */
function failureOf({ problem, finished }: Heard, exit: AgentExit): string | null {
  if (exit.kind === "cannotStart") return exit.message;
  if (exit.kind === "stopped" && exit.cause !== "settled") return exit.cause === "human" ? "it was interrupted" : "it did not answer in time";
  if (finished) return null;
  if (problem !== null) return problem;
  if (exit.kind === "signalled") return `it was killed by ${exit.signal}`;
  if (exit.kind === "exited" && exit.code !== 0) return `it ended with exit code ${exit.code}`;
  return null;
}
