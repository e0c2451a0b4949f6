/**
 * Any agent that speaks the Agent Client Protocol on stdin and stdout: `acp:<command>`. The protocol needs an answering
 * partner, so a bridge of ours runs beside the agent, in the same process tree, and writes agent events.
 */
import type { Settings } from "../core/settings.js";
import type { Agent, AgentCheck } from "../driver/ports.js";
import { shippedFile } from "../shipped.js";
import { ACP_PREFIX } from "../core/agent-kinds.js";
import { splitShell } from "../core/signature/shell-words.js";
import { MODEL_VARIABLE } from "./acp/model-variable.js";
import { builtInTranslator, readEvent } from "./anthropic/translate.js";
import type { AgentContext } from "./context.js";
import { findExecutable } from "./executable.js";
import { startProcess, sweep } from "./process/tree.js";

const BRIDGE = "dist/agents/acp/bridge.js";

export function acpAgent(settings: Settings, context: AgentContext): Agent {
  const argv = acpCommand(settings);
  return {
    kind: "acp",
    // The protocol has no exit codes for commands, and tells tokens and money only where an agent adds them.
    reach: { streams: true, reportsUsage: false, reportsCost: false, reportsCommands: false },
    check: () => check(argv, context),
    start: (request) =>
      startProcess({
        argv: [process.execPath, shippedFile(BRIDGE), ...argv],
        cwd: request.cwd,
        env: { ...request.env, ...(settings.agent.model === null ? {} : { [MODEL_VARIABLE]: settings.agent.model }) },
        stdin: request.prompt,
        streamPath: request.streamPath,
        token: request.token,
        wrap: request.wrap,
        keep: request.keep,
        translator: builtInTranslator("the ACP agent"),
        killGraceMs: settings.killGraceMs,
        settleGraceMs: settings.settleGraceMs,
      }),
    replayStream: (raw) => raw.split("\n").flatMap((line) => (line === "" ? [] : [readEvent(line)])),
    reap: sweep,
  };
}

/** The command stands behind `acp:`, in words as a shell would split them but without one, or in `agent.argv`. */
export function acpCommand({ agent }: Settings): string[] {
  const named = agent.kind.startsWith(ACP_PREFIX) ? splitShell(agent.kind.slice(ACP_PREFIX.length)).map((piece) => piece.text) : [];
  return [...(named.length > 0 ? named : agent.argv), ...agent.args];
}

/** What the protocol calls logged in shows only when a session is opened. */
async function check(argv: string[], context: AgentContext): Promise<AgentCheck> {
  const [file] = argv;
  if (file === undefined) return { kind: "missing", message: "acp has no command; name it, for example: --agent 'acp:gemini --experimental-acp'" };
  const found = findExecutable(file, { cwd: context.cwd, path: context.env["PATH"] });
  return found.kind === "found" ? { kind: "ready", version: found.path, billing: null } : { kind: "missing", message: `acp: ${found.message}` };
}
