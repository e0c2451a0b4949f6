/** `ralphd run`: checks the request, asks for trust where needed, runs the loop, says how it ended. */
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { RawFlags } from "../config/load.js";
import { isTrusted, remember, trustHash } from "../config/trust.js";
import { STATE_DIR } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { createControl, type SignalControl } from "../run/control.js";
import { type Preflight, preflight } from "../run/preflight.js";
import { Refusal } from "../run/refusal.js";
import { startRun } from "../run/start.js";
import { startText } from "./start-text.js";
import { jsonObserver, lineObserver, outcomeLines } from "./screen.js";
import { complain, print, wantsColour } from "./terminal.js";

export async function run(argument: string | null, options: Record<string, unknown>, agentArgv: string[]): Promise<number> {
  const flags = { ...options, argv: agentArgv.length > 0 ? agentArgv : undefined } as RawFlags;
  const json = options["json"] === true;
  const quiet = options["quiet"] === true;
  const say = quiet ? () => undefined : complain;
  const ready = await preflight({ cwd: process.cwd(), argument, flags, env: process.env, stdin: process.stdin.isTTY === true ? null : readStdin });
  for (const warning of ready.warnings) complain(`warning: ${warning}`);
  for (const line of startText(ready)) say(line);
  if (options["dryRun"] === true) {
    say("Dry run: nothing was started.");
    return 0;
  }
  await askForTrust(ready, flags.trust === true);
  const control = createControl(() => []);
  const detach = handleSignals(control);
  try {
    const colours = wantsColour(process.stderr, process.env);
    const observer = json ? jsonObserver(print) : quiet ? { journal: () => undefined, agent: () => undefined } : lineObserver(complain, colours);
    const { state, root } = await startRun({ ready, env: process.env, control, observer, say: complain });
    for (const line of outcomeLines(state, join(root, STATE_DIR, "report.md"), root)) (json ? complain : print)(line);
    return EXIT_CODES[state.stopped?.status ?? "failed"];
  } finally {
    detach();
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}

/** What a repository's own files would run is shown and confirmed once; later runs of the same commands ask nothing. */
async function askForTrust(ready: Preflight, trusted: boolean): Promise<void> {
  const hash = trustHash(ready.repo.root, ready.repositoryCommands);
  if (hash === null || isTrusted(hash)) return;
  if (!trusted) {
    const list = ready.repositoryCommands.map(({ what, command, origin }) => `  ${what}: ${command}   (${origin})`);
    complain(`The files of this repository name commands that a run executes on this machine:\n${list.join("\n")}`);
    if (process.stdin.isTTY !== true) throw new Refusal("They were not confirmed yet and there is no terminal to ask at. Look at them, then run once with --trust.");
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question("Run them from now on? [y/N] ");
    terminal.close();
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal("The commands were not confirmed.");
  }
  const kept = remember(hash);
  if (kept.kind === "failed") complain(`warning: the confirmation could not be remembered: ${kept.message}`);
}

/** First Ctrl-C: finish the iteration. Second, or SIGTERM: stop now. A closed terminal changes nothing. */
function handleSignals(control: SignalControl): () => void {
  const interrupt = (): void => {
    const what = control.interrupt();
    complain(what === "finishing" ? "\nStopping after this iteration. Press Ctrl-C again to stop now." : "\nStopping now: ending the agent, keeping its work.");
  };
  const terminate = (): void => {
    complain("Stopping now: ending the agent, keeping its work.");
    control.stopNow();
  };
  const hangUp = (): void => undefined;
  process.on("SIGINT", interrupt).on("SIGTERM", terminate).on("SIGHUP", hangUp);
  return () => void process.off("SIGINT", interrupt).off("SIGTERM", terminate).off("SIGHUP", hangUp);
}
