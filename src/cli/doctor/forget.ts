/** Does it forget? Each iteration is a new process; what could carry a conversation or a growing text into it is named. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { PROGRESS_FILE } from "../../core/paths.js";
import type { Settings } from "../../core/settings.js";
import { count } from "../../report/format.js";
import type { ChosenAgent, Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";

/**
 * Arguments with which the known agents go on with an earlier conversation, as their `--help` names them.
 * `-c` and `-r` mean that for some of them only: for codex `-c` is a setting.
 */
const SESSION_WORDS = /^(?:--continue|--resume|--session(?:-id)?|--fork-session|--resume-last|--last)(?:=|$)/;
const SHORT_SESSION_WORDS: Readonly<Record<string, readonly string[]>> = {
  claude: ["-c", "-r"],
  opencode: ["-c", "-s"],
  gemini: ["-r"],
  pi: ["-c", "-r"],
};
/** The agents read these by themselves, in every iteration. */
const INSTRUCTION_FILES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"];
/** About 8,000 tokens: a tenth of the context at which an iteration is ended. */
const LARGE_INSTRUCTIONS_BYTES = 32 * 1024;

export function checkForget({ repo, settings }: Examined, chosen: ChosenAgent): Finding[] {
  const agent = chosen.kind === "none" ? null : chosen.agent;
  return [
    session(settings, agent?.kind ?? settings.agent.kind),
    ...(agent === null ? [] : [rotation(settings, { kind: agent.kind, reportsUsage: agent.reach.reportsUsage })]),
    ...(repo === null ? [] : [progress(repo.root, settings), ...instructions(repo.root)]),
  ];
}

function session({ agent }: Settings, kind: string): Finding {
  const words = sessionWords(kind, [...agent.argv.slice(1), ...agent.args]);
  if (words.length === 0) return ok("forget.session", "each iteration starts a new agent, and none of its arguments goes on with an earlier conversation");
  return gap(
    "forget.session",
    `the agent's arguments go on with an earlier conversation: ${words.join(" ")}`,
    "Take them out of agent.args or agent.argv: what one iteration knows is handed on by files and git.",
  );
}

export function sessionWords(kind: string, words: readonly string[]): string[] {
  const short = SHORT_SESSION_WORDS[kind] ?? [];
  return words.filter((word, at) => SESSION_WORDS.test(word) || short.includes(word) || (kind === "codex" && word === "resume" && at === 0));
}

function rotation({ context }: Settings, { kind, reportsUsage }: { kind: string; reportsUsage: boolean }): Finding {
  const at = `${count(context.rotateTokens)} tokens`;
  if (reportsUsage) return ok("forget.context", `an iteration whose context reaches ${at} is ended and a fresh one begins`);
  return hint(
    "forget.context",
    `${kind} reports no tokens, so a context that grows beyond ${at} is not seen`,
    "Keep tasks small and `iterationTimeout` short, or take an agent that reports tokens (`ralphd agents`).",
  );
}

/** The agent appends to it and the driver cuts it at the end of each iteration. */
function progress(root: string, { progressBytes }: Settings): Finding {
  const size = sizeOf(join(root, PROGRESS_FILE));
  const limit = `${count(progressBytes)} bytes`;
  if (size === null) return ok("forget.progress", `${PROGRESS_FILE} does not exist yet; it will be kept below ${limit}`);
  return ok("forget.progress", `${PROGRESS_FILE} has ${count(size)} bytes and is kept below ${limit}`);
}

function instructions(root: string): Finding[] {
  return INSTRUCTION_FILES.flatMap((path) => {
    const size = sizeOf(join(root, path));
    if (size === null || size <= LARGE_INSTRUCTIONS_BYTES) return [];
    return [
      hint("forget.instructions", `${path} has ${count(size)} bytes, and agents read it in every iteration`, "Shorten it to what every task needs.", path),
    ];
  });
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
