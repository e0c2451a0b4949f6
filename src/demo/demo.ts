/** `ralphd demo`: the whole loop on a scratch repository; the recorded model plays, everything else is real. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { lineBreaker } from "../cli/screen/break-line.js";
import { outcomeLines } from "../cli/screen/outcome.js";
import { openScreen } from "../cli/screen/screen.js";
import { handleSignals } from "../cli/signals.js";
import { complain, print } from "../cli/terminal.js";
import { STATE_DIR } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { createControl } from "../run/control.js";
import { preflight } from "../run/preflight.js";
import { Refusal } from "../run/refusal.js";
import { startRun } from "../run/start.js";
import { shippedFile } from "../shipped.js";
import { createGit, expectOk } from "../workspace/git.js";

export async function demo(options: { keep?: string; json?: boolean }): Promise<number> {
  const json = options.json === true;
  const root = await scratchRepository(options.keep);
  for (const line of beforehand(root)) complain(line);
  const env = outsideOfAgents(process.env);
  const ready = await preflight({ cwd: root, argument: "PLAN.md", flags: { agent: "replay", maxIterations: "12" }, env, stdin: null, trust: async () => true });
  const control = createControl();
  const screen = await openScreen({ json, quiet: false, env });
  const release = handleSignals(control, screen.notice);
  const show = json ? complain : print;
  try {
    const { state } = await startRun({ ready, env, unlisted: true, control, observer: screen.observer, say: screen.say, opened: screen.opened });
    screen.close();
    for (const line of outcomeLines(state, {
      root,
      reportPath: join(root, STATE_DIR, "report.md"),
      cwd: process.cwd(),
      breakLine: await lineBreaker(process.stdout),
    }))
      show(line);
    for (const line of AFTERWARDS) show(line);
    return EXIT_CODES[state.stopped?.status ?? "failed"];
  } finally {
    screen.close();
    release();
  }
}

function beforehand(root: string): string[] {
  return [
    "A small library with failing tests, and a plan of four tasks.",
    "The model's answers are recorded. Everything else is real: files, commands,",
    "tests, git, and every check of what the agent claims.",
    `Scratch repository: ${root}`,
    "",
  ];
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

const AFTERWARDS = ["", "Then, in a repository of your own: `ralphd init`, edit PLAN.md, `ralphd run`."];
