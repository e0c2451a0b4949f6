/** The built-in agent's loop: one conversation about the task, explorers beside it, a hand-over when the context is full. */
import { type Closing, converse, type LoopDeps, newConversation } from "./conversation.js";
import { explorer } from "./explore.js";
import { handOver } from "./hand-over.js";

/** True for a good ending; the last event is always `finished`. */
export async function runLoop(prompt: string, deps: Omit<LoopDeps, "closing">): Promise<boolean> {
  const { config, context, emit } = deps;
  emit({ type: "started", model: config.model });
  const closing: Closing = handOver(context.root, emit);
  const end = await converse(newConversation(prompt, config), { ...deps, closing, context: { ...context, explore: explorer(deps) } });
  if (!end.ok) emit(end.event);
  emit({ type: "finished", ok: end.ok, text: end.ok ? end.text : null });
  return end.ok;
}
