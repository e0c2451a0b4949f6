/** The `bash` tool. */
import * as v from "valibot";
import { runShell, type ShellEnd } from "./shell.js";
import { defineTool, type ToolOutcome } from "./tool.js";

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 600;

export const bashTool = defineTool({
  name: "bash",
  order: "alone",
  description:
    "Run a command with bash in the working directory and return its output (stdout and stderr merged) and exit code. " +
    "Each call is a fresh shell without input; processes it leaves in the background are ended when it returns.",
  schema: v.object({
    command: v.pipe(v.string(), v.nonEmpty()),
    timeout_s: v.pipe(
      v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_TIMEOUT_S))),
      v.description(`Seconds until the command and its children are ended; default ${DEFAULT_TIMEOUT_S}, at most ${MAX_TIMEOUT_S}.`),
    ),
  }),
  prepare: ({ command, timeout_s }, context) => ({
    detail: { command },
    run: async () => {
      const output = context.output.collect();
      const timeoutS = timeout_s ?? DEFAULT_TIMEOUT_S;
      const end = await runShell({
        command,
        cwd: context.root,
        env: context.env,
        timeoutMs: timeoutS * 1000,
        killGraceMs: context.killGraceMs,
        signal: context.signal,
        onOutput: output.add,
      });
      return outcomeOf(end, output.finish(), timeoutS);
    },
  }),
});

function outcomeOf(end: ShellEnd, output: string, timeoutS: number): ToolOutcome {
  const tell = (note: string) => (output === "" ? note : `${output.replace(/\n$/, "")}\n${note}`);
  switch (end.kind) {
    case "exited": {
      const left = end.leftovers ? " [background processes were ended]" : "";
      return { ok: end.code === 0, exitCode: end.code, text: tell(`[exit code ${end.code}]${left}`) };
    }
    case "signalled":
      return { ok: false, exitCode: null, text: tell(`[ended by ${end.signal}]`) };
    case "timedOut":
      return { ok: false, exitCode: null, text: tell(`[timed out after ${timeoutS} s; the command and its children were ended]`) };
    case "aborted":
      return { ok: false, exitCode: null, text: tell("[the run was stopped]") };
    case "cannotStart":
      return { ok: false, exitCode: null, text: `bash could not be started: ${end.message}` };
  }
}
