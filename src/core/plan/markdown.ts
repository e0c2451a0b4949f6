/** The one place that calls the Markdown library: a tree, and from its tokens where boxes and code fences are. */
import type { ListItem, Nodes, Root } from "mdast";
import { type CompileContext, fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { taskBoxes } from "./task-boxes.js";

export interface Markdown {
  root: Root;
  /** Offset of the character between the brackets, for each item that has a GitHub box. */
  boxes: ReadonlyMap<ListItem, number>;
  /** Offsets of all fence lines, opening and closing, ascending. */
  fences: readonly number[];
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
  const boxes = new Map<ListItem, number>();
  const fences: number[] = [];
  function box(this: CompileContext, token: { start: { offset: number } }): undefined {
    const item = this.stack.findLast((node) => node.type === "listItem");
    if (item?.type === "listItem") boxes.set(item, token.start.offset);
  }
  const root = fromMarkdown(text, {
    extensions: [gfmTaskListItem()],
    mdastExtensions: [
      taskBoxes,
      {
        enter: {
          taskListCheckValueChecked: box,
          taskListCheckValueUnchecked: box,
          codeFencedFence(token) {
            fences.push(token.start.offset);
          },
        },
      },
    ],
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
  const start = startOf(node);
  const end = endOf(node);
  let count = 0;
  for (let at = firstFrom(markdown.fences, start); (markdown.fences[at] ?? end) < end; at++) count += 1;
  return count;
}

/** Index of the first that is not below `least`. */
function firstFrom(ascending: readonly number[], least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
