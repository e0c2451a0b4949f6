/** Tests a regular expression for a bounded time: some patterns need ages on some texts, and the loop would stand still. */
import { Script } from "node:vm";

export type Match = "match" | "noMatch" | "tooSlow";

/** The driver does nothing else meanwhile. */
export const MATCH_MS = 2_000;

let script: Script | null = null;

export function testWithin(pattern: string, text: string, ms = MATCH_MS): Match {
  script ??= new Script("new RegExp(pattern, 'm').test(text)");
  try {
    return script.runInNewContext({ pattern, text }, { timeout: ms }) === true ? "match" : "noMatch";
  } catch (error) {
    // Not `instanceof Error`: the error belongs to the script's own world.
    if (typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "tooSlow";
    throw error;
  }
}
