/** What `ralphd status --json` prints, as it is published. */
import * as v from "valibot";
import { STOP_REASONS, type FinalStatus, type RunStatus } from "../core/words.js";
import { restClass, stopReason } from "./schema-parts.js";

const unknownCount = v.nullable(v.number());
const RUN_STATUSES: RunStatus[] = [...(Object.keys(STOP_REASONS) as FinalStatus[]), "running", "waiting", "interrupted"];

/** What `ralphd status --json` prints; what is unknown is null. */
export const statusSchema = v.object({
  run: v.nullable(v.string()),
  status: v.nullable(v.picklist(RUN_STATUSES)),
  /** Why it stopped; `paused` while a person holds it. */
  reason: v.nullable(v.union([stopReason, v.literal("paused")])),
  verified: v.nullable(v.boolean()),
  iteration: unknownCount,
  tasks: v.object({ open: unknownCount, done: unknownCount, manual: unknownCount, blocked: unknownCount, other: unknownCount }),
  usage: v.object({ inputTokens: unknownCount, cachedInputTokens: unknownCount, outputTokens: unknownCount, costUsd: unknownCount }),
  activeMs: unknownCount,
  branch: v.nullable(v.string()),
  lastCommit: v.nullable(v.string()),
  gates: v.array(v.object({ name: v.string(), verdict: v.nullable(v.picklist(["pass", "fail"])), reason: v.nullable(v.string()) })),
  pid: unknownCount,
  /** Who makes the open or the next iteration. */
  agent: v.nullable(v.string()),
  /** Who is not asked at present; `until` is null where only a person can help. */
  resting: v.array(v.object({ agent: v.string(), class: restClass, until: v.nullable(v.string()), why: v.string() })),
});
export type StatusJson = v.InferOutput<typeof statusSchema>;
