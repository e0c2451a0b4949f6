/** The life of one process tree: start, exit of its leader, drain, end of everything it left behind. */
import { type ChildEnd, type ChildOptions, openChild } from "./child.js";
import { endTree } from "./end-tree.js";
import { startOf, TOKEN_VARIABLE } from "./process-table.js";

export interface SuperviseOptions extends ChildOptions {
  token: string;
  killGraceMs: number;
}

export interface Supervised {
  readonly pid: number | null;
  /** When it started, as the process table counts; null where unknown. */
  readonly since: number | null;
  /** The leader is gone; what comes later can't be why it ended. */
  readonly ended: Promise<ChildEnd>;
  /** The same, once its remaining output was taken in. */
  readonly exited: Promise<ChildEnd>;
  /** Resolves once nothing of the tree is left that could be found. */
  readonly gone: Promise<void>;
  /** Ends the tree; may be called any number of times. */
  end(): void;
  hold(on: boolean): void;
}

/** After SIGKILL the exit arrives within a turn of the loop, or (process stuck in the kernel) never. */
const LAST_EXIT_MS = 1_000;

export function supervise(options: SuperviseOptions): Supervised {
  const { token, killGraceMs } = options;
  const child = openChild({ ...options, env: { ...options.env, [TOKEN_VARIABLE]: token } });
  // Within this turn not even a child that is over has been collected, so its start can still be read.
  const since = child.pid === null ? null : startOf(child.pid);
  let ending: Promise<void> | null = null;
  const end = (): Promise<void> => {
    ending ??= endTree({ pid: child.pid, token, since, graceMs: killGraceMs }).then(() => {
      setTimeout(child.abandon, LAST_EXIT_MS).unref();
    });
    return ending;
  };
  const exited = child.ended.then(async (how) => {
    await child.drain();
    return how;
  });
  return {
    pid: child.pid,
    since,
    ended: child.ended,
    exited,
    gone: exited.then(() => (child.pid === null ? undefined : end())),
    end: () => {
      if (child.pid !== null) void end();
    },
    hold: child.hold,
  };
}
