/** The shape of every journal line, checked where a file becomes events; kept equal to the event types by the compiler. */
import { z } from "zod";
import type { JournalBody } from "../core/journal-event.js";
import {
  claims,
  count,
  countOrUnknown,
  ending,
  finalStatus,
  gateResult,
  hit,
  iterationClass,
  leftovers,
  mode,
  optionalText,
  restClass,
  sign,
  stopReason,
  switchClass,
  task,
  text,
  texts,
  usage,
  warned,
  watch,
} from "./schema-parts.js";

/** What stands in every line, whatever its type. */
export const envelopeSchema = z.looseObject({
  type: text,
  at: z.iso.datetime({ offset: true }),
  run: text,
  iteration: z.int().min(0),
});

/** The fields of each event beside the envelope. */
export const bodySchemas = {
  "run.started": z.object({
    type: z.literal("run.started"),
    journalVersion: z.int(),
    plan: optionalText,
    objective: optionalText,
    agent: text,
    branch: optionalText,
    from: text.optional(),
    baseHead: optionalText,
    baseTree: text,
    workTree: text,
    tasks: z.array(task),
    requiredGates: texts,
    level: count,
    sandbox: z.boolean(),
    reachable: texts.optional(),
    untouched: texts,
    fallback: texts.optional(),
  }),
  "run.resumed": z.object({ type: z.literal("run.resumed"), pid: count }),
  "iteration.started": z.object({
    type: z.literal("iteration.started"),
    mode,
    task: optionalText,
    head: optionalText,
    tree: text,
    spent: count,
    agent: text.optional(),
  }),
  "agent.ended": z.object({
    type: z.literal("agent.ended"),
    ending,
    usage,
    claims,
    watch,
    signs: z.array(sign),
    finalText: optionalText,
    warned: warned.optional(),
    leftovers: leftovers.optional(),
  }),
  "claims.taken": z.object({ type: z.literal("claims.taken"), ticked: texts }),
  "plan.restored": z.object({ type: z.literal("plan.restored"), what: texts, frozen: z.boolean() }),
  "plan.edited": z.object({ type: z.literal("plan.edited"), what: texts, keptAs: optionalText }),
  "path.restored": z.object({
    type: z.literal("path.restored"),
    path: text,
    rule: z.enum(["frozen", "compared"]),
    why: text,
    keptAs: optionalText,
  }),
  "task.unticked": z.object({ type: z.literal("task.unticked"), task: text, gate: text, why: text }),
  "task.proved": z.object({ type: z.literal("task.proved"), task: text, gates: texts }),
  "task.accepted": z.object({ type: z.literal("task.accepted"), task: text, changed: z.boolean() }),
  "task.added": z.object({ type: z.literal("task.added"), task }),
  "task.parked": z.object({ type: z.literal("task.parked"), task: text, question: text }),
  "gate.verdict": gateResult.extend({
    type: z.literal("gate.verdict"),
    moment: z.enum(["baseline", "claim", "iteration", "proof", "hidden"]),
    task: optionalText,
  }),
  "iteration.judged": z.object({
    type: z.literal("iteration.judged"),
    class: iterationClass,
    tree: text,
    parent: optionalText,
    commit: z.boolean(),
    betterGates: z.boolean().optional(),
  }),
  "commit.created": z.object({
    type: z.literal("commit.created"),
    commit: text,
    tree: text,
    parent: optionalText,
    files: count,
  }),
  "commit.refused": z.object({ type: z.literal("commit.refused"), output: text, outputPath: text.optional() }),
  "repo.moved": z.object({ type: z.literal("repo.moved"), what: text }),
  "work.saved": z.object({ type: z.literal("work.saved"), ref: text, commit: text, why: text }),
  "tree.excluded": z.object({
    type: z.literal("tree.excluded"),
    paths: z.array(z.object({ path: text, reason: text })),
  }),
  "gate.sideEffects": z.object({ type: z.literal("gate.sideEffects"), paths: texts }),
  "iteration.ended": z.object({
    type: z.literal("iteration.ended"),
    class: iterationClass,
    usage,
    newTree: z.boolean(),
    betterGates: z.boolean(),
    workTree: text,
    files: count,
    activeMs: count,
  }),
  "sign.drafted": z.object({ type: z.literal("sign.drafted"), sign, path: text }),
  "control.requested": z.object({ type: z.literal("control.requested"), request: text, by: text, detail: optionalText }),
  "brake.hit": z.object({ type: z.literal("brake.hit"), hit }),
  "wait.started": z.object({ type: z.literal("wait.started"), untilMs: count, why: text }),
  "agent.rests": z.object({ type: z.literal("agent.rests"), agent: text, class: restClass, untilMs: countOrUnknown, why: text }),
  "agent.switched": z.object({ type: z.literal("agent.switched"), from: text, to: text, class: switchClass, untilMs: countOrUnknown, why: text }),
  "request.taken": z.object({ type: z.literal("request.taken"), id: text }),
  "note.added": z.object({ type: z.literal("note.added"), text, by: text }),
  "note.unanswered": z.object({ type: z.literal("note.unanswered"), text }),
  "limits.raised": z.object({
    type: z.literal("limits.raised"),
    iterations: count,
    tokens: count,
    costMicroUsd: count,
    timeMs: count,
    by: text,
  }),
  "run.paused": z.object({ type: z.literal("run.paused"), by: text }),
  "run.unpaused": z.object({ type: z.literal("run.unpaused"), by: text }),
  "run.refused": z.object({ type: z.literal("run.refused"), commit: optionalText, why: text, claimed: z.boolean() }),
  "wait.ended": z.object({ type: z.literal("wait.ended"), waitedMs: count }),
  warning: z.object({ type: z.literal("warning"), message: text }),
  "run.proved": z.object({
    type: z.literal("run.proved"),
    commit: optionalText,
    gates: texts,
    clean: z.boolean(),
    by: z.enum(["gates", "marker", "tasks"]),
  }),
  "run.stopped": z.object({
    type: z.literal("run.stopped"),
    status: finalStatus,
    reason: stopReason,
    verified: z.boolean(),
    summary: text,
    evidence: texts,
  }),
} satisfies { [T in JournalBody["type"]]: z.ZodType<Extract<JournalBody, { type: T }>> };

type Written = z.infer<(typeof bodySchemas)[keyof typeof bodySchemas]>;
/** `satisfies` above finds what the schema lacks; this finds what it refuses although the types allow it. */
type Refused = Exclude<JournalBody["type"], Written["type"]> | (JournalBody extends Written ? never : "narrower than the type");
const nothingRefused: Refused[] = [];
void nothingRefused;

export function isKnownType(type: string): type is JournalBody["type"] {
  return Object.hasOwn(bodySchemas, type);
}
