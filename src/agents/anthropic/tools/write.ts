/** The `write` tool. */
import { statSync } from "node:fs";
import * as v from "valibot";
import { atomicWrite } from "./atomic-write.js";
import { confine } from "./confine.js";
import { type CallDetail, defineTool, refusal, succeeded } from "./tool.js";

/** Larger contents stay out of events; the driver reads such files itself. */
const MAX_EVENT_CONTENT_BYTES = 256 * 1024;

export const writeTool = defineTool({
  name: "write",
  order: "alone",
  description: "Create a file or replace its whole content. Missing folders are made. Use edit to change part of a file.",
  schema: v.object({ path: v.pipe(v.string(), v.nonEmpty()), content: v.string() }),
  prepare: ({ path, content }, context) => {
    const place = confine(context.root, path);
    if (place.kind === "outside") return refusal(place.message);
    if (statSync(place.absolute, { throwIfNoEntry: false })?.isFile() === false) return refusal(`${path} is not a file`);
    return {
      detail: writeDetail(place.shown, content),
      run: async () => {
        atomicWrite(place.absolute, content);
        return succeeded(`wrote ${Buffer.byteLength(content)} bytes to ${place.shown}`);
      },
    };
  },
});

export function writeDetail(path: string, content: string): CallDetail {
  const small = Buffer.byteLength(content) <= MAX_EVENT_CONTENT_BYTES;
  return { path, writes: true, ...(small ? { content } : {}) };
}
