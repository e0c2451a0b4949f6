/** Lets something be done at once, but not again and again: a loop of quick iterations would write views that nobody can read. */

export interface Pace {
  /** At once when the last time is long enough ago, else as soon as it is. */
  soon(): void;
  now(): void;
}

export function pace(act: () => void, everyMs: number): Pace {
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const now = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    act();
    // Measured from its end, so that a slow disk is left time for other things.
    lastMs = performance.now();
  };
  return {
    now,
    soon: () => {
      const waitMs = lastMs + everyMs - performance.now();
      if (waitMs <= 0) now();
      // A view is no reason to keep the program alive: whoever ends it writes them once more.
      else timer ??= setTimeout(now, waitMs).unref();
    },
  };
}
