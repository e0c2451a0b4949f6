/**
 * Plans of `### Task N:` sections with `## Validation Commands`. The boxes of a section are the tasks; boxes
 * elsewhere (overview, success criteria) are not. A section without a box is shown as an `other` task: nothing in
 * the file can say that it is done, so it must neither be worked on for ever nor be taken for finished.
 */
import type { Nodes, RootContent } from "mdast";
import type { Box, Heading } from "./boxes.js";
import { fencesOf, type Markdown, placeOf, plainText } from "./markdown.js";
import type { Plan, PlanProblem } from "./types.js";

const TASK_HEADING = /^Task\s+\d+(?:\.\d+)*\s*[:.–—-]/i;
const VALIDATION_HEADING = /^Validation Commands\s*:?$/i;
const SHELL_LANGUAGES = new Set(["", "sh", "bash", "shell", "zsh", "console"]);

export function isTaskHeading(heading: Heading): boolean {
  return heading.depth >= 2 && TASK_HEADING.test(heading.text);
}

export function isInTaskSection(box: Box): boolean {
  return box.headings.some(isTaskHeading);
}

/** Stand-ins for the sections that hold no box; `offset` is never used to write. */
export function boxlessSections(headings: readonly Heading[], boxes: readonly Box[]): { box: Box; warning: PlanProblem }[] {
  return headings
    .filter((heading) => isTaskHeading(heading) && !boxes.some((box) => box.headings.includes(heading)))
    .map((heading) => ({
      box: {
        mark: "",
        markOffset: -1,
        line: heading.line,
        text: heading.text,
        manual: false,
        parent: null,
        headings: [heading],
        start: -1,
        end: -1,
        blockEnd: -1,
        gates: [],
        edits: [],
        group: null,
        complaints: [],
      },
      warning: {
        line: heading.line,
        column: 1,
        message: `"${heading.text}" has no check box, so it can never be done: add one like \`- [ ] what to do\` below it`,
      },
    }));
}

/** Commands below `## Validation Commands`: each code span that begins a list item, each shell block as a whole. */
export function validationGates(markdown: Markdown, firstLine: number): { gates: Plan["impliedGates"]; warnings: PlanProblem[] } {
  const commands: string[] = [];
  const warnings: PlanProblem[] = [];
  for (const block of validationBlocks(markdown.root.children)) {
    if (block.type === "code" && fencesOf(block, markdown) > 0) commands.push(...shellBlock(block.lang ?? "", block.value));
    if (block.type !== "list") continue;
    for (const item of block.children) {
      const command = firstCodeSpan(item);
      if (command !== null) commands.push(command);
      else {
        const line = firstLine + placeOf(item).start.line;
        warnings.push({ line, column: 1, message: `not read as a command: put it in backticks: ${plainText(item).trim()}` });
      }
    }
  }
  const gates = commands.map((run, index) => ({ name: `validation-${index + 1}`, run }));
  return { gates, warnings };
}

function validationBlocks(blocks: readonly RootContent[]): RootContent[] {
  const isStart = (block: RootContent) => block.type === "heading" && VALIDATION_HEADING.test(plainText(block).trim());
  const start = blocks.findIndex(isStart);
  const heading = blocks[start];
  if (heading?.type !== "heading") return [];
  const below = blocks.slice(start + 1);
  const ends = (block: RootContent) => block.type === "heading" && (block.depth <= heading.depth || TASK_HEADING.test(plainText(block).trim()));
  const end = below.findIndex(ends);
  return end === -1 ? below : below.slice(0, end);
}

function firstCodeSpan(node: Nodes): string | null {
  if (node.type === "inlineCode") return node.value.trim();
  if (!("children" in node)) return null;
  for (const child of node.children) {
    const found = firstCodeSpan(child);
    if (found !== null) return found;
  }
  return null;
}

function shellBlock(language: string, text: string): string[] {
  if (!SHELL_LANGUAGES.has(language.toLowerCase())) return [];
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.replace(/^\$ /, ""));
  if (lines.every((line) => /^\s*(?:#|$)/.test(line))) return [];
  // Without `set -e` a shell reports only the last line's result.
  const filled = lines.join("\n").trim();
  return [filled.includes("\n") ? `set -e\n${filled}` : filled];
}
