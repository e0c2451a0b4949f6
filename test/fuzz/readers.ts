/** Every reader of foreign text as a function of that text alone, for what is measured. */
import { createEventReader } from "../../src/agents/event-schema.js";
import { createLineReader } from "../../src/agents/process/lines.js";
import { parseResetTime } from "../../src/agents/reset-time.js";
import { resolveSettings } from "../../src/config/load.js";
import { readMarkers } from "../../src/core/markers.js";
import { splitSource } from "../../src/core/plan/front-matter.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import { createDecoder } from "../../src/journal/read.js";
import { PRODUCTS, translator } from "../agents/recordings.js";
import { CORPUS } from "./corpus.js";
import { ORDINARY, type Shape } from "./shapes.js";

export const NOW = Date.UTC(2026, 10, 30, 23);

/** Of the text alone. */
export type Read = (text: string) => unknown;

/** The text as it may stand in a plan's front matter and in a configuration. */
function settings(text: string): unknown {
  const files = { project: text, user: null };
  return resolveSettings({ flags: {}, env: {}, frontMatter: text, frontMatterPath: "PLAN.md", frontMatterLine: 2, impliedGates: [], files });
}

function plan(path: string): Read {
  return (text) => parsePlan(text, { path, sections: null });
}

function frontMatter(text: string): unknown {
  return [splitSource(`---\n${text}`), parsePlan(`---\n${text}\n---\n- [ ] a\n`, { path: "PLAN.md", sections: null })];
}

function lines(text: string): unknown {
  const reader = createLineReader();
  const bytes = Buffer.from(text);
  const found = [];
  // Pieces as a pipe gives them, small enough that a long line comes in many.
  for (let from = 0; from < bytes.length; from += 512) found.push(...reader.push(bytes.subarray(from, from + 512)));
  return [...found, ...reader.end()];
}

function journal(text: string): unknown {
  const decoder = createDecoder("20261130-2200");
  const at = { at: "2026-11-30T22:00:00.000Z", run: "20261130-2200", iteration: 0 };
  const line = JSON.stringify({ type: "later", note: text, ...at });
  return [decoder.push(Buffer.from(`${line}\n`)), createDecoder(null).push(Buffer.from(text))];
}

/** As a whole line, on standard error, and as the longest word of each kind of line that its product prints. */
function stream(product: string): Read {
  const kinds = new Map<string, string>();
  for (const line of CORPUS) {
    const kind = /"type":"[^"]*"(?:,"subtype":"[^"]*")?/.exec(line)?.[0];
    if (kind !== undefined && !kinds.has(kind)) kinds.set(kind, line);
  }
  const carriers = [...kinds.values()];
  return (text) => {
    const reader = translator(product, { nowMs: () => NOW });
    const word = JSON.stringify(text);
    const events = [...reader.line(text, "stdout"), ...reader.line(text, "stderr")];
    for (const line of carriers) events.push(...reader.line(carrying(line, word), "stdout"));
    return [...events, ...reader.end({ kind: "exited", code: 1 })];
  };
}

function carrying(line: string, word: string): string {
  const words = line.match(/"(?:[^"\\]|\\.)*"(?=[,}\]])/g) ?? [];
  const longest = words.reduce((best, each) => (each.length > best.length ? each : best), "");
  return longest === "" ? line : line.replace(longest, () => word);
}

function adapter(text: string): unknown {
  const read = createEventReader();
  return [
    read(text),
    read(JSON.stringify({ type: "text", text })),
    read(JSON.stringify({ type: "toolResult", id: "1", ok: false, exitCode: 1, output: text })),
  ];
}

function markers(text: string): unknown {
  return readMarkers(`${text}\n<ralph>COMPLETE</ralph>`, { marker: "COMPLETE", plainText: false, prompt: "" });
}

export interface Reader {
  read: Read;
  /** What it is there for. */
  ordinary: Shape;
}

export const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(Object.keys(PRODUCTS).map((name) => [`stream of ${name}`, { read: stream(name), ordinary: ORDINARY.prose }])),
  "line reader": { read: lines, ordinary: ORDINARY.prose },
  "adapter event": { read: adapter, ordinary: ORDINARY.prose },
  "plan in Markdown": { read: plan("PLAN.md"), ordinary: ORDINARY.tasks },
  "plan in JSON": { read: plan("prd.json"), ordinary: ORDINARY.stories },
  "front matter": { read: frontMatter, ordinary: ORDINARY.gates },
  configuration: { read: settings, ordinary: ORDINARY.gates },
  markers: { read: markers, ordinary: ORDINARY.tasks },
  journal: { read: journal, ordinary: ORDINARY.prose },
  "reset time": { read: (text) => parseResetTime(text, NOW, "UTC"), ordinary: ORDINARY.prose },
};
