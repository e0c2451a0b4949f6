/** Tells a working agent that its context fills up, by whatever way reaches it. Once an iteration. */
import { contextNote, type ContextWarning, NOTE_FILE, type NoteChannel, noteChannel } from "../core/context-warning.js";
import { agentOf } from "../core/agent-list.js";
import type { Driver } from "./driver.js";
import type { AgentRun } from "./ports.js";
import type { Session } from "./session.js";

export function warnWhenDue(driver: Driver, run: AgentRun, session: Session): void {
  if (session.warned !== null || session.finished !== null) return;
  const size = session.contextSize();
  const { warnTokens, rotateTokens } = session.contextLimits();
  if (size.tokens < warnTokens) return;
  session.warned = { ...size, ...give(driver, run, contextNote(size, rotateTokens)) };
}

function give(driver: Driver, run: AgentRun, note: string): Pick<ContextWarning, "channel" | "delivered"> {
  const channel = channelOf(driver);
  switch (channel) {
    case "message":
      // The built-in agent warns itself, at the very answer; both kinds show it with `noteTaken`.
      run.tell?.(note);
      return { channel, delivered: false };
    case "file":
      return driver.world.files.write(NOTE_FILE, `${note}\n`) ? { channel, delivered: false } : { channel: "none", delivered: null };
    case "none":
      return { channel, delivered: null };
  }
}

/** By the agent that works, which need not be the one that was named. */
export function channelOf({ settings, state }: Pick<Driver, "settings" | "state">): NoteChannel {
  return noteChannel(agentOf(settings, state.open?.agent ?? state.agent));
}

/**
 * A warning is about one context; the next agent starts with an empty one. Whoever else wrote there would speak to it in
 * the driver's name.
 */
export function removeNote(driver: Driver, session: Session): void {
  const removed = driver.world.files.remove(NOTE_FILE);
  if (removed && session.warned?.channel !== "file")
    driver.record({ type: "warning", message: `${NOTE_FILE} was written by somebody else than the driver, and was removed.` });
}
