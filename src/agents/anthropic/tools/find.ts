/** The `find` tool: file names by glob. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import * as v from "valibot";
import { confine } from "./confine.js";
import { listFiles } from "./list-files.js";
import { defineTool, refusal, succeeded } from "./tool.js";

const DEFAULT_LIMIT = 500;

export const findTool = defineTool({
  name: "find",
  order: "together",
  description: "List files whose path matches a glob, such as **/*.ts; a pattern without / matches the file name. Ignored files are left out.",
  schema: v.object({
    pattern: v.pipe(v.string(), v.nonEmpty()),
    path: v.pipe(v.optional(v.string()), v.description("Folder to search; default the working directory.")),
    limit: v.pipe(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(5000))), v.description(`Files at most; default ${DEFAULT_LIMIT}.`)),
  }),
  prepare: ({ pattern, path, limit }, context) => {
    const place = confine(context.root, path ?? ".");
    if (place.kind === "outside") return refusal(place.message);
    return {
      detail: {},
      run: async () => {
        const matches = picomatch(pattern.replace(/^\.\//, ""), { dot: true, basename: !pattern.includes("/") });
        const prefix = place.shown === "." ? "" : `${place.shown}/`;
        const found = (await listFiles(context.root, place.shown)).filter(
          // A pattern may be meant from the root or from the folder searched.
          (file) => (matches(file) || matches(file.slice(prefix.length))) && exists(context.root, file),
        );
        if (found.length === 0) return succeeded("no file matches");
        const most = limit ?? DEFAULT_LIMIT;
        const more = found.length > most ? `\n[${found.length - most} more]` : "";
        return succeeded(context.output.bound(found.slice(0, most).join("\n")) + more);
      },
    };
  },
});

/** Git still lists tracked files that are deleted. */
function exists(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}
