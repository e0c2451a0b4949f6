/** The warning that an agent's context fills up: when it is due, what it says, and the way by which it can reach the agent. Pure. */
import type { AgentEvent } from "./agent-event.js";
import { STATE_DIR } from "./paths.js";

/** `message`: into the running conversation. `file`: into a file that the prompt told the agent to look at. */
export type NoteChannel = "message" | "file" | "none";

/** One warning of one iteration, as `agent.ended` keeps it. */
export interface ContextWarning {
  /** Size of the context when it was due. */
  tokens: number;
  /** Counted by length, because the agent reports no size. */
  estimated: boolean;
  channel: NoteChannel;
  /** The driver saw the agent take it in; null where nothing could show that. */
  delivered: boolean | null;
}

/** Ignored by git, and removed when its iteration is over. */
export const NOTE_FILE = `${STATE_DIR}/note.md`;

/** A rule of thumb for English and code; good enough to warn, never to act on. */
export const CHARACTERS_PER_TOKEN = 4;

export function estimatedTokens(characters: number): number {
  return Math.round(characters / CHARACTERS_PER_TOKEN);
}

/** What an event added to the agent's context; a lower bound, because not all that goes in and out is seen. */
export function seenCharacters(event: AgentEvent): number {
  if (event.type === "text") return event.text.length;
  if (event.type === "toolCall") return JSON.stringify(event.input ?? "").length;
  return event.type === "toolResult" ? event.output.length : 0;
}

/** Kinds whose process takes messages while it works. ACP has none: a second prompt within a turn is not defined there. */
const TALKING: ReadonlySet<string> = new Set(["claude", "anthropic", "replay"]);

export function noteChannel(agent: { kind: string; args: readonly string[]; output: "text" | "events" }): NoteChannel {
  if (agent.kind === "command" && agent.output === "text") return "none";
  return TALKING.has(agent.kind) && !ownInput(agent.args) ? "message" : "file";
}

/** Who chooses how the CLI reads its stdin has taken the channel. */
export function ownInput(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--input-format" || arg.startsWith("--input-format="));
}

/** Stands in the prompt of agents that can only be reached by the file. */
export const NOTE_RULE = `# While you work\n\nAfter each larger step, look whether \`${NOTE_FILE}\` exists. The driver writes there what you must know before your turn ends; do what it says.`;

/** Answers with a full context that an agent may still give before the driver ends it: the built-in one hands over by itself first. */
export function fullAnswers(kind: string): number {
  return kind === "anthropic" || kind === "replay" ? HAND_OVER_ANSWERS : 1;
}

/** The answer that found the context full, the hand-over, and one repeated request. */
const HAND_OVER_ANSWERS = 3;

export function contextNote({ tokens, estimated }: Pick<ContextWarning, "tokens" | "estimated">, rotateTokens: number): string {
  const size = `Your context holds ${estimated ? "about " : ""}${tokens} tokens`;
  const end = estimated ? "and is filling up" : `and this iteration is ended at ${rotateTokens}`;
  return (
    `Note from the driver: ${size} ${end}; a fresh agent goes on from the files. Start nothing new. Finish the step at hand, ` +
    "leave the tree in a working state, write what is done, decided and remaining into `.ralph/progress.md`, then end your turn. " +
    "If your work is finished already, end with the same last message as before, word for word."
  );
}
