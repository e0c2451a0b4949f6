/** The `edit` tool: replaces exact text. */
import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { atomicWrite } from "./atomic-write.js";
import { confine } from "./confine.js";
import { defineTool, refusal, succeeded } from "./tool.js";
import { writeDetail } from "./write.js";

export const editTool = defineTool({
  name: "edit",
  order: "alone",
  description: "Replace old_text by new_text in a file. old_text must be exact, white space included, and occur once, unless replace_all is set.",
  schema: v.object({
    path: v.pipe(v.string(), v.nonEmpty()),
    old_text: v.pipe(v.string(), v.nonEmpty()),
    new_text: v.string(),
    replace_all: v.optional(v.boolean()),
  }),
  prepare: (input, context) => {
    const place = confine(context.root, input.path);
    if (place.kind === "outside") return refusal(place.message);
    const path = place.shown;
    if (!statSync(place.absolute, { throwIfNoEntry: false })?.isFile()) return refusal(`${path} is not an existing file`, { path });
    const before = readFileSync(place.absolute, "utf8");
    // Written back as UTF-8, anything else in the file would be destroyed.
    if (before.includes("\uFFFD")) return refusal(`${path} is not plain UTF-8 text; change it with a command`, { path });
    const replaced = replaceText(before, input.old_text, input.new_text, input.replace_all ?? false);
    if (replaced.kind === "refused") return refusal(`${path}: ${replaced.message}`, { path });
    return {
      detail: writeDetail(path, replaced.text),
      run: async () => {
        atomicWrite(place.absolute, replaced.text);
        return succeeded(`replaced ${replaced.count} in ${path}`);
      },
    };
  },
});

export type Replaced = { kind: "replaced"; text: string; count: number } | { kind: "refused"; message: string };

function replaceText(text: string, oldText: string, newText: string, all: boolean): Replaced {
  if (oldText === newText) return { kind: "refused", message: "old_text and new_text are the same" };
  // Models write bare newlines; a file with CRLF keeps its line ends.
  const crlf = !text.includes(oldText) && text.includes("\r\n") && !oldText.includes("\r");
  const from = crlf ? oldText.replaceAll("\n", "\r\n") : oldText;
  const to = crlf ? newText.replaceAll(/\r?\n/g, "\r\n") : newText;
  const parts = text.split(from);
  const count = parts.length - 1;
  if (count === 0) return { kind: "refused", message: "old_text was not found; read the file again" };
  if (count > 1 && !all) return { kind: "refused", message: `old_text occurs ${count} times; add context or set replace_all` };
  return { kind: "replaced", text: parts.join(to), count };
}
