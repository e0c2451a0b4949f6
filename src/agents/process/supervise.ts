/** The life of one process tree: start, exit of its leader, drain, end of everything it left behind. */
import { constants } from "node:os";
import type { Wrap } from "../../driver/ports.js";
import { type ChildEnd, type ChildOptions, openChild } from "./child.js";
import type { Leftovers } from "../../core/kept-process.js";
import { endTree, type TreeMark } from "./end-tree.js";
import { forkCount } from "./pid-window.js";
import { startOf, TOKEN_VARIABLE } from "./process-table.js";

export interface SuperviseOptions extends ChildOptions {
  token: string;
  killGraceMs: number;
  wrap?: Wrap | undefined;
  /** Folders that it may write into although the sandbox makes their surroundings read-only. */
  writable?: readonly string[];
  /** Command lines of what outlives the leader. */
  keep?: readonly string[] | undefined;
}

export interface Supervised {
  readonly pid: number | null;
  /** Where its processes can be found. */
  readonly mark: TreeMark;
  /** The leader is gone; what comes later can't be why it ended. */
  readonly ended: Promise<ChildEnd>;
  /** The same, once its remaining output was taken in. */
  readonly exited: Promise<ChildEnd>;
  /** Resolves once nothing of the tree is left that could be found, with what the leader left running; null where it was ended or nobody could see. */
  readonly gone: Promise<Leftovers | null>;
  /** Ends the tree; may be called any number of times. */
  end(): void;
  hold(on: boolean): void;
  say(text: string): void;
  closeInput(): void;
}

/** After SIGKILL the exit arrives within a turn of the loop, or (process stuck in the kernel) never. */
const LAST_EXIT_MS = 1_000;

export function supervise(options: SuperviseOptions): Supervised {
  const { token, killGraceMs, wrap, keep } = options;
  const env = { ...options.env, [TOKEN_VARIABLE]: token };
  const argv = wrap === undefined ? options.argv : wrap(options.argv, { cwd: options.cwd, env, writable: options.writable ?? [] });
  const wrapped = argv.length !== options.argv.length;
  const forksBefore = forkCount();
  const child = openChild({ ...options, argv, env });
  // Within this turn not even a child that is over has been collected, so its start can still be read.
  const mark = { pid: child.pid, token, since: child.pid === null ? null : startOf(child.pid), forksBefore, wrapped, keep };
  let ending: Promise<Leftovers> | null = null;
  const end = (): Promise<Leftovers> => {
    ending ??= endTree({ ...mark, graceMs: killGraceMs }).then((left) => {
      setTimeout(child.abandon, LAST_EXIT_MS).unref();
      return left;
    });
    return ending;
  };
  const sweepAfter = async (): Promise<Leftovers | null> => {
    // An end that began before counts the working tree; inside the sandbox the kernel was faster than any look.
    const counts = ending === null && !wrapped;
    const left = await end();
    return counts ? left : null;
  };
  const ended = child.ended.then((how) => (wrapped ? unwrapped(how) : how));
  const exited = ended.then(async (how) => {
    await child.drain();
    return how;
  });
  return {
    pid: child.pid,
    mark,
    ended,
    exited,
    gone: exited.then(() => (child.pid === null ? null : sweepAfter())),
    end: () => {
      if (child.pid !== null) void end();
    },
    hold: child.hold,
    say: child.say,
    closeInput: child.closeInput,
  };
}

/** The sandbox reports a death by signal n as a shell does: code 128 plus n. */
function unwrapped(end: ChildEnd): ChildEnd {
  if (end.kind !== "exited") return end;
  const signal = Object.entries(constants.signals).find(([, number]) => number === end.code - 128)?.[0];
  return signal === undefined ? end : { kind: "signalled", signal };
}
