/** Runs a person's hooks as processes: the event on stdin, the environment of an agent, output into the run's folder. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { partToken } from "../agents/process/process-table.js";
import { runCommand } from "../agents/process/run-command.js";
import type { HookName, HookSpec } from "../core/notice.js";
import type { Hooks, Wrap } from "../driver/ports.js";
import type { OnceScope } from "../once/scope.js";

export interface HookOptions {
  specs: Partial<Record<HookName, HookSpec>>;
  root: string;
  /** Of the run. */
  dir: string;
  killGraceMs: number;
  signal: AbortSignal;
  wrap: Wrap | undefined;
  /** Records of `ralphd once` for this hook alone. */
  onceFor(hook: HookName): OnceScope;
}

const FOLDER = "hooks";

export function createHooks({ specs, root, dir, killGraceMs, signal, wrap, onceFor }: HookOptions): Hooks {
  return {
    has: (name) => specs[name] !== undefined,
    async run(name, facts, { env, token }) {
      const spec = specs[name];
      if (spec === undefined) return null;
      mkdirSync(join(dir, FOLDER), { recursive: true });
      const output = `${FOLDER}/${String(facts.iteration).padStart(4, "0")}-${name}.log`;
      const own = onceFor(name);
      const { exit } = await runCommand({
        argv: spec.argv,
        cwd: root,
        env: { ...env, ...own.env },
        stdin: `${JSON.stringify({ event: name, ...facts, root })}\n`,
        timeoutMs: spec.timeoutMs,
        outputPath: join(dir, output),
        // The end is told also after a person has stopped everything else.
        signal: name === "onStop" ? new AbortController().signal : signal,
        // Its own: a git hook that went on in the background is not to end with this one.
        token: partToken(token, name),
        killGraceMs,
        wrap,
        writable: own.writable,
      });
      return exit.kind === "exited" && exit.code === 0 ? null : `hook ${name} ${said(exit, spec.timeoutMs)}; its output is ${output} in the run's folder`;
    },
  };
}

function said(exit: Awaited<ReturnType<typeof runCommand>>["exit"], timeoutMs: number): string {
  switch (exit.kind) {
    case "exited":
      return `exited ${exit.code}`;
    case "signalled":
      return `was killed by ${exit.signal}`;
    case "timedOut":
      return `took longer than ${timeoutMs / 1_000} s`;
    case "aborted":
      return "was ended with the run";
    case "cannotStart":
      return `could not be started: ${exit.message}`;
  }
}
