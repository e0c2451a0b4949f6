/** Moves refs with their old value as condition. */
import { createSession, type GitSession } from "./git-session.js";
import type { Git, GitResult } from "./git.js";

export interface RefWriter {
  /** `HEAD` moves the branch it stands for. `from: null` means that it must not exist; undefined does not ask. */
  move(git: Pick<Git, "write">, ref: string, to: string, from?: string | null): Promise<GitResult>;
  close(): Promise<void>;
}

const ARGS = ["update-ref", "-m", "commit: ralphd", "--stdin"];
/** One transaction after the other in one git; before version 2.30 it ends after the first. */
const DONE = Buffer.from("start: ok\nprepare: ok\ncommit: ok\n");

export function createRefWriter(root: string, hooksPath: () => string | undefined): RefWriter {
  let session: GitSession | null = null;
  return {
    async move(git, ref, to, from) {
      const none = "0".repeat(to.length);
      const update = `update ${ref} ${to}${from === undefined ? "" : ` ${from ?? none}`}\n`;
      session ??= createSession(root, ARGS, { hooksPath: hooksPath() });
      const answer = await session.ask(`start\n${update}prepare\ncommit\n`, () => DONE.length);
      if (answer?.equals(DONE) === true) return { code: 0, stdout: Buffer.alloc(0), stderr: "", timedOut: false };
      // Lock contention is waited out by `write`; a true conflict fails again and says so.
      return git.write(ARGS, { input: update, ...pinned(hooksPath()) });
    },
    close: () => session?.close() ?? Promise.resolve(),
  };
}

function pinned(hooksPath: string | undefined): { hooksPath?: string } {
  return hooksPath === undefined ? {} : { hooksPath };
}
