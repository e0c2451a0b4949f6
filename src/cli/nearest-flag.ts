/** Names the flag that was probably meant. */
import type { Command } from "commander";
import { nearest } from "../config/nearest.js";

/** Empty when nothing is near, or when the parser has said so itself. */
export function nearestFlag(message: string, program: Command, argv: readonly string[]): string {
  if (/Did you mean/i.test(message)) return "";
  const typed = /'(-[^']*)'/.exec(message)?.[1]?.split("=")[0];
  const command = program.commands.find((item) => argv.includes(item.name())) ?? program;
  const known = command.options.map((option) => option.long ?? option.short ?? "");
  const found = typed === undefined ? null : nearest(typed, known);
  return found === null ? "" : ` (did you mean ${found}?)`;
}
