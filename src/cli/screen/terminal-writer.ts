/** Writes frames to a terminal, seldom enough not to flicker, and gives the terminal back on every way out. */
import { writeSync } from "node:fs";
import { wrap } from "./fit.js";
import { frame, HIDE_CURSOR, SHOW_CURSOR } from "./frame.js";
import type { Size } from "./block.js";

export interface TerminalStream {
  readonly fd: number;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  /** Node's own, undocumented: asks the system for the size instead of waiting for the signal that it changed. */
  _refreshSize?(): void;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export interface Terminal {
  /** A line that scrolls away; shown at once. */
  keep(line: string): void;
  /** The block may look different now; drawn soon. */
  changed(): void;
  close(): void;
}

/** Faster changes can't be read. */
const MIN_REDRAW_MS = 150;
/** While a window is dragged to its size, a frame would reach a terminal that has another one again. */
const SETTLE_MS = 200;
/** What a terminal is taken for that does not know its size. */
const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };

export function openTerminal(stream: TerminalStream, render: (size: Size) => string[]): Terminal {
  let drawn: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  let open = true;
  const size = (): Size => {
    // A frame made for another size than the terminal has now would leave traces that nothing can find again.
    stream._refreshSize?.();
    return { columns: stream.columns || DEFAULT_SIZE.columns, rows: stream.rows || DEFAULT_SIZE.rows };
  };
  const put = (above: readonly string[], block: string[], columns: number): void => {
    stream.write(frame({ drawn, above, block, columns }));
    drawn = block;
    lastMs = performance.now();
  };
  const clear = (): void => put([], [], size().columns);
  const draw = (): void => {
    timer = null;
    if (!open) return;
    const now = size();
    const block = render(now);
    if (block.length !== drawn.length || block.some((line, index) => line !== drawn[index])) put([], block, now.columns);
  };
  const changed = (): void => {
    if (open) timer ??= setTimeout(draw, Math.max(0, lastMs + MIN_REDRAW_MS - performance.now()));
  };
  const resized = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(draw, SETTLE_MS);
  };
  const release = guard(stream, {
    resized,
    suspended: clear,
    resumed: changed,
    hungUp: () => {
      open = false;
    },
  });
  return {
    keep: (line) => {
      if (!open) return;
      const now = size();
      put(wrap(line, Math.max(1, now.columns - 1)), render(now), now.columns);
    },
    changed,
    close: () => {
      if (timer !== null) clearTimeout(timer);
      if (open) clear();
      open = false;
      release();
    },
  };
}

interface Happenings {
  resized(): void;
  suspended(): void;
  resumed(): void;
  /** Nobody sees the terminal any more. */
  hungUp(): void;
}

/** Hides the cursor; shows it again when the process ends, however, and while it is suspended. */
function guard(stream: TerminalStream, on: Happenings): () => void {
  const suspend = (): void => {
    on.suspended();
    show(stream.fd);
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = (): void => {
    stream.write(HIDE_CURSOR);
    on.resumed();
  };
  // Its default is to end the process at once, without its exit handlers; the second signal has that default again.
  const quit = (): void => {
    restore();
    process.kill(process.pid, "SIGQUIT");
  };
  const restore = (): void => {
    process.off("SIGTSTP", suspend).off("SIGCONT", resume).off("SIGHUP", on.hungUp).off("SIGQUIT", quit).off("exit", restore);
    stream.off("resize", on.resized);
    show(stream.fd);
  };
  stream.write(HIDE_CURSOR);
  stream.on("resize", on.resized);
  process.on("SIGTSTP", suspend).on("SIGCONT", resume).on("SIGHUP", on.hungUp).on("SIGQUIT", quit).on("exit", restore);
  return restore;
}

/** Written at once: the process may have no further turn of its event loop. */
function show(fd: number): void {
  try {
    writeSync(fd, SHOW_CURSOR);
  } catch {
    // The terminal is gone, and its cursor with it.
  }
}
