/** The one place that calls the Markdown library: a tree, and from its tokens where boxes and code fences are. */
import type { Nodes, Root } from "mdast";
import { type CompileContext, fromMarkdown, type Token } from "mdast-util-from-markdown";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

export interface Markdown {
  root: Root;
  /** Offset of the character between the brackets, for each paragraph that begins with a GitHub box. */
  boxes: ReadonlyMap<Nodes, number>;
  /** How many fence lines each fenced code block has. */
  fences: ReadonlyMap<Nodes, number>;
}

/** One iteration reads the same few versions of a plan several times. */
const KEPT_READINGS = 32;
const kept = new Map<string, Markdown>();

/**
 * `text` must not begin with a byte-order mark: the library drops it and all offsets shift.
 * The result depends on the text alone and must not be changed: it may be handed out again.
 */
export function parseMarkdown(text: string): Markdown {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const markdown = parseAnew(text);
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_READINGS && oldest !== undefined) kept.delete(oldest);
  kept.set(text, markdown);
  return markdown;
}

function parseAnew(text: string): Markdown {
  const boxes = new Map<Nodes, number>();
  const fences = new Map<Nodes, number>();
  // What is being read stands on top of the stack; above a code block may be the text that it holds so far.
  function box(this: CompileContext, token: Token): undefined {
    for (const around of this.stack.slice(-1)) boxes.set(around as Nodes, token.start.offset);
  }
  function fence(this: CompileContext): undefined {
    for (const code of this.stack.filter(({ type }) => type === "code")) fences.set(code as Nodes, (fences.get(code as Nodes) ?? 0) + 1);
  }
  const root = fromMarkdown(text, {
    extensions: [gfmTaskListItem()],
    mdastExtensions: [{ enter: { taskListCheckValueChecked: box, taskListCheckValueUnchecked: box, codeFencedFence: fence } }],
  });
  return { root, boxes, fences };
}

interface Place {
  start: { line: number; column: number; offset: number };
  end: { offset: number };
}

/** Where a node stands; lines and columns from 1. */
export function placeOf(node: Nodes): Place {
  return node.position as Place; // whole on every node that was read from a text, and there are no others
}

export function startOf(node: Nodes): number {
  return placeOf(node).start.offset;
}

export function endOf(node: Nodes): number {
  return placeOf(node).end.offset;
}

/** The words of a node, without their markup and comments. */
export function plainText(node: Nodes): string {
  if ("value" in node) return node.type === "html" ? "" : node.value;
  return "children" in node ? node.children.map(plainText).join("") : "";
}

/** Fence lines that belong to a code block: none when it is indented, one when it is never closed. */
export function fencesOf(node: Nodes, markdown: Markdown): number {
  return markdown.fences.get(node) ?? 0;
}
