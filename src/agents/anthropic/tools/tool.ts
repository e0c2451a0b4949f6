/** The contract of one tool: a checked input becomes a prepared call, which says what it is about before it runs. */
import type Anthropic from "@anthropic-ai/sdk";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { IN_WORDS, misfitText } from "../../../core/misfit.js";
import type { OutputLimiter } from "./output.js";

export interface ToolContext {
  /** Real path of the working directory. */
  root: string;
  /** Environment of commands, already without secrets. */
  env: Record<string, string>;
  output: OutputLimiter;
  /** Aborted when the run shall end. */
  signal: AbortSignal;
  /** Between SIGTERM and SIGKILL. */
  killGraceMs: number;
  /** An expression that backtracks without end is stopped after this long. */
  searchMs: number;
  /** Lets a sub-agent look; absent within one. */
  explore?(question: string): Promise<ToolOutcome>;
}

/** What the driver is told about a call; see the toolCall event. */
export interface CallDetail {
  command?: string;
  path?: string;
  writes?: boolean;
  content?: string;
}

export interface ToolOutcome {
  ok: boolean;
  text: string;
  /** null for everything that is not a command, and for a command that was ended. */
  exitCode: number | null;
}

export interface PreparedCall {
  detail: CallDetail;
  /** Must not throw for what can be expected. */
  run(): Promise<ToolOutcome>;
}

export interface Tool {
  readonly name: string;
  /** `together`: only looks, so calls of one turn may overlap. `alone`: changes things, so order matters. */
  readonly order: "together" | "alone";
  readonly definition: Anthropic.Tool;
  prepare(input: unknown, context: ToolContext): Promise<PreparedCall>;
}

type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

export function defineTool<Schema extends ObjectSchema>(spec: {
  name: string;
  description: string;
  order: Tool["order"];
  schema: Schema;
  prepare(input: v.InferOutput<Schema>, context: ToolContext): PreparedCall | Promise<PreparedCall>;
}): Tool {
  return {
    name: spec.name,
    order: spec.order,
    definition: { name: spec.name, description: spec.description, input_schema: jsonSchema(spec.schema) },
    prepare: async (input, context) => {
      const parsed = v.safeParse(spec.schema, input, IN_WORDS);
      if (parsed.success) return spec.prepare(parsed.output, context);
      return refusal(`invalid input for ${spec.name}: ${misfitText(parsed.issues)}`);
    },
  };
}

export function refusal(text: string, detail: CallDetail = {}): PreparedCall {
  return { detail, run: async () => failed(text) };
}

export function failed(text: string): ToolOutcome {
  return { ok: false, text, exitCode: null };
}

export function succeeded(text: string): ToolOutcome {
  return { ok: true, text, exitCode: null };
}

/** Keys sorted at every level: the schema is part of the cached prefix and must be the same bytes in every process. */
function jsonSchema(schema: ObjectSchema): Anthropic.Tool.InputSchema {
  const { $schema: _dialect, ...plain } = toJsonSchema(schema, { typeMode: "input" });
  return { ...(sorted(plain) as Record<string, unknown>), type: "object" };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
