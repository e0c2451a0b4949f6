/** What a full context leaves behind: done, decided and remaining, in the notes that the next iteration's prompt shows. */
import { readFileSync } from "node:fs";
import type { AgentEvent } from "../../core/agent-event.js";
import { PROGRESS_FILE } from "../../core/paths.js";
import { sanitize } from "../process/sanitize.js";
import type { Closing } from "./conversation.js";
import { handOverNote, PARTS, rotatedText } from "./notes.js";
import { atomicWrite } from "./tools/atomic-write.js";
import { confine } from "./tools/confine.js";
import { failed, succeeded, type ToolOutcome } from "./tools/tool.js";

/** Of each part; the rest of a longer one is left out and said so. */
const PART_CHARACTERS = 1_200;

export function handOver(root: string, emit: (event: AgentEvent) => void): Closing {
  return {
    note: handOverNote,
    atTurnCap: false,
    take: async (why, answer) => {
      const written = answer !== null && append(root, handOverText(answer), emit);
      return rotatedText(why, written);
    },
  };
}

/** The three parts in order, each bounded. Whatever the model wrote outside of them counts as remaining. */
function handOverText(answer: string): string {
  const found = new Map<string, string[]>(PARTS.map((part) => [part, []]));
  let part: string = "Remaining";
  for (const line of sanitize(answer).trim().split("\n")) {
    const heading = PARTS.find((name) => new RegExp(`^#*\\s*\\**${name}\\b\\W*$`, "i").test(line.trim()));
    if (heading !== undefined) part = heading;
    // Headings of its own would pass for sections of the file.
    else found.get(part)?.push(line.replace(/^#+\s*/, ""));
  }
  return PARTS.map((name) => `${name}:\n${bounded((found.get(name) ?? []).join("\n").trim())}`).join("\n");
}

function bounded(text: string): string {
  if (text === "") return "- nothing was named";
  return text.length <= PART_CHARACTERS ? text : `${text.slice(0, PART_CHARACTERS)} [... cut]`;
}

/** An act of the agent like any other, so it is told as a tool call. False when the notes could not be written. */
function append(root: string, text: string, emit: (event: AgentEvent) => void): boolean {
  const id = "hand-over";
  const iteration = process.env["RALPHD_ITERATION"];
  const section = `## Hand-over${iteration === undefined ? "" : ` of iteration ${iteration}`}: the context was full\n\n${text}\n`;
  emit({ type: "toolCall", id, name: "hand_over", input: { text }, path: PROGRESS_FILE, writes: true });
  const outcome = write(root, section);
  emit({ type: "toolResult", id, ok: outcome.ok, exitCode: null, output: outcome.text });
  return outcome.ok;
}

function write(root: string, section: string): ToolOutcome {
  const place = confine(root, PROGRESS_FILE);
  if (place.kind === "outside") return failed(place.message);
  try {
    const before = readIfThere(place.absolute);
    const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    atomicWrite(place.absolute, `${before}${gap}${section}`);
    return succeeded(`wrote the hand-over into ${PROGRESS_FILE}`);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Only a file that is not there may be begun anew: one that can't be read holds the notes of others.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
