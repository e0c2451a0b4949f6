/** The program from outside: scratch repositories, fake agents as small executables, and the built command line. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, vi } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import type { StatusJson } from "../../src/report/status-schema.js";

export const PROGRAM = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const POLL_MS = 25;

/** A person's own configuration: what rests, rests briefly, and fake agents can reach the driver to end it. The sandbox has tests of its own. */
const USER_CONFIG = "sandbox: off\nbackoff: { first: 30ms, max: 60ms }\nsettleGrace: 300ms\nkillGrace: 500ms\n";

export interface RunOptions {
  /** Below the repository's root. */
  cwd?: string;
  env?: Record<string, string | undefined>;
  stdin?: string;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
  /** What it has printed so far. */
  stderr(): string;
}

export interface Scratch {
  root: string;
  /** Outside of the repository. */
  home: string;
  put(path: string, content: string): void;
  read(path: string): string;
  has(path: string): boolean;
  git(...args: string[]): string;
  run(args: string[], options?: RunOptions): Promise<Ran>;
  start(args: string[], options?: RunOptions): Running;
  /** Below the git directory. */
  runDir(): string;
  journal(): JournalEvent[];
  status(): Promise<StatusJson>;
  prompt(iteration: number): string;
}

/** A test starts the program several times; on a busy machine each start takes seconds. */
vi.setConfig({ testTimeout: 180_000 });

const folders: string[] = [];
const children = new Set<ChildProcess>();
let template: string | null = null;

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  endOrphans(folders);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
afterAll(() => {
  if (template !== null) rmSync(template, { recursive: true, force: true });
});

/** A driver that is killed leaves its agent to the next start, which a test may not have. */
function endOrphans(places: readonly string[]): void {
  // Elsewhere they end with their own commands.
  if (!existsSync("/proc/self/cmdline")) return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = readIfThere(`/proc/${pid}/cmdline`);
    if (!places.some((place) => words.includes(place))) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has just ended.
    }
  }
}

function folder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "ralphd-acceptance-")));
}

const GIT_ENV = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...GIT_ENV } }).trimEnd();
}

/** One commit with a README; copied, since git is slow to start. */
function startingPoint(): string {
  if (template !== null) return template;
  template = folder();
  git(template, "init", "-q", "-b", "main");
  git(template, "config", "user.name", "Person");
  git(template, "config", "user.email", "person@example.org");
  writeFileSync(join(template, "README.md"), "readme\n");
  git(template, "add", "-A");
  git(template, "commit", "-q", "-m", "start");
  return template;
}

/** `files` stay uncommitted, as a plan usually is; `committed` become a commit of their own. */
export function scratch(files: Record<string, string> = {}, committed: Record<string, string> = {}): Scratch {
  const home = folder();
  folders.push(home);
  const root = join(home, "repo");
  cpSync(startingPoint(), root, { recursive: true });
  write(join(home, "config/ralphd/config.yaml"), USER_CONFIG);
  for (const [path, content] of Object.entries(committed)) write(join(root, path), content);
  if (Object.keys(committed).length > 0) {
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "more");
  }
  for (const [path, content] of Object.entries(files)) write(join(root, path), content);
  return at(root, home);
}

/** The same view of any working tree, such as a worktree of a run. */
export function at(root: string, home: string): Scratch {
  const truth = (): string => join(git(root, "rev-parse", "--absolute-git-dir"), "ralphd");
  const runDir = (): string => {
    const runs = join(truth(), "runs");
    return join(runs, readdirSync(runs).sort().at(-1) ?? "");
  };
  const start = (args: string[], options: RunOptions = {}): Running => launch(args, { root, home, ...options });
  return {
    root,
    home,
    runDir,
    start,
    put: (path, content) => write(join(root, path), content),
    read: (path) => readFileSync(join(root, path), "utf8"),
    has: (path) => existsSync(join(root, path)),
    git: (...args) => git(root, ...args),
    run: (args, options = {}) => start(args, options).ended,
    journal: () => (existsSync(join(truth(), "runs")) ? parseLines(readIfThere(join(runDir(), "journal.jsonl"))) : []),
    status: async () => JSON.parse((await start(["status", "--json"]).ended).stdout) as StatusJson,
    prompt: (iteration) => readFileSync(join(runDir(), "iterations", String(iteration).padStart(4, "0"), "prompt.md"), "utf8"),
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Nothing is there, or not any more.
    return "";
  }
}

/** Every whole line must be JSON. */
export function parseLines(text: string): JournalEvent[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JournalEvent);
}

export function ofType<T extends JournalEvent["type"]>(events: readonly JournalEvent[], type: T): Extract<JournalEvent, { type: T }>[] {
  return events.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
}

/** `cat` takes the prompt; `tick` ticks the first open box of PLAN.md; `work` makes a file that is new in each iteration. */
const PRELUDE = `#!/bin/sh
cat > /dev/null
n=$RALPHD_ITERATION
tick() { sed -i '0,/- \\[ \\]/s//- [x]/' PLAN.md; }
work() { echo "$n" > "work-$n.txt"; }
`;

/** An agent of these shell lines, outside of the repository; the text comes back as what stands behind `--`. */
export function agent(place: Scratch, body: string): string[] {
  return script(place, `${PRELUDE}${body}\n`);
}

/** An executable of exactly this text. */
export function script(place: Scratch, text: string): string[] {
  const path = join(place.home, `agent-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return ["--", path];
}

export function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function launch(args: string[], options: RunOptions & { root: string; home: string }): Running {
  const { root, home, cwd, stdin, env } = options;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: cwd === undefined ? root : join(root, cwd),
    env: { ...cleanEnvironment(), ...GIT_ENV, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state"), ...env },
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  children.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => void (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => void (stderr += text));
  child.stdin?.end(stdin);
  const ended = new Promise<Ran>((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve({ code, stdout, stderr });
    });
  });
  return { child, ended, stderr: () => stderr };
}

/** Without the settings of whoever runs these tests, and without the marks of a run around them. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("RALPHD_")));
}

/** Waits for a condition, not for time; the test's own timeout is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Processes that a run of this place has left behind, whatever group, session or namespace they are in: all inherit its folder. */
export function leftovers(place: Scratch): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`XDG_CONFIG_HOME=${place.home}/config\0`));
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
