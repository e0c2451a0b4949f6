/** The system's processes, as far as ending a tree and measuring its work need them. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { readProcFile } from "./proc-file.js";
import { ownProgram } from "../../own-program.js";

/** The variable that marks every process of one agent or gate; inherited, whatever group or session it moves to. */
export const TOKEN_VARIABLE = "RALPHD_TOKEN";
/** Between the token of an iteration and what a gate or hook of it adds, so that a restart finds those as well. */
const PART = "-gate-";

/** The token of one gate or hook within an iteration; without an iteration's token it stands alone. */
export function partToken(token: string, name: string): string {
  return `${token}${PART}${name}`;
}

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Tells apart two processes that had the same pid; null where unknown. */
  started: string | null;
  /** User and system time, with that of children it waited for; null where unknown. */
  cpuMs: number | null;
}

/** Clock ticks a second in `/proc/<pid>/stat`: USER_HZ, 100 on every Linux port that Node runs on. */
const MS_PER_TICK = 10;

/** null: all. */
export type IdFilter = ((pid: number) => boolean) | null;

export interface ProcessTable {
  /** Living processes; zombies are left out since nothing can be done to them. */
  living: ProcessEntry[];
  /** Start times of what ended while the table was read, null where unknown: a child of it may be missing. */
  ended: (string | null)[];
}

/** With `ids` only of processes whose id is among them. */
export async function readTable(ids: IdFilter = null): Promise<ProcessTable> {
  return process.platform === "linux" ? readTableNow(ids) : { living: await listWithPs(), ended: [] };
}

export async function listProcesses(): Promise<ProcessEntry[]> {
  return (await readTable()).living;
}

/** The same without waiting; only on Linux, empty elsewhere. */
export function listProcessesNow(ids: IdFilter = null): ProcessEntry[] {
  return process.platform === "linux" ? readTableNow(ids).living : [];
}

function readTableNow(ids: IdFilter): ProcessTable {
  const table: ProcessTable = { living: [], ended: [] };
  for (const name of readdirSync("/proc")) {
    if (!/^\d/.test(name) || ids?.(Number(name)) === false) continue;
    const entry = parseStat(readProcFile(`/proc/${name}/stat`));
    if (entry === null || entry.isOver) table.ended.push(entry?.started ?? null);
    else table.living.push(entry);
  }
  return table;
}

/** When a process started, in the system's own unit; also of a zombie. null where unknown. */
export function startOf(pid: number): number | null {
  if (process.platform !== "linux") return null;
  const started = parseStat(readProcFile(`/proc/${pid}/stat`))?.started ?? null;
  return started === null ? null : Number(started);
}

/** Which of these processes carry the token, or that of a part of it, in their environment. */
export async function withToken(pids: number[], token: string): Promise<number[]> {
  return process.platform === "linux" ? withTokenNow(pids, token) : withTokenByPs(pids, token);
}

export function withTokenNow(pids: number[], token: string): number[] {
  const marks = ["\0", PART].map((end) => `\0${TOKEN_VARIABLE}=${token}${end}`);
  return pids.filter((pid) => {
    const environ = `\0${readProcFile(`/proc/${pid}/environ`) ?? ""}`;
    return marks.some((mark) => environ.includes(mark));
  });
}

/** Program and arguments; empty when it is gone or belongs to somebody else. Without /proc they are split at blanks. */
export async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === "linux")
    return Buffer.from(readProcFile(`/proc/${pid}/cmdline`) ?? "", "latin1")
      .toString("utf8")
      .replace(/\0+$/, "")
      .split("\0");
  const [line = ""] = await ps("-o", "command=", "-p", String(pid));
  return line.trim().split(/\s+/);
}

/** Fields after the name in parentheses, which may itself hold blanks and parentheses. See proc_pid_stat(5). */
function parseStat(stat: string | null): (ProcessEntry & { isOver: boolean }) | null {
  if (stat === null) return null;
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  const at = (field: number): number => Number(fields[field - 3]);
  if (close === -1) return null;
  return {
    isOver: fields[0] === "Z" || fields[0] === "X",
    pid: Number.parseInt(stat, 10),
    parent: at(4),
    group: at(5),
    session: at(6),
    started: fields[22 - 3] ?? null,
    cpuMs: (at(14) + at(15) + at(16) + at(17)) * MS_PER_TICK,
  };
}

async function ps(...args: string[]): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)(ownProgram("ps"), args, { maxBuffer: 64 * 1024 * 1024 });
    return stdout.split("\n");
  } catch {
    // Without `ps` nothing can be found; the group was signalled all the same.
    return [];
  }
}

async function listWithPs(): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  for (const line of await ps("-axo", "pid=,ppid=,pgid=,stat=")) {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith("Z")) continue;
    entries.push({ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, started: null, cpuMs: null });
  }
  return entries;
}

async function withTokenByPs(pids: number[], token: string): Promise<number[]> {
  const wanted = new Set(pids);
  const mark = ` ${TOKEN_VARIABLE}=${token}`;
  const found: number[] = [];
  for (const line of await ps("eww", "-axo", "pid=,command=")) {
    const pid = Number.parseInt(line, 10);
    if (wanted.has(pid) && [" ", PART].some((end) => `${line} `.includes(`${mark}${end}`))) found.push(pid);
  }
  return found;
}
