/** One conversation with the model: ask, run its tools, repeat until it ends its turn. Used for the agent itself and for its explorers. */
import type Anthropic from "@anthropic-ai/sdk";
import type { AgentEvent } from "../../core/agent-event.js";
import { react } from "./answer.js";
import type { ChildConfig } from "./config.js";
import { fatalEvent, retryEvent } from "./failure.js";
import { assistantText, buildRequest, firstMessage, type History, type RequestFrame } from "./request.js";
import { type Attempt, withRetry } from "./retry.js";
import type { Tool, ToolContext } from "./tools/tool.js";
import { streamTurn } from "./turn.js";
import { usageEvent } from "./usage.js";

/** What differs between the agent and an explorer when there is no more room. */
export interface Closing {
  /** Asks for the last answer. */
  note(why: string): string;
  /** Takes the last answer, null when none came; returns the last words. */
  take(why: string, answer: string | null): Promise<string>;
  /** Also when the answers run out. */
  atTurnCap: boolean;
}

export interface LoopDeps {
  client: Anthropic;
  config: ChildConfig;
  systemPrompt: string;
  tools: readonly Tool[];
  closing: Closing;
  context: ToolContext;
  signal: AbortSignal;
  emit(event: AgentEvent): void;
  /** One line for people; never read by the driver. */
  log(line: string): void;
  sleep(ms: number): Promise<void>;
  random(): number;
  nowMs(): number;
}

/** All that changes while the loop runs. */
export interface Conversation {
  /** Only ever appended to. */
  history: History;
  maxTokens: number;
  /** Size of the latest prompt. */
  contextTokens: number;
  /** Answers so far. */
  turn: number;
  /** The wrap-up note was given. */
  warned: boolean;
  /** A note about the context that no answer has followed yet. */
  untold: string | null;
  /** Why the next answer is the last one, whatever it holds; null while it is not. */
  closing: string | null;
  /** In a row: answers cut off, empty answers, pauses. Each is allowed a few times. */
  cutOffs: number;
  empties: number;
  pauses: number;
}

export function newConversation(prompt: string, { maxOutputTokens, promptBreaks }: ChildConfig): Conversation {
  return {
    history: [firstMessage(prompt, promptBreaks)],
    maxTokens: maxOutputTokens,
    contextTokens: 0,
    turn: 0,
    warned: false,
    untold: null,
    closing: null,
    cutOffs: 0,
    empties: 0,
    pauses: 0,
  };
}

export type Step = { kind: "goOn" } | { kind: "end"; ok: true; text: string | null } | { kind: "end"; ok: false; event: AgentEvent };

/** To the end of the turn. Emits everything but the ending itself. */
export async function converse(talk: Conversation, deps: LoopDeps): Promise<Extract<Step, { kind: "end" }>> {
  while (talk.turn < deps.config.maxTurns) {
    talk.turn++;
    const answer = await ask(talk, deps);
    if (answer.kind === "failed" && talk.closing !== null) return { kind: "end", ok: true, text: await deps.closing.take(talk.closing, null) };
    if (answer.kind === "failed") return { kind: "end", ok: false, event: fatalEvent(answer.failure, deps.nowMs()) };
    // An answer behind it is what shows that the model was given it.
    if (talk.untold !== null) deps.emit({ type: "noteTaken", text: talk.untold });
    talk.untold = null;
    const text = assistantText(answer.value);
    if (talk.closing !== null) return { kind: "end", ok: true, text: await deps.closing.take(talk.closing, text) };
    if (text !== null && answer.value.stop_reason !== "refusal") deps.emit({ type: "text", text });
    const step = await react(answer.value, talk, deps);
    if (step.kind === "end") return step;
  }
  const message = `no end after ${deps.config.maxTurns} model answers`;
  return { kind: "end", ok: false, event: { type: "error", kind: "turn_cap", fatal: true, message } };
}

/** One answer, repeated while the API's trouble is of the passing kind. */
function ask(talk: Conversation, deps: LoopDeps): Promise<Attempt<Anthropic.Message>> {
  const { config, client, signal } = deps;
  const frame: RequestFrame = {
    model: config.model,
    effort: config.effort,
    systemPrompt: deps.systemPrompt,
    tools: deps.tools.map((tool) => tool.definition),
  };
  const body = buildRequest(frame, talk.history, talk.maxTokens);
  const report = (usage: Anthropic.Usage) => {
    const event = usageEvent(config.model, usage, config.prices);
    talk.contextTokens = event.contextTokens ?? talk.contextTokens;
    deps.emit(event);
  };
  const onEvent = heartbeat(deps);
  const attempt = async () => {
    const outcome = await streamTurn(body, { client, limits: config, signal, onEvent, onBlock: (block) => logBlock(block, deps) });
    const usage = outcome.kind === "ok" ? outcome.value.usage : outcome.usage;
    if (usage !== null) report(usage);
    return outcome;
  };
  return withRetry(attempt, config.retry, {
    sleep: deps.sleep,
    random: deps.random,
    onRetry: (failure, tried, waitMs) => deps.emit(retryEvent(failure, tried, waitMs)),
  });
}

const HEARTBEAT_MS = 30_000;

/** A long answer yields no event until it is whole; a line now and then shows that this process is not silent. */
function heartbeat(deps: LoopDeps): () => void {
  let lastMs = deps.nowMs();
  return () => {
    const nowMs = deps.nowMs();
    if (nowMs - lastMs < HEARTBEAT_MS) return;
    lastMs = nowMs;
    deps.log("receiving");
  };
}

const LOGGED_CHARS = 300;

function logBlock(block: Anthropic.ContentBlock, deps: LoopDeps): void {
  if (block.type === "thinking" && block.thinking !== "") deps.log(`thinking: ${block.thinking.slice(0, LOGGED_CHARS)}`);
}
