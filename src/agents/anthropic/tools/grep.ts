/** The `grep` tool: JavaScript regular expressions over the files that git does not ignore. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import picomatch from "picomatch";
import * as v from "valibot";
import { asObject } from "../../json.js";
import { confine } from "./confine.js";
import { listFiles } from "./list-files.js";
import { defineTool, failed, refusal, succeeded, type ToolContext, type ToolOutcome } from "./tool.js";

const DEFAULT_LIMIT = 100;
const MAX_LINE_CHARS = 500;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const schema = v.object({
  pattern: v.pipe(v.pipe(v.string(), v.nonEmpty()), v.description("JavaScript regular expression, matched line by line.")),
  path: v.pipe(v.optional(v.string()), v.description("File or folder to search; default the working directory.")),
  glob: v.pipe(v.optional(v.string()), v.description("Only files that match, such as *.ts or src/**/*.js.")),
  ignore_case: v.optional(v.boolean()),
  context: v.pipe(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(10))), v.description("Lines before and after each match.")),
  limit: v.pipe(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1000))), v.description(`Matches at most; default ${DEFAULT_LIMIT}.`)),
});

type GrepInput = v.InferOutput<typeof schema>;

export const grepTool = defineTool({
  name: "grep",
  order: "together",
  description: "Search file contents. Shows path:line:text. Ignored files, binary files and .git are left out.",
  schema,
  prepare: (input, context) => {
    const place = confine(context.root, input.path ?? ".");
    if (place.kind === "outside") return refusal(place.message);
    return { detail: {}, run: () => grep(input, place.shown, context) };
  },
});

async function grep(input: GrepInput, below: string, context: ToolContext): Promise<ToolOutcome> {
  let expression: RegExp;
  try {
    expression = new RegExp(input.pattern, input.ignore_case ? "i" : "");
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  const matches = input.glob === undefined ? null : picomatch(input.glob, { dot: true, basename: !input.glob.includes("/") });
  const files = (await listFiles(context.root, below)).filter((path) => matches === null || matches(path));
  const search: Search = { expression, around: input.context ?? 0, left: input.limit ?? DEFAULT_LIMIT, lines: [] };
  try {
    // The timeout of the vm module also interrupts the regular expression engine, which nothing else here can.
    vm.runInNewContext("search()", { search: () => searchFiles(context.root, files, search) }, { timeout: context.searchMs });
  } catch (error) {
    if (isTimeout(error)) return failed(`the search took longer than ${context.searchMs / 1000} s; use a simpler expression or fewer files`);
    throw error;
  }
  if (search.lines.length === 0) return succeeded(`no match in ${files.length} files`);
  const more = search.left <= 0 ? "\n[limit reached; there may be more]" : "";
  return succeeded(context.output.bound(search.lines.join("\n")) + more);
}

interface Search {
  expression: RegExp;
  around: number;
  /** Matches that may still be shown. */
  left: number;
  lines: string[];
}

function searchFiles(root: string, files: string[], search: Search): void {
  for (const path of files) {
    if (search.left <= 0) return;
    const text = readText(join(root, path));
    if (text !== null) searchText(path, text.replace(/\r?\n$/, "").split(/\r?\n/), search);
  }
}

function searchText(path: string, lines: string[], search: Search): void {
  const matched = new Set<number>();
  for (let at = 0; at < lines.length && matched.size < search.left; at++) {
    if (search.expression.test(lines[at] ?? "")) matched.add(at);
  }
  search.left -= matched.size;
  const shown = new Set<number>();
  for (const at of matched) {
    const to = Math.min(lines.length - 1, at + search.around);
    for (let near = Math.max(0, at - search.around); near <= to; near++) shown.add(near);
  }
  // Both sets were filled in rising order.
  for (const at of shown) search.lines.push(shownLine(path, at, lines[at] ?? "", matched.has(at)));
}

function shownLine(path: string, at: number, line: string, matched: boolean): string {
  const mark = matched ? ":" : "-";
  return `${path}${mark}${at + 1}${mark}${line.slice(0, MAX_LINE_CHARS)}`;
}

/** null for what is no plain text file of a sensible size; a link's target is listed under its own name or lies outside. */
function readText(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_FILE_BYTES) return null;
  const bytes = readFileSync(path);
  return bytes.includes(0) ? null : bytes.toString("utf8");
}

/** The error comes from the other realm, so it is no instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return asObject(error)?.["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
