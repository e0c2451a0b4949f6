/** Finds what swallows the rest of a file without a word: code fences and raw HTML that never end. */
import type { Nodes } from "mdast";
import { fencesOf, type Markdown, placeOf } from "./markdown.js";
import type { PlanProblem } from "./types.js";

/** HTML that lasts until its own end, over blank lines; every other HTML ends at a blank line. */
const LASTING: readonly [RegExp, RegExp, string][] = [
  [/^<!--/, /-->/, "comment"],
  [/^<\?/, /\?>/, "processing instruction"],
  [/^<!\[CDATA\[/, /\]\]>/, "CDATA section"],
  [/^<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i, "block"],
];

/** `firstLine` is the number of lines before the parsed text. */
export function findUnclosed(markdown: Markdown, firstLine: number): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const visit = (node: Nodes): void => {
    const message = complaint(node, markdown);
    if (message !== null) {
      const { line, column } = placeOf(node).start;
      problems.push({ line: firstLine + line, column, message });
    }
    // Inline nodes can't swallow blocks, and unfinished inline HTML is text.
    if ("children" in node && node.type !== "paragraph" && node.type !== "heading") node.children.forEach(visit);
  };
  visit(markdown.root);
  return problems;
}

function complaint(node: Nodes, markdown: Markdown): string | null {
  if (node.type === "code" && fencesOf(node, markdown) === 1) {
    return "this code fence is never closed, so no task after it can be seen";
  }
  if (node.type !== "html") return null;
  const lasting = LASTING.find(([opening]) => opening.test(node.value));
  if (lasting === undefined || lasting[1].test(node.value)) return null;
  return `this HTML ${lasting[2]} is never closed, so no task after it can be seen`;
}
