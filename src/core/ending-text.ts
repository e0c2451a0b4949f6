/** How an agent ended, in words: what it said of itself, or how its process ended. */
import type { AgentExit } from "./agent-event.js";
import type { Ending } from "./journal-event.js";

export function endingText({ error, exit }: Pick<Ending, "error" | "exit">): string {
  return error?.message ?? exitText(exit);
}

function exitText(exit: AgentExit): string {
  switch (exit.kind) {
    case "exited":
      return `exit code ${exit.code}`;
    case "signalled":
      return `killed by ${exit.signal}`;
    case "stopped":
      return `ended by the driver (${exit.cause})`;
    case "cannotStart":
      return exit.message;
  }
}
