/**
 * GitHub's task boxes in the tree: marks the item as checked or not and takes the box's space off its text. The library
 * for this loads the whole Markdown writer as well, which made every command that reads a plan start later.
 */
import type { ListItem, Nodes, Paragraph } from "mdast";
import type { CompileContext, Extension, Token } from "mdast-util-from-markdown";

/** Goes with `micromark-extension-gfm-task-list-item`, which finds the boxes. */
export const taskBoxes: Extension = {
  exit: { taskListCheckValueChecked: check, taskListCheckValueUnchecked: check, paragraph: trimParagraph },
};

function check(this: CompileContext, token: Token): undefined {
  const item = itemAround(this);
  if (item !== null) item.checked = token.type === "taskListCheckValueChecked";
}

function trimParagraph(this: CompileContext, token: Token): undefined {
  const item = itemAround(this);
  const node: Nodes | undefined = this.stack.at(-1) as Nodes | undefined;
  if (item !== null && typeof item.checked === "boolean" && node?.type === "paragraph") {
    const first = item.children.find((child) => child.type === "paragraph");
    if (first === node) trim(node);
  }
  this.exit(token);
}

/** The paragraph that is being read stands on top of its item. */
function itemAround(context: CompileContext): ListItem | null {
  const parent = context.stack.at(-2);
  return parent?.type === "listItem" ? parent : null;
}

/** A box is followed by a space or a tab, which is no part of the text. */
function trim(paragraph: Paragraph): void {
  const [head] = paragraph.children;
  if (head?.type !== "text") return;
  head.value = head.value.slice(1);
  if (head.value === "") {
    paragraph.children.shift();
    return;
  }
  const start = head.position?.start;
  if (paragraph.position === undefined || start?.offset === undefined) return;
  start.column += 1;
  start.offset += 1;
  paragraph.position.start = { ...start };
}
