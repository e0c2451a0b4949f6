/** Words and counts that both published outputs have, the status and the report; loaded where they are published, never by a command. */
import * as v from "valibot";
import { REST_CLASSES } from "../core/journal-event.js";
import { ITERATION_CLASSES, STOP_REASONS, type StopReason } from "../core/words.js";

const reasons: StopReason[] = Object.values(STOP_REASONS).flat();

export const iterationClass = v.picklist(ITERATION_CLASSES);
export const mode = v.picklist(["work", "wrapUp", "stepBack"]);
export const restClass = v.picklist(REST_CLASSES);
export const stopReason = v.picklist(reasons);
export const switchClass = v.union([restClass, v.picklist(["reset", "person"])]);
export const leftovers = v.object({ ended: v.number(), kept: v.number() });
export const warned = v.object({
  tokens: v.number(),
  estimated: v.boolean(),
  channel: v.picklist(["message", "file", "none"]),
  delivered: v.nullable(v.boolean()),
});
