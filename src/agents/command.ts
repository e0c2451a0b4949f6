/** Any executable that reads the prompt on stdin: plain text out, or one AgentEvent a line. */
import type { AgentEvent, AgentExit } from "../core/agent-event.js";
import { readMarkers } from "../core/markers.js";
import type { Settings } from "../core/settings.js";
import type { Agent, AgentReach } from "../driver/ports.js";
import type { AgentContext } from "./context.js";
import { findExecutable } from "./executable.js";
import { replayStream } from "./process/replay-stream.js";
import { sanitize } from "./process/sanitize.js";
import { type Translator, startProcess, sweep } from "./process/tree.js";

/** Of a plain-text agent this much of the end is its message; the whole output is in the recorded stream. */
const TEXT_CHARACTERS = 64 * 1024;
const STDERR_CHARACTERS = 2_000;

/** Plain text tells nothing while it runs: agents of this kind may print only at the end. */
const TEXT_REACH: AgentReach = { streams: false, reportsUsage: false, reportsCost: false, reportsCommands: false };
/** What the format can carry; what an agent leaves out is unknown, and counted as that. */
const EVENTS_REACH: AgentReach = { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true };

export async function commandAgent(settings: Settings, context: AgentContext): Promise<Agent> {
  const { argv, output } = settings.agent;
  const createTranslator = output === "events" ? await eventsTranslator() : (prompt: string) => new TextTranslator(markerTest(settings.marker, prompt));
  return {
    kind: "command",
    reach: output === "events" ? EVENTS_REACH : TEXT_REACH,
    async check() {
      const [file] = argv;
      if (file === undefined) {
        return { kind: "missing", message: "the command agent has no program; give it after `--`, for example: ralphd run -- ./agent.sh" };
      }
      const found = findExecutable(file, { cwd: context.cwd, path: context.env["PATH"] });
      if (found.kind === "found") return { kind: "ready", version: found.path, billing: null };
      return { kind: "missing", message: `agent: ${found.message}; check what stands after \`--\`` };
    },
    start: (request) =>
      startProcess({
        argv,
        cwd: request.cwd,
        env: request.env,
        stdin: request.prompt,
        streamPath: request.streamPath,
        token: request.token,
        wrap: request.wrap,
        keep: request.keep,
        translator: createTranslator(request.prompt),
        killGraceMs: settings.killGraceMs,
        settleGraceMs: settings.settleGraceMs,
      }),
    replayStream: (raw) => replayStream(createTranslator(""), raw),
    reap: sweep,
  };
}

/** Whether a line is a marker of the agent's own: such a last line ends its turn, though its process may stay. */
function markerTest(marker: string, prompt: string): (line: string) => boolean {
  return (line) => {
    if (!line.includes("</")) return false;
    const { complete, gutter, blocked, wait } = readMarkers(sanitize(line), { marker, plainText: true, prompt });
    return complete || gutter || blocked !== null || wait !== null;
  };
}

class TextTranslator implements Translator {
  readonly #stdout = new TextTail(TEXT_CHARACTERS);
  readonly #stderr = new TextTail(STDERR_CHARACTERS);
  readonly #isMarker: (line: string) => boolean;
  #lastWord = false;

  constructor(isMarker: (line: string) => boolean) {
    this.#isMarker = isMarker;
  }

  line(line: string, stream: "stdout" | "stderr"): AgentEvent[] {
    (stream === "stdout" ? this.#stdout : this.#stderr).add(line);
    if (stream === "stdout" && line.trim() !== "") this.#lastWord = this.#isMarker(line);
    return [];
  }

  lastWord(): boolean {
    return this.#lastWord;
  }

  end(exit: AgentExit): AgentEvent[] {
    const text = this.#stdout.text();
    const events: AgentEvent[] = text === "" ? [] : [{ type: "text", text }];
    if (exit.kind !== "exited") return events;
    if (exit.code !== 0) events.push(crash(exit.code, this.#stderr.text()));
    events.push({ type: "finished", ok: exit.code === 0, text: text === "" ? null : text });
    return events;
  }
}

/** Loaded only when it is used: the schema library is slow to start. */
async function eventsTranslator(): Promise<(prompt: string) => Translator> {
  const { createEventReader } = await import("./event-schema.js");
  const { unknownEvent } = await import("./unknown-event.js");
  return () => {
    const read = createEventReader();
    const stderr = new TextTail(STDERR_CHARACTERS);
    let explained = false;
    return {
      line(line, stream) {
        if (line.trim() === "") return [];
        if (stream === "stderr") {
          stderr.add(line);
          return [unknownEvent(line)];
        }
        const event = read(line);
        explained ||= event.type === "finished" || event.type === "limit" || (event.type === "error" && event.fatal);
        return [event];
      },
      end: (exit) => (exit.kind === "exited" && exit.code !== 0 && !explained ? [crash(exit.code, stderr.text())] : []),
    };
  };
}

function crash(code: number, stderr: string): AgentEvent {
  return { type: "error", kind: "crash", fatal: true, message: stderr === "" ? `the agent ended with code ${code}` : stderr };
}

/** The end of a text that comes in lines. */
class TextTail {
  readonly #limit: number;
  #kept = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: string): void {
    this.#kept += `${line}\n`;
    // Cutting at twice the size copies each character a bounded number of times.
    if (this.#kept.length > 2 * this.#limit) this.#kept = this.#kept.slice(-this.#limit);
  }

  text(): string {
    return sanitize(this.#kept.slice(-this.#limit)).trim();
  }
}
