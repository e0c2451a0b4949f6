/** The machine below a run: node, sandbox, disk, clock, file watching. Each answer is tried here and now where that is cheap. */
import { type FSWatcher, mkdtempSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../run/refusal.js";
import { requireSandbox } from "../../run/sandbox.js";
import { createGit } from "../../workspace/git.js";
import { duration } from "../../report/format.js";
import type { Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";

/** As `engines` in package.json says. */
const OLDEST_NODE = [20, 19] as const;
const MEGABYTE = 1024 * 1024;
/** A journal, a commit and a worktree of a small project. Below that a night can't begin. */
const LEAST_FREE_BYTES = 100 * MEGABYTE;
/** How long the two clocks are held against each other, and what is more than rounding and scheduling. */
const CLOCK_SAMPLE_MS = 250;
const CLOCK_TOLERANCE_MS = 100;
/** A file system's clock may be another machine's. */
const FILE_TOLERANCE_MS = 2_000;
const HISTORY_TOLERANCE_MS = 60_000;

export async function checkMachine(examined: Examined): Promise<Finding[]> {
  const found = await Promise.all([node(), sandbox(examined), disk(examined), clock(), zone(examined.env), history(examined), watching()]);
  return found.flat();
}

function node(): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const seen = `node ${process.versions.node}`;
  return [old ? gap("machine.node", `${seen} is too old`, `Install node ${OLDEST_NODE.join(".")} or newer.`) : ok("machine.node", seen)];
}

/** As the start of a run decides it, a closed network included. */
async function sandbox({ settings, env }: Examined): Promise<Finding[]> {
  try {
    const { isolated, note } = await requireSandbox(settings, env);
    const seen = note.replace(/^sandbox: /, "");
    if (isolated) return [ok("machine.sandbox", seen)];
    return [
      hint(
        "machine.sandbox",
        seen,
        settings.sandbox === "off" ? "Set `sandbox: auto`, which uses it where it works." : "On Linux, bubblewrap makes what must not change read-only.",
      ),
    ];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [gap("machine.sandbox", error.message.split("\n")[0] ?? "", error.message.split("\n")[1] ?? "Make it work, or set `sandbox: auto`.")];
  }
}

/** Where journals, worktrees and temporary files go. */
async function disk({ repo, settings }: Examined): Promise<Finding[]> {
  const wanted = settings.retention.megabytes * MEGABYTE;
  const places = [...new Set([...(repo === null ? [] : [repo.gitDir]), tmpdir()])];
  return Promise.all(
    places.map(async (path) => {
      const { bavail, bsize, ffree, files } = await statfs(path);
      const free = bavail * bsize;
      const seen = `${Math.floor(free / MEGABYTE).toLocaleString("en-US")} MB are free for ${path}`;
      if (free < LEAST_FREE_BYTES) return gap("machine.disk", seen, "Make room; a full disk ends a run.", path);
      // Some file systems make inodes as they go and report none.
      if (files > 0 && ffree === 0) return gap("machine.disk", `${seen}, but no file can be added (no inodes)`, "Remove files; a full disk ends a run.", path);
      return free < wanted
        ? hint("machine.disk", seen, `Old runs may take up to ${settings.retention.megabytes} MB (\`retention\`); make room or lower it.`, path)
        : ok("machine.disk", seen, path);
    }),
  );
}

/** Waits for limits go by the wall clock, timeouts by the monotonic one. */
async function clock(): Promise<Finding[]> {
  const before = { wall: Date.now(), steady: performance.now() };
  await sleep(CLOCK_SAMPLE_MS);
  const off = Math.round(Math.abs(Date.now() - before.wall - (performance.now() - before.steady)));
  if (off > CLOCK_TOLERANCE_MS)
    return [
      hint(
        "machine.clock",
        `the wall clock moved ${duration(off)} against the monotonic one within ${duration(CLOCK_SAMPLE_MS)}`,
        "Let it be set before the run (`timedatectl`, `chronyc tracking`): waits for limits go by it.",
      ),
    ];
  const folder = mkdtempSync(join(tmpdir(), "ralphd-clock-"));
  try {
    writeFileSync(join(folder, "now"), "");
    const behind = Math.round(Math.abs(statSync(join(folder, "now")).mtimeMs - Date.now()));
    if (behind > FILE_TOLERANCE_MS)
      return [
        hint(
          "machine.clock",
          `the file system's clock is ${duration(behind)} away from this machine's`,
          "Let both be set by the same time server; what changed last is told by file times.",
        ),
      ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [ok("machine.clock", `wall and monotonic clock agree within ${off} ms over ${CLOCK_SAMPLE_MS} ms`)];
}

function zone(env: NodeJS.ProcessEnv): Finding[] {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const named = (env["TZ"] ?? "").replace(/^:/, "");
  const seen = `time zone ${timeZone}, now ${new Date().toString().replace(/ \(.*/, "")}`;
  // Vendors name reset times in a zone, or in the local one without saying so.
  if (named !== "" && !named.startsWith("/") && !isZone(named))
    return [
      hint(
        "machine.zone",
        `TZ=${named} is no zone that is known here; ${seen}`,
        "Set TZ to a name such as Europe/Berlin: reset times of limits are read in it.",
      ),
    ];
  return [ok("machine.zone", seen)];
}

function isZone(name: string): boolean {
  try {
    Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    // A RangeError is the answer: it does not know the name. POSIX forms such as CET-1CEST are none either.
    return /^[A-Za-z]{3,}[-+]?\d/.test(name);
  }
}

/** A commit from the future shows a clock that was or is wrong. */
async function history({ repo }: Examined): Promise<Finding[]> {
  if (repo === null) return [];
  const git = createGit({ root: repo.root });
  const result = await git.read(["log", "-1", "--format=%ct"]);
  await git.close();
  const ahead = Number(result.stdout.toString("utf8").trim()) * 1000 - Date.now();
  if (result.code !== 0 || !(ahead > HISTORY_TOLERANCE_MS)) return [];
  return [
    hint(
      "machine.history",
      `the last commit is ${duration(ahead)} in the future, so this clock is behind or another one was ahead`,
      "Compare `date` with another machine.",
    ),
  ];
}

/** Edits of plan and signs by people are seen by watching; without it they are seen at the next start. */
async function watching(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "ralphd-watch-"));
  const limits = process.platform === "linux" ? ` (inotify: ${limit("max_user_watches")} watches, ${limit("max_user_instances")} instances a user)` : "";
  try {
    const problem = await tryWatch(folder);
    if (problem === null) return [ok("machine.watch", `files can be watched${limits}`)];
    return [
      hint(
        "machine.watch",
        `files can't be watched: ${problem}${limits}; your edits of the plan during a run are not seen at once`,
        "Raise the limit, such as `sudo sysctl fs.inotify.max_user_instances=512 fs.inotify.max_user_watches=524288`, or close what watches much.",
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function limit(name: string): string {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8")).toLocaleString("en-US");
  } catch {
    // A kernel without inotify, or a hidden /proc: the attempt itself decides.
    return "unknown";
  }
}

async function tryWatch(folder: string): Promise<string | null> {
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder);
    const failed = new Promise<string>((resolve) => watcher?.once("error", (error) => resolve(error.message)));
    return await Promise.race([failed, sleep(0, null)]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    watcher?.close();
  }
}
