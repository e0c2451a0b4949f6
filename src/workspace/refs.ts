/** Moves refs with their old value as condition. */
import { type Git, type GitProcess, type GitResult, startGit } from "./git.js";

export interface RefWriter {
  /** Starts git ahead of time, so that the next move only waits for its work. */
  warm(): void;
  /** `HEAD` moves the branch it stands for. `from: null` means that it must not exist; undefined does not ask. */
  move(git: Pick<Git, "write">, ref: string, to: string, from?: string | null): Promise<GitResult>;
  close(): void;
}

const ARGS = ["update-ref", "-m", "commit: ralphd", "--stdin"];

export function createRefWriter(root: string, hooksPath: () => string | undefined): RefWriter {
  let waiting: GitProcess | null = null;
  return {
    warm() {
      waiting ??= startGit({ args: ARGS, cwd: root, ...pinned(hooksPath()) });
    },
    async move(git, ref, to, from) {
      const none = "0".repeat(to.length);
      const input = `update ${ref} ${to}${from === undefined ? "" : ` ${from ?? none}`}\n`;
      const ready = waiting;
      waiting = null;
      const first = ready === null ? null : await ready.finish(input);
      if (first?.code === 0) return first;
      // Lock contention is waited out by `write`; a true conflict fails again and says so.
      return git.write(ARGS, { input, ...pinned(hooksPath()) });
    },
    close() {
      void waiting?.finish("");
      waiting = null;
    },
  };
}

function pinned(hooksPath: string | undefined): { hooksPath?: string } {
  return hooksPath === undefined ? {} : { hooksPath };
}
