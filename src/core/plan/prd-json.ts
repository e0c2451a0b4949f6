/** Reads `prd.json`: `userStories[]` with `id`, `title`, `passes`; `priority` orders them as groups do. */
import { type JsonNode, memberOf, readJson } from "./json-source.js";
import { slugOf, taskNamer } from "./task-id.js";
import type { Piece } from "./tasks.js";
import { textAt } from "../text-at.js";
import type { PlanProblem, Task } from "./types.js";

/** A story, with the place of the word behind `passes`; null where it has none yet. */
export interface Story extends Piece {
  passes: { start: number; end: number } | null;
}

export type PrdReading = { kind: "stories"; pieces: Story[]; warnings: PlanProblem[] } | { kind: "invalid"; problem: PlanProblem };

/** What an agent may write into a story without changing what the story asks for. */
const AGENT_KEYS = new Set(["passes", "notes"]);
const MANUAL = /^\(manual\)\s*/i;

export function readPrd(source: string): PrdReading {
  const bom = source.startsWith("\uFEFF") ? 1 : 0;
  // A space keeps all offsets and is no fault in JSON, as a byte-order mark is.
  const text = bom === 1 ? ` ${source.slice(1)}` : source;
  const reading = readJson(text);
  if (reading.kind === "fault") return invalid(text, reading.offset, `not valid JSON: ${reading.message}`);
  const stories = memberOf(reading.node, "userStories");
  if (stories?.kind !== "array") return invalid(text, stories?.start ?? reading.node.start, "`userStories` must be a list");
  const pieces: Story[] = [];
  const warnings: PlanProblem[] = [];
  const name = taskNamer();
  for (const story of stories.items) {
    if (story.kind !== "object") return invalid(text, story.start, "a user story must be an object");
    const piece = storyPiece(text, story, name, warnings);
    if (piece !== null) pieces.push(piece);
  }
  return { kind: "stories", pieces, warnings };
}

function storyPiece(text: string, story: JsonNode, name: (wanted: string) => string, warnings: PlanProblem[]): Story | null {
  const place = placeOf(text, story.start);
  const id = scalarText(memberOf(story, "id"));
  const title = scalarText(memberOf(story, "title")) || scalarText(memberOf(story, "description")) || id;
  if (title === "") {
    warnings.push({ ...place, message: "this user story has neither id nor title and is not counted" });
    return null;
  }
  const passes = memberOf(story, "passes");
  const passed = passes?.kind === "scalar" && passes.value === true;
  if (!passed && passes !== undefined && !(passes.kind === "scalar" && passes.value === false)) {
    warnings.push({ ...placeOf(text, passes.start), message: "`passes` must be true or false; read as false" });
  }
  const priority = memberOf(story, "priority");
  const task: Task = {
    id: name(id === "" ? slugOf(title) : id.replace(/\s+/g, "-")),
    text: title.replace(MANUAL, ""),
    state: passed ? "done" : MANUAL.test(title) ? "manual" : "open",
    mark: passed ? "x" : " ",
    markOffset: -1,
    line: place.line,
    depth: 0,
    parent: null,
    gates: [],
    edits: [],
    group: priority?.kind === "scalar" && Number.isInteger(priority.value) ? Number(priority.value) : null,
  };
  const { start, end } = story;
  return {
    task,
    definition: definitionOf(text, story),
    start,
    end,
    blockEnd: end,
    passes: passes === undefined ? null : { start: passes.start, end: passes.end },
  };
}

function definitionOf(text: string, story: JsonNode): string {
  const value: unknown = JSON.parse(text.slice(story.start, story.end));
  const entries = Object.entries(value as object).filter(([key]) => !AGENT_KEYS.has(key)); // `story` is an object node
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function scalarText(node: JsonNode | undefined): string {
  return node?.kind === "scalar" && node.value !== null ? String(node.value).replace(/\s+/g, " ").trim() : "";
}

function invalid(text: string, offset: number, message: string): PrdReading {
  return { kind: "invalid", problem: { ...placeOf(text, offset), message } };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: textAt(before, before.length - 1).length + 1 };
}
