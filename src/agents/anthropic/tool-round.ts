/** Answers every tool call of one model turn: lookers overlap, changers run alone and in order. */
import type Anthropic from "@anthropic-ai/sdk";
import type { AgentEvent } from "../../core/agent-event.js";
import { failed, type PreparedCall, refusal, type Tool, type ToolContext, type ToolOutcome } from "./tools/tool.js";

export interface ToolRound {
  tools: readonly Tool[];
  context: ToolContext;
  emit(event: AgentEvent): void;
  /** Id of a call whose input was cut off; it is answered but not run. */
  cutOff: string | null;
}

export async function runToolRound(calls: Anthropic.ToolUseBlock[], round: ToolRound): Promise<Anthropic.ToolResultBlockParam[]> {
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const group of groups(calls, round.tools)) {
    results.push(...(await Promise.all(group.map((call) => answer(call, round)))));
  }
  return results;
}

/** Neighbouring lookers form one group; every other call is a group of its own. */
function groups(calls: Anthropic.ToolUseBlock[], tools: readonly Tool[]): Anthropic.ToolUseBlock[][] {
  const found: Anthropic.ToolUseBlock[][] = [];
  let open: Anthropic.ToolUseBlock[] | null = null;
  for (const call of calls) {
    const together = toolFor(call, tools)?.order === "together";
    if (together && open !== null) {
      open.push(call);
      continue;
    }
    const group = [call];
    found.push(group);
    open = together ? group : null;
  }
  return found;
}

async function answer(call: Anthropic.ToolUseBlock, round: ToolRound): Promise<Anthropic.ToolResultBlockParam> {
  const prepared = await prepare(call, round);
  round.emit({ type: "toolCall", id: call.id, name: call.name, input: call.input, ...prepared.detail });
  const outcome = await safely(() => prepared.run());
  round.emit({ type: "toolResult", id: call.id, ok: outcome.ok, exitCode: outcome.exitCode, output: outcome.text });
  return {
    type: "tool_result",
    tool_use_id: call.id,
    content: outcome.text,
    ...(outcome.ok ? {} : { is_error: true }),
  };
}

async function prepare(call: Anthropic.ToolUseBlock, round: ToolRound): Promise<PreparedCall> {
  if (call.id === round.cutOff) return refusal("the call was cut off at the output limit and did not run; send it again in smaller parts");
  if (round.context.signal.aborted) return refusal("the run was stopped");
  const tool = toolFor(call, round.tools);
  if (tool === undefined) {
    return refusal(`there is no tool ${call.name}; use one of ${round.tools.map((known) => known.name).join(", ")}`);
  }
  try {
    return await tool.prepare(call.input, round.context);
  } catch (error) {
    return refusal(messageOf(error));
  }
}

/** The file system's errors (no permission, name too long, disk full) are answers for the model, not ends of the run. */
async function safely(run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await run();
  } catch (error) {
    return failed(messageOf(error));
  }
}

function toolFor(call: Anthropic.ToolUseBlock, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === call.name);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
