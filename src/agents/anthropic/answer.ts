/** What each way of ending an answer means for the loop. */
import type Anthropic from "@anthropic-ai/sdk";
import type { AgentErrorKind } from "../../core/agent-event.js";
import type { Conversation, LoopDeps, Step } from "./conversation.js";
import { CUT_OFF_NOTE, EMPTY_ANSWER_NOTE, wrapUpNote } from "./notes.js";
import { assistantMessage, assistantText, type UserBlock, userMessage, userText } from "./request.js";
import { runToolRound } from "./tool-round.js";

const MAX_CUT_OFFS = 3;
const MAX_EMPTIES = 2;
const MAX_PAUSES = 5;
/** Share of the allowed answers after which the model is told to come to an end. */
const WRAP_UP_SHARE = 0.8;

const GO_ON: Step = { kind: "goOn" };

export async function react(message: Anthropic.Message, talk: Conversation, deps: LoopDeps): Promise<Step> {
  if (message.stop_reason !== "max_tokens") talk.cutOffs = 0;
  if (message.stop_reason !== "pause_turn") talk.pauses = 0;
  switch (message.stop_reason) {
    case "tool_use":
    case "end_turn":
    case "stop_sequence":
      // Calls must be answered whatever the reason says, or the next request is invalid.
      return callsOf(message).length > 0 ? runTools(message, talk, deps, null) : endOrNudge(message, talk);
    case "max_tokens":
      return afterCutOff(message, talk, deps);
    case "pause_turn":
      return resume(message, talk);
    case "refusal":
      return failure("refusal", refusalText(message));
    case "model_context_window_exceeded":
      return failure("context", "the answer reached the end of the model's context window");
    default:
      return failure("other", `the answer ended for an unknown reason: ${String(message.stop_reason)}`);
  }
}

async function runTools(message: Anthropic.Message, talk: Conversation, deps: LoopDeps, cutOff: string | null): Promise<Step> {
  const full = noRoom(talk, deps);
  keep(message, talk);
  talk.empties = 0;
  if (full !== null) return close(message, talk, deps, full);
  const { tools, context, emit } = deps;
  const results: UserBlock[] = await runToolRound(callsOf(message), { tools, context, emit, cutOff });
  const why = wrapUpReason(talk, deps);
  if (why !== null) {
    talk.warned = true;
    const text = wrapUpNote(why.text);
    if (why.context) talk.untold = text;
    results.push({ type: "text", text });
  }
  talk.history.push(userMessage(results));
  return GO_ON;
}

function noRoom(talk: Conversation, { config, closing }: LoopDeps): string | null {
  const limit = config.rotateTokens;
  if (limit !== null && talk.contextTokens >= limit) return `the context holds ${talk.contextTokens} tokens, the limit is ${limit}`;
  return closing.atTurnCap && talk.turn >= config.maxTurns - 1 ? `${talk.turn} of ${config.maxTurns} answers are used` : null;
}

/** Before the calls run: what they would still do is done better by a fresh agent than by one cut off halfway. */
function close(message: Anthropic.Message, talk: Conversation, deps: LoopDeps, why: string): Step {
  const answers: UserBlock[] = callsOf(message).map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "not run", is_error: true }));
  talk.closing = why;
  talk.history.push(userMessage([...answers, { type: "text", text: deps.closing.note(why) }]));
  return GO_ON;
}

/** Given once; null when there is no reason yet. */
function wrapUpReason(talk: Conversation, deps: LoopDeps): { text: string; context: boolean } | null {
  if (talk.warned) return null;
  const { warnTokens, rotateTokens, maxTurns } = deps.config;
  if (warnTokens !== null && talk.contextTokens >= warnTokens) {
    return { text: `your context holds ${talk.contextTokens} tokens and this iteration ends at ${rotateTokens ?? "the model's limit"}`, context: true };
  }
  if (talk.turn >= maxTurns * WRAP_UP_SHARE) return { text: `${talk.turn} of ${maxTurns} answers of this iteration are used`, context: false };
  return null;
}

function endOrNudge(message: Anthropic.Message, talk: Conversation): Step {
  const text = assistantText(message);
  if (text !== null || talk.empties >= MAX_EMPTIES) return { kind: "end", ok: true, text };
  talk.empties++;
  // The empty answer itself can not be sent back.
  talk.history.push(userText(EMPTY_ANSWER_NOTE));
  return GO_ON;
}

async function afterCutOff(message: Anthropic.Message, talk: Conversation, deps: LoopDeps): Promise<Step> {
  talk.cutOffs++;
  if (talk.cutOffs > MAX_CUT_OFFS) return failure("other", `${talk.cutOffs} answers in a row were cut off at ${talk.maxTokens} tokens`);
  talk.maxTokens = Math.max(talk.maxTokens, Math.min(talk.maxTokens * 2, deps.config.maxOutputCeiling));
  const last = message.content.at(-1);
  if (callsOf(message).length > 0) return runTools(message, talk, deps, last?.type === "tool_use" ? last.id : null);
  keep(message, talk);
  talk.history.push(userText(CUT_OFF_NOTE));
  return GO_ON;
}

function resume(message: Anthropic.Message, talk: Conversation): Step {
  talk.pauses++;
  if (talk.pauses > MAX_PAUSES) return failure("other", `the model paused ${talk.pauses} times in a row`);
  keep(message, talk);
  return GO_ON;
}

function keep(message: Anthropic.Message, talk: Conversation): void {
  const kept = assistantMessage(message.content);
  if (kept !== null) talk.history.push(kept);
}

function callsOf(message: Anthropic.Message): Anthropic.ToolUseBlock[] {
  return message.content.filter((block) => block.type === "tool_use");
}

function refusalText(message: Anthropic.Message): string {
  const details = message.stop_details;
  const category = details?.category ? ` (${details.category})` : "";
  return `the model refused${category}${details?.explanation ? `: ${details.explanation}` : ""}`;
}

function failure(kind: AgentErrorKind, text: string): Step {
  return { kind: "end", ok: false, event: { type: "error", kind, fatal: true, message: text } };
}
