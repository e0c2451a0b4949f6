/** Folds one agent's events while they come: usage, actions, the final text, how it ended. No effects but reading files. */
import type { AgentEvent, AgentExit } from "../core/agent-event.js";
import type { Action, BrakeHit, SignDraft } from "../core/brakes/types.js";
import { watch, type WatchState } from "../core/brakes/watch.js";
import { type ContextWarning, estimatedTokens, NOTE_FILE, seenCharacters } from "../core/context-warning.js";
import type { Claims, Ending } from "../core/journal-event.js";
import { NO_CLAIMS } from "../core/journal-event.js";
import { readMarkers } from "../core/markers.js";
import { contextLimits } from "../core/model-windows.js";
import type { Settings } from "../core/settings.js";
import { riskOf } from "../core/risky-command.js";
import { isRealFailure } from "../core/signature.js";
import { applyUsage, UNKNOWN_USAGE, type Usage } from "../core/usage.js";

/** The last assistant message is kept up to this many characters. */
const MAX_FINAL_TEXT = 32_768;
/** Contents of files the agent writes are compared up to this size. */
const MAX_COMPARED_CHARS = 262_144;
const MAX_CACHED_FILES = 200;
/** Named to people; more of the same says nothing new. */
const MAX_RISKS = 5;
const MAX_RISK_CHARS = 120;

export interface SessionContext {
  settings: Settings;
  watch: WatchState;
  /** Normalised outcomes that failed before the run began. */
  baseline: readonly string[];
  exempt: readonly string[];
  read: (path: string) => string | null;
  prompt: string;
  model: string | null;
  plainText: boolean;
}

export class Session {
  usage: Usage = UNKNOWN_USAGE;
  contextTokens: number | null = null;
  /** As the agent names it, else as the settings do; null where neither says. */
  model: string | null;
  /** Answers that reported a context beyond the limit. */
  fullAnswers = 0;
  watch: WatchState;
  hit: BrakeHit | null = null;
  signs: SignDraft[] = [];
  /** Commands that go around checks or rewrite history, with what they do. */
  risks: string[] = [];
  toolCalls = 0;
  /** Set when the warning was given, or the agent said that it took one in. */
  warned: ContextWarning | null = null;
  finished: boolean | null = null;
  #context: SessionContext;
  #finalText: string | null = null;
  #error: Ending["error"] = null;
  #limit: Ending["limit"] = null;
  /** What the driver saw go in and out; a lower bound of the context. */
  #characters: number;
  #calls = new Map<string, Extract<AgentEvent, { type: "toolCall" }>>();
  #contents = new Map<string, string | null>();

  constructor(context: SessionContext) {
    this.#context = context;
    this.watch = context.watch;
    this.model = context.model;
    this.#characters = context.prompt.length;
  }

  take(event: AgentEvent, atMs: number): void {
    this.#characters += seenCharacters(event);
    switch (event.type) {
      case "text":
        this.#finalText = event.text;
        return;
      case "toolCall":
        this.#startCall(event);
        return;
      case "toolResult":
        this.#endCall(event, atMs);
        return;
      case "usage":
        this.#takeUsage(event);
        return;
      case "limit":
        this.#limit = { kind: event.kind, resumeAtMs: event.resumeAtMs, message: event.message };
        return;
      case "error":
        if (event.fatal) this.#error ??= { kind: event.kind, message: event.message };
        return;
      case "finished":
        this.finished = event.ok;
        if (event.text !== null && event.text !== "") this.#finalText = event.text;
        return;
      case "noteTaken":
        this.warned = { ...(this.warned ?? { ...this.contextSize(), channel: "message" }), delivered: true };
        return;
      case "started":
        this.model = event.model ?? this.model;
        return;
      case "unknown":
        return;
    }
  }

  ending(exit: AgentExit, facts: { durationMs: number; outputBytes: number }): Ending {
    const good = this.finished === true;
    return {
      exit,
      finishedOk: this.finished,
      // A success after reconnects is a success: what went wrong on the way was not fatal.
      error: good ? null : this.#error,
      limit: good ? null : this.#limit,
      toolCalls: this.toolCalls,
      ...facts,
    };
  }

  /** As the agent reports it, else estimated from what was seen. */
  contextSize(): { tokens: number; estimated: boolean } {
    if (this.contextTokens !== null) return { tokens: this.contextTokens, estimated: false };
    return { tokens: estimatedTokens(this.#characters), estimated: true };
  }

  contextLimits(): { warnTokens: number; rotateTokens: number } {
    return contextLimits(this.#context.settings.context, this.model);
  }

  finalText(): string | null {
    return this.#finalText === null ? null : this.#finalText.slice(-MAX_FINAL_TEXT);
  }

  /** Words count only when the agent came to its own end; a request for a person counts always. */
  claims(exit: AgentExit): Claims {
    const { settings, prompt, plainText } = this.#context;
    const text = this.finalText();
    if (text === null) return NO_CLAIMS;
    const markers = readMarkers(text, { marker: settings.marker, plainText, prompt });
    const settled = exit.kind === "stopped" && exit.cause === "settled";
    const ended = settled || (exit.kind === "exited" && exit.code === 0 && this.finished !== false);
    return { ...markers, complete: markers.complete && ended, ticked: [] };
  }

  #startCall(event: Extract<AgentEvent, { type: "toolCall" }>): void {
    this.toolCalls += 1;
    if (this.warned?.channel === "file" && looksAt(event, NOTE_FILE)) this.warned = { ...this.warned, delivered: true };
    const risk = event.command === undefined ? null : riskOf(event.command);
    if (risk !== null && this.risks.length < MAX_RISKS) this.risks.push(`\`${event.command?.slice(0, MAX_RISK_CHARS)}\` ${risk}`);
    this.#calls.set(event.id, event);
    if (event.writes === true && event.path !== undefined && !this.#contents.has(event.path)) {
      this.#remember(event.path, this.#context.read(event.path));
    }
  }

  #endCall(event: Extract<AgentEvent, { type: "toolResult" }>, atMs: number): void {
    const call = this.#calls.get(event.id);
    if (call === undefined) return;
    this.#calls.delete(event.id);
    this.#act(this.#actionOf(call, event, atMs));
  }

  #actionOf(call: Extract<AgentEvent, { type: "toolCall" }>, result: Extract<AgentEvent, { type: "toolResult" }>, atMs: number): Action {
    if (call.command !== undefined) {
      const failed = (!result.ok || (result.exitCode ?? 0) !== 0) && isRealFailure(call.command, result.exitCode, result.output);
      return { kind: "command", command: call.command, failed, exitCode: result.exitCode, output: result.output, atMs };
    }
    if (call.writes === true && call.path !== undefined && result.ok) {
      const before = this.#contents.get(call.path) ?? null;
      const after = call.content ?? this.#context.read(call.path);
      this.#remember(call.path, after);
      return { kind: "write", path: call.path, before, after: this.#contents.get(call.path) ?? null, atMs };
    }
    return { kind: "tool", name: call.name, input: call.input, atMs };
  }

  #act(action: Action): void {
    const { settings, baseline, exempt } = this.#context;
    const result = watch(this.watch, action, settings.brakes, baseline, exempt);
    this.watch = result.state;
    this.hit ??= result.hit;
    if (result.sign !== null) this.signs.push(result.sign);
  }

  #takeUsage(event: Extract<AgentEvent, { type: "usage" }>): void {
    this.usage = applyUsage(this.usage, event);
    if (event.contextTokens === undefined) return;
    this.contextTokens = event.contextTokens;
    if (event.contextTokens >= this.contextLimits().rotateTokens) this.fullAnswers += 1;
  }

  #remember(path: string, content: string | null): void {
    if (this.#contents.size >= MAX_CACHED_FILES) this.#contents.delete(this.#contents.keys().next().value ?? "");
    this.#contents.set(path, content !== null && content.length > MAX_COMPARED_CHARS ? null : content);
  }
}

function looksAt(call: Extract<AgentEvent, { type: "toolCall" }>, path: string): boolean {
  return call.path === path || call.command?.includes(path) === true;
}
