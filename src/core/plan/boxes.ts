/** Walks a Markdown tree and collects every check box that people would see, with its place and its comments. */
import type { ListItem, Nodes, Paragraph } from "mdast";
import { type Annotations, noAnnotations, readAnnotations } from "./annotations.js";
import { endOf, fencesOf, type Markdown, parseMarkdown, placeOf, plainText, startOf } from "./markdown.js";
import type { PlanProblem } from "./types.js";

export interface Heading {
  depth: number;
  text: string;
  /** 1-based line in the file. */
  line: number;
}

/** One box. All offsets are those of the file. */
export interface Box extends Annotations {
  mark: string;
  markOffset: number;
  line: number;
  text: string;
  manual: boolean;
  parent: Box | null;
  /** The headings it stands under, outermost first. */
  headings: readonly Heading[];
  /** The list item with all that hangs below it. */
  start: number;
  end: number;
  /** End of the outermost block around it: a new line there is nobody's continuation. */
  blockEnd: number;
}

export interface Origin {
  /** Of the parsed text in the file. */
  offset: number;
  /** Lines before it. */
  line: number;
}

export interface Scan {
  boxes: Box[];
  headings: Heading[];
  warnings: PlanProblem[];
}

/** A mark that is neither open nor done: one symbol, as in `[~]`. Letters and digits are footnotes and dates, not marks. */
const OTHER_MARK = /^\[([^\s\p{L}\p{N}[\]](?:\uFE0F)?)\][ \t]+\S/u;
const EMPTY_BOX = /^\[[ \txX]\]\s*$/;
const NEAR_BOX = /^\[[ \txX]*\](?![([:])/;
const MANUAL = /^\(manual\)\s*/i;
const QUOTE_PREFIX = /^[ \t]*(?:>[ \t]?)*/;
/** Cheap test before a line is parsed by itself. */
const LIKE_BOX_LINE = /^(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]).*\[[^\]]{1,2}\]/;
const SOURCE_LINE = /[^\r\n]+/g;

interface Walk {
  text: string;
  origin: Origin;
  markdown: Markdown;
  scan: Scan;
  headings: Heading[];
  blockEnd: number;
  /** Lines that end before an offset. */
  counted: { offset: number; lines: number };
}

/** Reads `text`, which stands at `origin` in the file. */
export function scanBoxes(text: string, markdown: Markdown, origin: Origin): Scan {
  const walk: Walk = { text, origin, markdown, scan: { boxes: [], headings: [], warnings: [] }, headings: [], blockEnd: 0, counted: { offset: 0, lines: 0 } };
  for (const block of markdown.root.children) {
    walk.blockEnd = origin.offset + endOf(block);
    if (block.type === "heading") enterHeading(walk, { depth: block.depth, text: plainText(block).trim(), line: lineOf(walk, block) });
    visit(walk, block, null);
  }
  return walk.scan;
}

function enterHeading(walk: Walk, heading: Heading): void {
  walk.headings = [...walk.headings.filter((above) => above.depth < heading.depth), heading];
  walk.scan.headings.push(heading);
}

function visit(walk: Walk, node: Nodes, owner: Box | null): void {
  switch (node.type) {
    case "listItem":
      return visitItem(walk, node, owner);
    case "paragraph":
    case "heading":
      for (const child of node.children) visit(walk, child, owner);
      if (node.type === "paragraph") linesOfParagraph(walk, node, startOf(node), owner);
      return;
    case "code":
      if (fencesOf(node, walk.markdown) === 0) indentedLines(walk, node, owner);
      return;
    case "html":
      return visitHtml(walk, node, node.value, owner);
    default:
      if ("children" in node) for (const child of node.children) visit(walk, child, owner);
  }
}

function visitItem(walk: Walk, item: ListItem, owner: Box | null): void {
  const marked = markOf(walk, item);
  if (marked === null) {
    warnNearBox(walk, item);
    for (const child of item.children) visit(walk, child, owner);
    return;
  }
  const { head, mark, markOffset } = marked;
  const box: Box = {
    ...noAnnotations(),
    mark,
    markOffset,
    line: lineOf(walk, item),
    text: "",
    manual: false,
    parent: owner,
    headings: walk.headings,
    start: walk.origin.offset + startOf(item),
    end: walk.origin.offset + endOf(item),
    blockEnd: walk.blockEnd,
  };
  const index = walk.scan.boxes.push(box) - 1;
  for (const child of head.children) visit(walk, child, box);
  const afterMark = markOffset - walk.origin.offset + mark.length + 1;
  const words = linesOfParagraph(walk, head, afterMark, box);
  box.manual = MANUAL.test(words);
  box.text = words.replace(MANUAL, "");
  const kept = box.text !== "";
  if (!kept) {
    walk.scan.boxes.splice(index, 1);
    for (const inner of walk.scan.boxes) if (inner.parent === box) inner.parent = owner;
    warn(walk, box.line, "this check box has no text and is not counted");
  }
  for (const child of item.children) if (child !== head) visit(walk, child, kept ? box : owner);
  for (const complaint of box.complaints) warn(walk, box.line, complaint);
}

/** The mark of an item, where it stands, and the paragraph whose words are those of the task. */
function markOf(walk: Walk, item: ListItem): { head: Paragraph; mark: string; markOffset: number } | null {
  const { text, origin } = walk;
  for (const head of item.children) {
    if (head.type !== "paragraph") continue;
    const inside = walk.markdown.boxes.get(head);
    if (inside === undefined) continue;
    const found = text.charAt(inside);
    // GitHub reads a tab between the brackets as a space.
    return { head, mark: found === "\t" ? " " : found, markOffset: origin.offset + inside };
  }
  const head = item.children[0];
  if (head?.type !== "paragraph" || head.children[0]?.type !== "text") return null;
  const mark = OTHER_MARK.exec(text.slice(startOf(head), endOf(head)))?.[1];
  return mark === undefined ? null : { head, mark, markOffset: origin.offset + startOf(head) + 1 };
}

/**
 * The words of a paragraph from `from` on, as one line without comments. A line in it that reads as a box by itself
 * is counted as a task, not as words: too deeply indented, it would be lost to the reader and to the loop.
 */
function linesOfParagraph(walk: Walk, paragraph: Paragraph, from: number, owner: Box | null): string {
  const text = withoutComments(walk, paragraph, from);
  const words: string[] = [];
  let inline = 0;
  for (const line of text.matchAll(SOURCE_LINE)) {
    const start = from + line.index;
    const continues = line.index > 0 && /[\r\n]/.test(text.charAt(line.index - 1));
    while (inline < paragraph.children.length && endsBy(paragraph.children[inline], start)) inline += 1;
    const around = paragraph.children[inline];
    const inside = around !== undefined && around.type !== "text" && startOf(around) < start;
    if (continues && !inside && strayBoxes(walk, line[0], start, owner)) continue;
    words.push(continues ? line[0].replace(QUOTE_PREFIX, "") : line[0]);
  }
  return words.join(" ").replace(/\s+/g, " ").trim();
}

function endsBy(node: Nodes | undefined, offset: number): boolean {
  return node === undefined || endOf(node) <= offset;
}

/** Spaces in place of comments, so that all offsets and lines stay. */
function withoutComments({ text }: Walk, paragraph: Paragraph, from: number): string {
  const pieces: string[] = [];
  let at = from;
  for (const child of paragraph.children) {
    if (child.type !== "html" || !child.value.startsWith("<!--")) continue;
    pieces.push(text.slice(at, startOf(child)), text.slice(startOf(child), endOf(child)).replace(/[^\r\n]/g, " "));
    at = endOf(child);
  }
  return [...pieces, text.slice(at, endOf(paragraph))].join("");
}

function indentedLines(walk: Walk, node: Nodes, owner: Box | null): void {
  for (const line of walk.text.slice(startOf(node), endOf(node)).matchAll(SOURCE_LINE)) {
    strayBoxes(walk, line[0], startOf(node) + line.index, owner);
  }
}

/** Takes in the boxes of one line that Markdown does not read as a list item; false when it has none. */
function strayBoxes(walk: Walk, line: string, start: number, owner: Box | null): boolean {
  const text = line.trimStart();
  if (!LIKE_BOX_LINE.test(text)) return false;
  const at = start + line.length - text.length;
  const lineNumber = walk.origin.line + linesBefore(walk, start);
  const found = scanBoxes(text, parseMarkdown(text), { offset: walk.origin.offset + at, line: lineNumber });
  for (const box of found.boxes) {
    walk.scan.boxes.push({ ...box, parent: owner, headings: walk.headings, blockEnd: walk.blockEnd });
    warn(walk, box.line, "counted as a task, though Markdown shows it as plain text: indent it like a list item");
  }
  return found.boxes.length > 0;
}

/** Counts on from the last answer: lines are asked for from top to bottom. */
function linesBefore(walk: Walk, offset: number): number {
  const { offset: from, lines } = walk.counted;
  walk.counted = { offset, lines: lines + (walk.text.slice(from, offset).match(/\r\n|\n|\r/g)?.length ?? 0) };
  return walk.counted.lines;
}

function visitHtml(walk: Walk, node: Nodes, html: string, owner: Box | null): void {
  const lost = owner === null ? noAnnotations() : owner;
  if (readAnnotations(html, lost) && owner === null) {
    warn(walk, lineOf(walk, node), `this comment belongs to no task: ${html.trim()}`);
  }
  if (!html.startsWith("<!--") && /^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]/m.test(html)) {
    warn(walk, lineOf(walk, node), "check boxes inside raw HTML are not counted: put a blank line before them");
  }
}

function warnNearBox(walk: Walk, item: ListItem): void {
  const text = item.children
    .slice(0, 1)
    .map((first) => walk.text.slice(startOf(first), endOf(first)))
    .join("");
  if (EMPTY_BOX.test(text)) warn(walk, lineOf(walk, item), "this check box has no text and is not counted");
  else if (NEAR_BOX.test(text)) warn(walk, lineOf(walk, item), "this is not a check box and is not counted: write `- [ ] text`");
}

function lineOf(walk: Walk, node: Nodes): number {
  return walk.origin.line + placeOf(node).start.line;
}

function warn(walk: Walk, line: number, message: string): void {
  walk.scan.warnings.push({ line, column: 1, message });
}
