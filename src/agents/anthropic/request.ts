/**
 * Builds request bodies whose beginning never changes: constant tools, constant system block, append-only history.
 * The prompt cache and models that bind their thinking to the conversation both depend on it.
 */
import type Anthropic from "@anthropic-ai/sdk";
import type { Effort } from "./config.js";

export type History = Anthropic.MessageParam[];
/** What this loop puts into user messages; each kind can carry a cache breakpoint. */
export type UserBlock = Anthropic.TextBlockParam | Anthropic.ToolResultBlockParam;

export interface RequestFrame {
  model: string;
  effort: Effort | null;
  systemPrompt: string;
  tools: Anthropic.Tool[];
}

/** Of the four breakpoints a request may have, one is the system block's and one the prompt head's; two ends of user messages follow the history. */
const MOVING_BREAKPOINTS = 2;

/** An hour, because iterations share what stands before it and can be further apart than five minutes. */
const SHARED: Anthropic.CacheControlEphemeral = { type: "ephemeral", ttl: "1h" };

export function buildRequest(frame: RequestFrame, history: History, maxTokens: number): Anthropic.MessageStreamParams {
  return {
    model: frame.model,
    max_tokens: maxTokens,
    ...(frame.tools.length === 0 ? {} : { tools: frame.tools }),
    system: [{ type: "text", text: frame.systemPrompt, cache_control: SHARED }],
    messages: withBreakpoints(history),
    // Summaries are what people can follow in the log; some models speak between tool calls only in thinking.
    thinking: { type: "adaptive", display: "summarized" },
    ...(frame.effort === null ? {} : { output_config: { effort: frame.effort } }),
  };
}

/**
 * Marks the ends of the last user messages. The previous end is marked again because the cache looks back
 * only 20 blocks from a breakpoint, and one round of parallel tool results can be longer.
 */
function withBreakpoints(history: History): History {
  const marked = [...history];
  let left = MOVING_BREAKPOINTS;
  for (let at = marked.length - 1; at >= 0 && left > 0; at--) {
    const message = marked[at];
    if (message?.role !== "user" || typeof message.content === "string") continue;
    const last = message.content.at(-1);
    if (last === undefined || (last.type !== "text" && last.type !== "tool_result")) continue;
    marked[at] = { ...message, content: [...message.content.slice(0, -1), { ...last, cache_control: { type: "ephemeral" } }] };
    left--;
  }
  return marked;
}

/** The prompt in pieces, with a breakpoint of its own behind the last that the next iterations begin with, too: the cache finds shorter beginnings by the others. */
export function firstMessage(prompt: string, breaks: readonly number[]): Anthropic.UserMessageParam {
  const ends = breaks.filter((end) => end > 0 && end < prompt.length);
  const shared = ends.map(
    (end, at): UserBlock => ({
      type: "text",
      text: prompt.slice(ends[at - 1] ?? 0, end),
      ...(at === ends.length - 1 ? { cache_control: SHARED } : {}),
    }),
  );
  return userMessage([...shared, { type: "text", text: prompt.slice(ends.at(-1) ?? 0) }]);
}

export function userMessage(blocks: UserBlock[]): Anthropic.UserMessageParam {
  return { role: "user", content: blocks };
}

export function userText(text: string): Anthropic.UserMessageParam {
  return userMessage([{ type: "text", text }]);
}

/**
 * The answer as it may be sent back: blocks unchanged and in order, without empty text, which the API refuses.
 * Null when nothing is left that can stand in the history.
 */
export function assistantMessage(content: Anthropic.ContentBlock[]): Anthropic.AssistantMessageParam | null {
  const kept = content.filter((block) => block.type !== "text" || block.text.trim() !== "");
  const stands = kept.some((block) => block.type !== "thinking" && block.type !== "redacted_thinking");
  // Every ContentBlock can be sent back as a param; the SDK's own loop relies on the same.
  return stands ? { role: "assistant", content: kept as Anthropic.ContentBlockParam[] } : null;
}

/** What the model said in this answer, thinking left out; null when it said nothing. */
export function assistantText(message: Anthropic.Message): string | null {
  const texts = message.content.flatMap((block) => (block.type === "text" && block.text.trim() !== "" ? [block.text] : []));
  return texts.length === 0 ? null : texts.join("\n\n");
}
