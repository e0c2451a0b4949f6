/** How the brakes put actions and hits into words, within bounds. */
import { firstErrorLine } from "../gate-output/first-error.js";
import { plainLines, type OutputReading } from "../gate-output/reading.js";
import { hashText } from "../hash.js";
import { actionSignature, commandSignature } from "../signature.js";
import type { Action } from "./types.js";
import { BOUNDS } from "./watch-state.js";

/** Cuts a signature to a bounded key that stays unique. */
export function boundedKey(signature: string): string {
  const plain = signature.replace(/\p{Cc}+/gu, " ");
  return plain.length <= BOUNDS.keyChars ? plain : `${plain.slice(0, BOUNDS.keyChars)}… #${hashText(signature)}`;
}

export function clip(text: string, maxChars = BOUNDS.textChars): string {
  const plain = text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}+/gu, "")
    .trim();
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars - 1)}…`;
}

/** The line a person would quote: the first error, or else the first line there is. */
export function errorLine(output: string, reading: OutputReading | null): string {
  const lines = plainLines(output);
  const error = reading?.firstError ?? firstErrorLine(lines) ?? lines.find((line) => line.trim() !== "");
  return clip(error ?? "no output", 160);
}

/** One action for the evidence of a hit. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case "command": {
      const code = action.exitCode === null ? (action.failed ? "failed" : "ended") : `exit ${action.exitCode}`;
      const failed = action.failed || (action.exitCode ?? 0) !== 0;
      const error = failed ? `: ${clip(errorLine(action.output.slice(0, 100_000), null), 80)}` : "";
      return clip(`ran ${clip(commandSignature(action.command), 120)} (${code})${error}`);
    }
    case "write":
      return clip(`wrote ${clip(action.path, 180)}`);
    case "tool":
      return clip(`called ${actionSignature(action.name, action.input)}`);
  }
}
