/** `ralphd demo`: the whole loop on a scratch repository; the recorded model plays, everything else is real. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { jsonObserver, lineObserver, outcomeLines } from "../cli/screen.js";
import { complain, print, wantsColour } from "../cli/terminal.js";
import { STATE_DIR } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { createControl } from "../run/control.js";
import { preflight } from "../run/preflight.js";
import { Refusal } from "../run/refusal.js";
import { startRun } from "../run/start.js";
import { shippedFile } from "../shipped.js";
import { createGit, expectOk } from "../workspace/git.js";

export async function demo(options: { keep?: string; json?: boolean }): Promise<number> {
  const root = await scratchRepository(options.keep);
  complain(`A scratch repository with a small library, failing tests and a plan of four tasks: ${root}`);
  complain("The model's answers are recorded; files, commands, tests, git and every check are real.\n");
  const env = outsideOfAgents(process.env);
  const ready = await preflight({ cwd: root, argument: "PLAN.md", flags: { agent: "replay", maxIterations: "12" }, env, stdin: null });
  const control = createControl(() => []);
  const stop = (): void => void control.interrupt();
  process.on("SIGINT", stop).on("SIGTERM", control.stopNow);
  const observer = options.json === true ? jsonObserver(print) : lineObserver(complain, wantsColour(process.stderr, process.env));
  const { state } = await startRun({ ready, env, control, observer, say: complain });
  process.off("SIGINT", stop).off("SIGTERM", control.stopNow);
  const show = options.json === true ? complain : print;
  for (const line of outcomeLines(state, join(root, STATE_DIR, "report.md"), root)) show(line);
  for (const line of afterwards(root)) show(line);
  return EXIT_CODES[state.stopped?.status ?? "failed"];
}

async function scratchRepository(keep: string | undefined): Promise<string> {
  const root = keep === undefined ? mkdtempSync(join(tmpdir(), "ralphd-demo-")) : resolve(keep);
  if (existsSync(root) && readdirSync(root).length > 0) throw new Refusal(`${root} is not empty; the demo wants a folder of its own.`);
  mkdirSync(root, { recursive: true });
  cpSync(shippedFile("demo/library"), root, { recursive: true });
  const git = createGit({ root });
  const identity = ["-c", "user.name=ralphd demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgSign=false"];
  expectOk(await git.write(["init", "--quiet", "--initial-branch=main"]), "init");
  expectOk(await git.write(["add", "--all", "--", ".", ":!PLAN.md"]), "add");
  expectOk(await git.write([...identity, "commit", "--quiet", "--no-verify", "--message", "Begin textkit with failing tests"]), "commit");
  return root;
}

/** The demo works on its own scratch repository, so it may run wherever it is typed. */
function outsideOfAgents(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { RALPHD_RUN: _run, RALPHD_TOKEN: _token, RALPHD_ITERATION: _iteration, ...rest } = env;
  return rest;
}

function afterwards(root: string): string[] {
  return [
    "",
    "Type next:",
    `  cd ${root} && git log --oneline --stat`,
    `  cat ${join(root, STATE_DIR, "report.md")}`,
    "  then, in a repository of your own: ralphd init, edit PLAN.md, ralphd run",
  ];
}
