/** `ralphd run`: checks the request, asks for trust where needed, runs the loop, says how it ended. */
import { join } from "node:path";
import type { RawFlags } from "../config/load.js";
import { STATE_DIR } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { createControl } from "../run/control.js";
import { type Preflight, preflight, type Trust } from "../run/preflight.js";
import { type OpenedFacts, startRun } from "../run/start.js";
import { detach, takeDetachedMark, tellStarter } from "./detach.js";
import { lineBreaker } from "./screen/break-line.js";
import { outcomeLines } from "./screen/outcome.js";
import { openScreen } from "./screen/screen.js";
import { handleSignals } from "./signals.js";
import { alreadyTrusted, askForTrust } from "./ask-for-trust.js";
import { startText } from "./start-text.js";
import { complain, print } from "./terminal.js";

export async function run(argument: string | null, options: Record<string, unknown>, agentArgv: string[]): Promise<number> {
  const flags = { ...options, argv: agentArgv.length > 0 ? agentArgv : undefined } as RawFlags;
  const detached = takeDetachedMark(process.env);
  const quiet = options["quiet"] === true;
  let typed: string | null = null;
  const stdin = process.stdin.isTTY === true ? null : async () => (typed = await readStdin());
  const dryRun = options["dryRun"] === true;
  const askOnce: Trust = (root, commands) => askForTrust(root, commands, flags.trust === true);
  const ready = await preflight({ cwd: process.cwd(), argument, flags, env: process.env, stdin, trust: dryRun ? alreadyTrusted : askOnce });
  // What goes on in the background was announced where it was started.
  if (!detached) await announce(ready, quiet);
  if (dryRun) {
    if (!quiet) complain("Dry run: nothing was started.");
    return 0;
  }
  if (options["detach"] === true && !detached) return detach({ gitDir: ready.repo.gitDir, stdin: typed, argument, json: options["json"] === true });
  return watch(ready, { json: options["json"] === true, quiet, detached });
}

async function announce(ready: Preflight, quiet: boolean): Promise<void> {
  const breakLine = await lineBreaker(process.stderr);
  const say = (line: string): void => breakLine(line, 2).forEach(complain);
  for (const warning of ready.warnings) say(`warning: ${warning}`);
  if (!quiet) startText(ready).forEach(say);
}

async function watch(ready: Preflight, { json, quiet, detached }: { json: boolean; quiet: boolean; detached: boolean }): Promise<number> {
  const control = createControl();
  const screen = await openScreen({ json, quiet, env: process.env });
  const release = handleSignals(control, screen.notice);
  try {
    const opened = (run: OpenedFacts): void => {
      screen.opened(run);
      if (detached) tellStarter({ run: run.state().run, dir: run.dir });
    };
    const { state, root } = await startRun({ ready, env: process.env, control, observer: screen.observer, say: screen.say, opened });
    screen.close();
    for (const line of outcomeLines(state, {
      root,
      reportPath: join(root, STATE_DIR, "report.md"),
      cwd: process.cwd(),
      breakLine: await lineBreaker(process.stdout),
    }))
      (json ? complain : print)(line);
    return EXIT_CODES[state.stopped?.status ?? "failed"];
  } finally {
    screen.close();
    release();
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}
