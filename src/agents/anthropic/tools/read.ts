/** The `read` tool. */
import { readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { confine } from "./confine.js";
import { OUTPUT_BYTES } from "./output.js";
import { defineTool, failed, refusal, succeeded, type ToolOutcome } from "./tool.js";

const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;
/** Larger files are for commands such as sed and head. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

export const readTool = defineTool({
  name: "read",
  order: "together",
  description: `Read a text file with line numbers: at most ${MAX_LINES} lines or ${OUTPUT_BYTES / 1024} KB a call; use offset and limit for more.`,
  schema: v.object({
    path: v.pipe(v.string(), v.nonEmpty()),
    offset: v.pipe(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))), v.description("First line, counted from 1.")),
    limit: v.pipe(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))), v.description("Number of lines.")),
  }),
  prepare: ({ path, offset, limit }, context) => {
    const place = confine(context.root, path);
    if (place.kind === "outside") return refusal(place.message);
    return {
      detail: { path: place.shown },
      run: async () => readLines(place.absolute, place.shown, offset ?? 1, Math.min(limit ?? MAX_LINES, MAX_LINES)),
    };
  },
});

function readLines(absolute: string, shown: string, offset: number, limit: number): ToolOutcome {
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (stat === undefined) return failed(`${shown} does not exist`);
  // Opening a FIFO or device could block for ever.
  if (!stat.isFile()) return failed(`${shown} is not a file${stat.isDirectory() ? "; use find to list it" : ""}`);
  if (stat.size > MAX_FILE_BYTES) return failed(`${shown} has ${stat.size} bytes; look at parts of it with a command`);
  const bytes = readFileSync(absolute);
  if (bytes.includes(0)) return failed(`${shown} is binary (${bytes.length} bytes)`);
  if (bytes.length === 0) return succeeded(`[${shown} is empty]`);
  const lines = bytes.toString("utf8").replace(/\n$/, "").split("\n");
  if (offset > lines.length) return failed(`${shown} has only ${lines.length} lines`);
  return succeeded(page(lines, offset, limit));
}

function page(lines: string[], offset: number, limit: number): string {
  const shown: string[] = [];
  let bytes = 0;
  for (let number = offset; number <= lines.length && shown.length < limit; number++) {
    const line = numbered(number, lines[number - 1] ?? "");
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > OUTPUT_BYTES) break;
    shown.push(line);
  }
  const next = offset + shown.length;
  const more = next <= lines.length ? `\n[${lines.length} lines in all; go on with offset=${next}]` : "";
  return shown.join("\n") + more;
}

function numbered(number: number, line: string): string {
  const text = line.replace(/\r$/, "");
  return `${number}\t${text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}[... ${text.length - MAX_LINE_CHARS} characters cut]` : text}`;
}
