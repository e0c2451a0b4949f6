/** `ralphd run --detach`: the run goes on in a process of its own session; here only its beginning is awaited. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { TRUTH_DIR } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { complain, print } from "./terminal.js";

/** Tells the second process that it is the one in the background. Taken out of the environment before any agent sees it. */
const MARK = "RALPHD_DETACHED";
const LOG_FILE = "driver.log";

const openedSchema = v.object({ run: v.string(), dir: v.string() });
/** Run id and the run's folder. */
export type OpenedMessage = v.InferOutput<typeof openedSchema>;

export interface DetachOptions {
  gitDir: string;
  /** The objective that was read from standard input; the background has none. */
  stdin: string | null;
  argument: string | null;
  json: boolean;
}

export async function detach(options: DetachOptions): Promise<number> {
  const early = join(options.gitDir, TRUTH_DIR, `detached-${process.pid}.log`);
  mkdirSync(join(options.gitDir, TRUTH_DIR), { recursive: true });
  const log = openSync(early, "wx");
  const child = spawn(process.execPath, [...process.execArgv, ...background(process.argv.slice(1), options)], {
    env: { ...process.env, [MARK]: "1" },
    // A session of its own: no terminal can hang it up or interrupt it.
    detached: true,
    stdio: [options.stdin === null ? "ignore" : "pipe", log, log, "ipc"],
  });
  closeSync(log);
  child.stdin?.end(options.stdin);
  const begun = await beginning(child);
  if (begun.kind === "ended") return refused(early, begun.code);
  child.unref();
  const path = settleLog(early, begun.message.dir);
  if (options.json) print(JSON.stringify({ run: begun.message.run, pid: child.pid ?? null, log: path }));
  else for (const line of farewell(begun.message.run, child.pid, path)) print(line);
  return 0;
}

/** The same command line; everything that this process asked or read is answered in it. */
function background([script = "", ...argv]: string[], { stdin, argument }: DetachOptions): string[] {
  const dashes = argv.indexOf("--");
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const agent = dashes === -1 ? [] : argv.slice(dashes);
  // The answer of this process is what --json is for; people read the log, and the journal has the events.
  const [command = "run", ...flags] = own.filter((word) => word !== "--detach" && word !== "--json");
  const objective = stdin !== null && stdin.trim() !== "" && argument === null ? ["-"] : [];
  return [script, command, ...objective, ...flags, "--trust", ...agent];
}

type Beginning = { kind: "opened"; message: OpenedMessage } | { kind: "ended"; code: number };

function beginning(child: ChildProcess): Promise<Beginning> {
  // A person who gives up now does not expect a run in the background.
  const giveUp = (): void => void child.kill("SIGTERM");
  process.on("SIGINT", giveUp);
  return new Promise<Beginning>((resolve) => {
    child.on("message", (message) => {
      if (v.is(openedSchema, message)) resolve({ kind: "opened", message });
    });
    child.on("error", () => resolve({ kind: "ended", code: EXIT_CODES.failed }));
    child.on("exit", (code) => resolve({ kind: "ended", code: code ?? EXIT_CODES.failed }));
  }).finally(() => process.off("SIGINT", giveUp));
}

/** Whatever it said is said here, as if it had never been in the background. */
function refused(log: string, code: number): number {
  complain(readFileSync(log, "utf8").trimEnd());
  rmSync(log);
  return code;
}

/** The log moves to the run it belongs to, once that is known. A continued run has earlier ones. */
function settleLog(early: string, runDir: string): string {
  let path = join(runDir, LOG_FILE);
  for (let n = 2; existsSync(path); n++) path = join(runDir, LOG_FILE.replace(".", `-${n}.`));
  renameSync(early, path);
  return path;
}

function farewell(run: string, pid: number | undefined, log: string): string[] {
  return [
    `Run ${run} goes on in the background, as process ${pid ?? "unknown"}.`,
    "  ralphd attach   watch it; Ctrl-C leaves it running",
    "  ralphd status   see where it stands",
    "  ralphd stop     end it after its iteration",
    `Its output: ${log}`,
  ];
}

/** True in the process that goes on in the background. */
export function takeDetachedMark(env: NodeJS.ProcessEnv): boolean {
  const marked = env[MARK] === "1" && process.send !== undefined;
  delete env[MARK];
  return marked;
}

/** The starter waits for this, and is gone afterwards. */
export function tellStarter(message: OpenedMessage): void {
  process.send?.(message, () => {
    if (process.connected) process.disconnect();
  });
}
