/** What `ralphd status --json` prints, as it is published. */
import { z } from "zod";
import { STOP_REASONS, type FinalStatus, type RunStatus } from "../core/words.js";
import { restClass, stopReason } from "./schema-parts.js";

const unknownCount = z.number().nullable();
const RUN_STATUSES: RunStatus[] = [...(Object.keys(STOP_REASONS) as FinalStatus[]), "running", "waiting", "interrupted"];

/** What `ralphd status --json` prints; what is unknown is null. */
export const statusSchema = z.object({
  run: z.string().nullable(),
  status: z.enum(RUN_STATUSES).nullable(),
  /** Why it stopped; `paused` while a person holds it. */
  reason: z.union([stopReason, z.literal("paused")]).nullable(),
  verified: z.boolean().nullable(),
  iteration: unknownCount,
  tasks: z.object({ open: unknownCount, done: unknownCount, manual: unknownCount, blocked: unknownCount, other: unknownCount }),
  usage: z.object({ inputTokens: unknownCount, cachedInputTokens: unknownCount, outputTokens: unknownCount, costUsd: unknownCount }),
  activeMs: unknownCount,
  branch: z.string().nullable(),
  lastCommit: z.string().nullable(),
  gates: z.array(z.object({ name: z.string(), verdict: z.enum(["pass", "fail"]).nullable(), reason: z.string().nullable() })),
  pid: unknownCount,
  /** Who makes the open or the next iteration. */
  agent: z.string().nullable(),
  /** Who is not asked at present; `until` is null where only a person can help. */
  resting: z.array(z.object({ agent: z.string(), class: restClass, until: z.string().nullable(), why: z.string() })),
});
export type StatusJson = z.infer<typeof statusSchema>;
