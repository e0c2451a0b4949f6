/** Reads a plan together with the places of its tasks in the file, for those who change the file. */
import { type Box, type Heading, type Scan, scanBoxes } from "./boxes.js";
import { frontMatterKeys, type SplitSource, splitSource } from "./front-matter.js";
import { type Markdown, parseMarkdown } from "./markdown.js";
import { unreadable } from "./markdown-bounds.js";
import { readPrd } from "./prd-json.js";
import { boxlessSections, isInTaskSection, isTaskHeading, validationGates } from "./task-headings.js";
import { type Piece, piecesOf, settleParents } from "./tasks.js";
import type { Plan, PlanFormat, PlanProblem } from "./types.js";
import { findUnclosed } from "./unclosed.js";

export interface PlanOptions {
  /** Only the file name matters: it decides the format. */
  path: string;
  /** Headings whose tasks count; null means all. */
  sections: string[] | null;
}

export type LocatedReading = { kind: "plan"; plan: Plan; pieces: Piece[] } | { kind: "invalid"; problems: PlanProblem[] };

export function readLocated(source: string, options: PlanOptions): LocatedReading {
  const name = options.path.replace(/^.*[\\/]/s, "").toLowerCase();
  return name.endsWith(".json") ? readJsonPlan(source) : readMarkdownPlan(source, name, options.sections);
}

function readJsonPlan(source: string): LocatedReading {
  const reading = readPrd(source);
  if (reading.kind === "invalid") return { kind: "invalid", problems: [reading.problem] };
  const { pieces, warnings } = reading;
  const tasks = pieces.map((piece) => piece.task);
  return { kind: "plan", pieces, plan: { format: "prd_json", tasks, frontMatter: null, impliedGates: [], objective: null, warnings } };
}

function readMarkdownPlan(source: string, name: string, sections: string[] | null): LocatedReading {
  const split = splitSource(source);
  if (split.unclosed !== null) return { kind: "invalid", problems: [split.unclosed] };
  const bound = unreadable(split.body);
  if (bound !== null) return { kind: "invalid", problems: [{ line: split.bodyLine + bound.line, column: 1, message: bound.message }] };
  const markdown = parseMarkdown(split.body);
  const problems = findUnclosed(markdown, split.bodyLine);
  if (problems.length > 0) return { kind: "invalid", problems };
  const scan = scanBoxes(split.body, markdown, { offset: split.prefix.length, line: split.bodyLine });
  const format = formatOf(name, split, scan);
  const warnings = [...frontMatterWarnings(split), ...scan.warnings];
  const gates = impliedGates(format, split, markdown, warnings);
  const pieces = piecesOf(inScope(scan, format, sections, warnings));
  const tasks = pieces.map((piece) => piece.task);
  settleParents(tasks, warnings);
  const prose = split.body.trim();
  const objective = format === "prompt" && prose !== "" ? prose : null;
  warnings.sort((a, b) => a.line - b.line);
  return { kind: "plan", pieces, plan: { format, tasks, frontMatter: split.frontMatter, impliedGates: gates, objective, warnings } };
}

function formatOf(name: string, split: SplitSource, scan: Scan): PlanFormat {
  if (name === "ralph_task.md" || frontMatterKeys(split.frontMatter)?.test_command !== undefined) return "ralph_task";
  if (scan.headings.some(isTaskHeading)) return "task_headings";
  return name === "prompt.md" && scan.boxes.length === 0 ? "prompt" : "markdown";
}

function impliedGates(format: PlanFormat, split: SplitSource, markdown: Markdown, warnings: PlanProblem[]): Plan["impliedGates"] {
  if (format === "task_headings") {
    const found = validationGates(markdown, split.bodyLine);
    warnings.push(...found.warnings);
    return found.gates;
  }
  if (format !== "ralph_task") return [];
  const command = frontMatterKeys(split.frontMatter)?.test_command;
  return typeof command === "string" && command.trim() !== "" ? [{ name: "tests", run: command.trim() }] : [];
}

/** The boxes that are tasks; the others are named once, with the first line, and never counted. */
function inScope(scan: Scan, format: PlanFormat, sections: string[] | null, warnings: PlanProblem[]): Box[] {
  const wanted = sections?.map(headingKey);
  const isWanted = (headings: readonly Heading[]) => wanted === undefined || headings.some(({ text }) => wanted.includes(headingKey(text)));
  const counts = (box: Box) => isWanted(box.headings) && (format !== "task_headings" || isInTaskSection(box));
  const boxes = scan.boxes.filter(counts);
  const outside = scan.boxes.filter((box) => !counts(box));
  if (outside[0] !== undefined) {
    const where = wanted === undefined ? "the `Task` sections" : `the sections ${sections?.join(", ")}`;
    warnings.push({ line: outside[0].line, column: 1, message: `${boxesAre(outside.length)} outside ${where} and not counted` });
  }
  if (wanted !== undefined && !scan.headings.some((heading) => isWanted([heading]))) {
    warnings.push({ line: 1, column: 1, message: `no heading is called ${sections?.join(" or ")}` });
  }
  if (format !== "task_headings") return boxes;
  const boxless = boxlessSections(scan.headings, scan.boxes).filter(({ box }) => isWanted(box.headings));
  warnings.push(...boxless.map(({ warning }) => warning));
  return [...boxes, ...boxless.map(({ box }) => box)].sort((a, b) => a.line - b.line);
}

function boxesAre(count: number): string {
  return count === 1 ? "1 check box is" : `${count} check boxes are`;
}

function headingKey(text: string): string {
  return text
    .replace(/^[#\s]+|[\s:#]+$/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

function frontMatterWarnings(split: SplitSource): PlanProblem[] {
  const lines = (split.frontMatter ?? "").split(/\r\n|\n|\r/);
  const index = lines.findIndex((line) => /^\s*[-*+]\s+\[[ xX]\]\s/.test(line));
  return index === -1 ? [] : [{ line: index + 2, column: 1, message: "check boxes between the `---` lines at the top are not tasks" }];
}
