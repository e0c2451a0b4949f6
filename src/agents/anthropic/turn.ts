/** One model answer: streams it, watches for silence, and returns an outcome instead of throwing. */
import type Anthropic from "@anthropic-ai/sdk";
import { classify } from "./errors.js";
import type { ApiFailure } from "./failure.js";

export interface TurnLimits {
  /** Longest silence of the event stream. The SDK's own timeout ends with the response headers. */
  idleMs: number;
  turnMs: number;
}

export type TurnOutcome =
  | { kind: "ok"; value: Anthropic.Message }
  /** `usage` is what the broken stream had reported; it is billed all the same. */
  | { kind: "failed"; failure: ApiFailure; usage: Anthropic.Usage | null };

export interface TurnContext {
  client: Anthropic;
  limits: TurnLimits;
  /** Aborted when the whole run shall end. */
  signal: AbortSignal;
  /** Something arrived. */
  onEvent(): void;
  /** A thought or part of an answer came to its end; for the log. */
  onBlock(block: Anthropic.ContentBlock): void;
}

export async function streamTurn(body: Anthropic.MessageStreamParams, context: TurnContext): Promise<TurnOutcome> {
  const watchdog = startWatchdog(context.limits);
  let usage: Anthropic.Usage | null = null;
  try {
    const signal = AbortSignal.any([context.signal, watchdog.signal]);
    const stream = context.client.messages.stream(body, { signal });
    stream.on("connect", watchdog.kick);
    stream.on("streamEvent", (_event, snapshot) => {
      watchdog.kick();
      context.onEvent();
      usage = snapshot.usage;
    });
    stream.on("contentBlock", context.onBlock);
    const message = await stream.finalMessage();
    return { kind: "ok", value: { ...message, content: message.content.map(plainBlock) } };
  } catch (error) {
    return { kind: "failed", failure: watchdog.verdict() ?? classify(error, Date.now()), usage };
  } finally {
    watchdog.stop();
  }
}

/** The SDK parses tool input on first access and may throw there; a cut or broken input becomes an empty one, which validation then refuses. */
function plainBlock(block: Anthropic.ContentBlock): Anthropic.ContentBlock {
  if (block.type !== "tool_use") return block;
  let input: unknown;
  try {
    input = block.input;
  } catch {
    // The model wrote broken JSON; the tool's schema check answers it with the expected form.
    input = {};
  }
  return { ...block, input };
}

interface Watchdog {
  readonly signal: AbortSignal;
  kick(): void;
  /** Why the watchdog ended the request; null when it did not. */
  verdict(): ApiFailure | null;
  stop(): void;
}

function startWatchdog(limits: TurnLimits): Watchdog {
  const controller = new AbortController();
  let verdict: ApiFailure | null = null;
  const bite = (message: string) => {
    verdict ??= { kind: "stalled", message };
    controller.abort();
  };
  const whole = setTimeout(() => bite(`one answer took longer than ${limits.turnMs} ms`), limits.turnMs);
  const idle = setTimeout(() => bite(`no event from the API for ${limits.idleMs} ms`), limits.idleMs);
  return {
    signal: controller.signal,
    kick: () => idle.refresh(),
    verdict: () => verdict,
    stop: () => {
      clearTimeout(whole);
      clearTimeout(idle);
    },
  };
}
