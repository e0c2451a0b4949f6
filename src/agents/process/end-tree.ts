/** Ends everything an agent or gate started, also what left its process group or session. */
import { setTimeout as sleep } from "node:timers/promises";
import { descendantIds } from "./pid-window.js";
import { isKept, type Leftovers } from "../../core/kept-process.js";
import { commandLine, type ProcessEntry, listProcessesNow, readTable, withToken, withTokenNow } from "./process-table.js";

/** After SIGKILL nothing but a hung kernel call survives; then waiting longer does not help. */
const KILL_BOUND_MS = 3_000;
/** Leftovers of a dead driver or of an agent that is gone get this long to clean up, for example a git lock. */
const SWEEP_GRACE_MS = 1_000;
/** Zombies that nobody collects, as in a container without an init, would otherwise make every look doubtful. */
const MAX_LOOKS = 2;

export interface TreeMark {
  /** Leader of the session and group; null when only the token is known. */
  pid: number | null;
  token: string;
  /** When the leader started, as the process table counts: nothing older can belong to it. null where unknown. */
  since: number | null;
  /** Processes made before the leader since the machine started; null where unknown. */
  forksBefore: number | null;
  /**
   * The leader is the sandbox's own process: told to end, it would take everything inside with it at once. It goes by
   * itself when what it started has gone.
   */
  wrapped?: boolean;
  /** Command lines of members that stay; never the leader. */
  keep?: readonly string[] | undefined;
}

/** What was met on the way. A pid stays known after its parent is gone. */
interface Met {
  seen: Map<number, ProcessEntry>;
  kept: Set<number>;
}

/** SIGTERM, grace, SIGKILL until nothing is found. Never throws. */
export async function endTree(mark: TreeMark & { graceMs: number }): Promise<Leftovers> {
  const met: Met = { seen: new Map(), kept: new Set() };
  const gone = await signalUntilGone(mark, "SIGTERM", mark.graceMs, met);
  if (!gone) await signalUntilGone(mark, "SIGKILL", KILL_BOUND_MS, met);
  return { ended: met.seen.size - met.kept.size, kept: met.kept.size };
}

/** Ends every process that carries the token, but for those to keep; returns how many. */
export async function sweep(token: string, keep?: readonly string[]): Promise<number> {
  return (await endTree({ pid: null, token, since: null, forksBefore: null, graceMs: SWEEP_GRACE_MS, keep })).ended;
}

/** CPU time of the living tree and of those it waited for; null where the system does not tell. */
export function cpuMs(mark: TreeMark): number | null {
  if (process.platform !== "linux") return null;
  const all = listProcessesNow(descendantIds(mark.pid, mark.forksBefore));
  const members = byKinship(all, mark, new Map());
  for (const pid of withTokenNow(strangers(all, members, mark), mark.token)) members.add(pid);
  return all.reduce((sum, entry) => (members.has(entry.pid) ? sum + (entry.cpuMs ?? 0) : sum), 0);
}

/** True when nothing is left. */
async function signalUntilGone(mark: TreeMark, signal: "SIGTERM" | "SIGKILL", boundMs: number, met: Met): Promise<boolean> {
  const deadline = performance.now() + boundMs;
  const told = new Set<number>();
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    const found = await findMembers(mark, met);
    if (found.length === 0) return true;
    const gently = signal === "SIGTERM" && mark.wrapped === true;
    const members = gently ? found.filter((entry) => entry.pid !== mark.pid) : found;
    // The group first: it is reached at once, while a list is stale as soon as somebody forks.
    if (mark.pid !== null && !gently && told.size === 0 && met.kept.size === 0 && members.some((entry) => entry.group === mark.pid)) send(-mark.pid, signal);
    for (const { pid } of members) {
      // A second SIGTERM makes some programs give up their clean-up; a second SIGKILL costs nothing.
      if (signal === "SIGKILL" || !told.has(pid)) send(pid, signal);
      told.add(pid);
    }
    if (performance.now() >= deadline) return false;
    await sleep(Math.max(1, Math.min(pauseMs, deadline - performance.now())));
  }
}

/** Looks again when something ended meanwhile: its last child may have come too late to be listed. */
async function findMembers(mark: TreeMark, met: Met): Promise<ProcessEntry[]> {
  for (let look = 1; ; look++) {
    const { living, ended } = await readTable(descendantIds(mark.pid, mark.forksBefore));
    const members = await membersOf(living, mark, met.seen);
    const found = await withoutKept(members, mark, met);
    const doubtful = ended.some((started) => started === null || mark.since === null || Number(started) >= mark.since);
    if (found.length > 0 || !doubtful || look === MAX_LOOKS) return found;
  }
}

/** Whom `keep` names stays, with everything that it started. */
async function withoutKept(members: ProcessEntry[], { pid: leader, keep = [] }: TreeMark, { kept }: Met): Promise<ProcessEntry[]> {
  if (keep.length === 0) return members;
  for (const { pid } of members) {
    if (pid !== leader && !kept.has(pid) && isKept(await commandLine(pid), keep)) kept.add(pid);
  }
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const { pid, parent } of members) if (kept.has(parent)) kept.add(pid);
  }
  return members.filter(({ pid }) => !kept.has(pid));
}

/** Adds to `seen`, so that a process stays known after its parent is gone. */
async function membersOf(all: ProcessEntry[], mark: TreeMark, seen: Map<number, ProcessEntry>): Promise<ProcessEntry[]> {
  const members = byKinship(all, mark, seen);
  for (const pid of await withToken(strangers(all, members, mark), mark.token)) members.add(pid);
  members.delete(process.pid);
  const found = all.filter((entry) => members.has(entry.pid));
  for (const entry of found) seen.set(entry.pid, entry);
  return found;
}

/** Who may belong to the tree all the same; looking into the environment of every process takes longer than a short agent. */
function strangers(all: ProcessEntry[], members: ReadonlySet<number>, { since }: TreeMark): number[] {
  const young = (entry: ProcessEntry): boolean => since === null || entry.started === null || Number(entry.started) >= since;
  return all.filter((entry) => !members.has(entry.pid) && young(entry)).map((entry) => entry.pid);
}

/** By group, session and descent; a pid seen earlier counts only while its start time is the same. */
function byKinship(all: ProcessEntry[], mark: TreeMark, seen: ReadonlyMap<number, ProcessEntry>): Set<number> {
  const members = new Set<number>();
  for (const { pid, group, session, started } of all) {
    const own = mark.pid !== null && (pid === mark.pid || group === mark.pid || session === mark.pid);
    const known = seen.get(pid);
    if (own || (known !== undefined && known.started === started)) members.add(pid);
  }
  // Parents may stand after their children in the list, so repeat until nothing is added.
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
  }
  members.delete(process.pid);
  return members;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it was faster. EPERM: it changed its user, and nobody but root could end it; the bound holds.
  }
}
