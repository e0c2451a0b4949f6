/** Asks once, by content, whether the commands of a repository's own files may run on this machine. */
import { createInterface } from "node:readline/promises";
import type { RepositoryCommand } from "../config/repository-commands.js";
import { isConfirmed, isTrusted, remember, trustHash } from "../config/trust.js";
import { Refusal } from "../run/refusal.js";
import { complain } from "./terminal.js";

/** What a repository's own files would run is shown and confirmed once; later runs of the same commands ask nothing. Throws for no. */
export async function askForTrust(root: string, commands: readonly RepositoryCommand[], trusted: boolean): Promise<true> {
  const hash = trustHash(root, commands);
  if (hash === null || isTrusted(hash)) return true;
  if (!trusted) {
    const list = commands.map(({ what, command, origin }) => `  ${what}: ${command}   (${origin})`);
    complain(`The files of this repository name commands that a run executes on this machine:\n${list.join("\n")}`);
    if (process.stdin.isTTY !== true)
      throw new Refusal("They were not confirmed yet and there is no terminal to ask at. Look at them, then run once with --trust.");
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question("Run them from now on? [y/N] ");
    terminal.close();
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal("The commands were not confirmed.");
  }
  const kept = remember(hash);
  if (kept.kind === "failed") complain(`warning: the confirmation could not be remembered: ${kept.message}`);
  return true;
}

/** For who only looks: nothing is asked, and nothing confirmed by it. */
export async function alreadyTrusted(root: string, commands: readonly RepositoryCommand[]): Promise<boolean> {
  return isConfirmed(root, commands);
}
