/** One question to the person at the terminal. */
import { createInterface } from "node:readline";

/** null when there will be no answer. A terminal of its own for each, so that an editor has it in between. */
export function askPerson(question: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    terminal.once("close", () => resolve(null));
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}
