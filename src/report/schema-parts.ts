/** Words and counts that both published outputs have, the status and the report; loaded where they are published, never by a command. */
import { z } from "zod";
import { REST_CLASSES } from "../core/journal-event.js";
import { ITERATION_CLASSES, STOP_REASONS, type StopReason } from "../core/words.js";

const reasons: StopReason[] = Object.values(STOP_REASONS).flat();

export const iterationClass = z.enum(ITERATION_CLASSES);
export const mode = z.enum(["work", "wrapUp", "stepBack"]);
export const restClass = z.enum(REST_CLASSES);
export const stopReason = z.enum(reasons);
export const switchClass = z.union([restClass, z.enum(["reset", "person"])]);
export const leftovers = z.object({ ended: z.number(), kept: z.number() });
export const warned = z.object({
  tokens: z.number(),
  estimated: z.boolean(),
  channel: z.enum(["message", "file", "none"]),
  delivered: z.boolean().nullable(),
});
