/** The shape of every journal line, checked where a file becomes events; kept equal to the event types by the compiler. */
import * as v from "valibot";
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
  texts,
  usage,
  warned,
  watch,
} from "./schema-parts.js";

const DAY =
  /(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))/;
const TIME = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)/;
const moment = v.pipe(
  v.string(),
  v.regex(new RegExp(`^${DAY.source}T${TIME.source}$`), "expected a time such as 2026-11-30T20:11:00.000Z"),
  v.metadata({ format: "date-time" }),
);
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What stands in every line, whatever its type. */
export const envelopeSchema = v.object({ type: v.string(), at: moment, run: v.string(), iteration: wholeNumber });

/** The fields of each event beside the envelope. */
export const bodySchemas = {
  "run.started": v.object({
    type: v.literal("run.started"),
    journalVersion: wholeNumber,
    plan: optionalText,
    objective: optionalText,
    agent: v.string(),
    branch: optionalText,
    from: v.optional(v.string()),
    baseHead: optionalText,
    baseTree: v.string(),
    workTree: v.string(),
    tasks: v.array(task),
    requiredGates: texts,
    level: count,
    sandbox: v.boolean(),
    reachable: v.optional(texts),
    untouched: texts,
    fallback: v.optional(texts),
  }),
  "run.resumed": v.object({ type: v.literal("run.resumed"), pid: count }),
  "iteration.started": v.object({
    type: v.literal("iteration.started"),
    mode,
    task: optionalText,
    head: optionalText,
    tree: v.string(),
    spent: count,
    agent: v.optional(v.string()),
  }),
  "agent.ended": v.object({
    type: v.literal("agent.ended"),
    ending,
    usage,
    claims,
    watch,
    signs: v.array(sign),
    finalText: optionalText,
    warned: v.optional(warned),
    leftovers: v.optional(leftovers),
  }),
  "claims.taken": v.object({ type: v.literal("claims.taken"), ticked: texts }),
  "plan.restored": v.object({ type: v.literal("plan.restored"), what: texts, frozen: v.boolean() }),
  "plan.edited": v.object({ type: v.literal("plan.edited"), what: texts, keptAs: optionalText }),
  "path.restored": v.object({
    type: v.literal("path.restored"),
    path: v.string(),
    rule: v.picklist(["frozen", "compared"]),
    why: v.string(),
    keptAs: optionalText,
  }),
  "task.unticked": v.object({ type: v.literal("task.unticked"), task: v.string(), gate: v.string(), why: v.string() }),
  "task.proved": v.object({ type: v.literal("task.proved"), task: v.string(), gates: texts }),
  "task.accepted": v.object({ type: v.literal("task.accepted"), task: v.string(), changed: v.boolean() }),
  "task.added": v.object({ type: v.literal("task.added"), task }),
  "task.parked": v.object({ type: v.literal("task.parked"), task: v.string(), question: v.string() }),
  "gate.verdict": v.object({
    ...gateResult.entries,
    type: v.literal("gate.verdict"),
    moment: v.picklist(["baseline", "claim", "iteration", "proof", "hidden"]),
    task: optionalText,
  }),
  "iteration.judged": v.object({
    type: v.literal("iteration.judged"),
    class: iterationClass,
    tree: v.string(),
    parent: optionalText,
    commit: v.boolean(),
    betterGates: v.optional(v.boolean()),
  }),
  "commit.created": v.object({
    type: v.literal("commit.created"),
    commit: v.string(),
    tree: v.string(),
    parent: optionalText,
    files: count,
  }),
  "commit.refused": v.object({ type: v.literal("commit.refused"), output: v.string(), outputPath: v.optional(v.string()) }),
  "repo.moved": v.object({ type: v.literal("repo.moved"), what: v.string() }),
  "work.saved": v.object({ type: v.literal("work.saved"), ref: v.string(), commit: v.string(), why: v.string() }),
  "tree.excluded": v.object({
    type: v.literal("tree.excluded"),
    paths: v.array(v.object({ path: v.string(), reason: v.string() })),
  }),
  "gate.sideEffects": v.object({ type: v.literal("gate.sideEffects"), paths: texts }),
  "iteration.ended": v.object({
    type: v.literal("iteration.ended"),
    class: iterationClass,
    usage,
    newTree: v.boolean(),
    betterGates: v.boolean(),
    workTree: v.string(),
    files: count,
    activeMs: count,
  }),
  "sign.drafted": v.object({ type: v.literal("sign.drafted"), sign, path: v.string() }),
  "control.requested": v.object({ type: v.literal("control.requested"), request: v.string(), by: v.string(), detail: optionalText }),
  "brake.hit": v.object({ type: v.literal("brake.hit"), hit }),
  "wait.started": v.object({ type: v.literal("wait.started"), untilMs: count, why: v.string() }),
  "agent.rests": v.object({ type: v.literal("agent.rests"), agent: v.string(), class: restClass, untilMs: countOrUnknown, why: v.string() }),
  "agent.switched": v.object({
    type: v.literal("agent.switched"),
    from: v.string(),
    to: v.string(),
    class: switchClass,
    untilMs: countOrUnknown,
    why: v.string(),
  }),
  "request.taken": v.object({ type: v.literal("request.taken"), id: v.string() }),
  "note.added": v.object({ type: v.literal("note.added"), text: v.string(), by: v.string() }),
  "note.unanswered": v.object({ type: v.literal("note.unanswered"), text: v.string() }),
  "limits.raised": v.object({
    type: v.literal("limits.raised"),
    iterations: count,
    tokens: count,
    costMicroUsd: count,
    timeMs: count,
    by: v.string(),
  }),
  "run.paused": v.object({ type: v.literal("run.paused"), by: v.string() }),
  "run.unpaused": v.object({ type: v.literal("run.unpaused"), by: v.string() }),
  "run.refused": v.object({ type: v.literal("run.refused"), commit: optionalText, why: v.string(), claimed: v.boolean() }),
  "wait.ended": v.object({ type: v.literal("wait.ended"), waitedMs: count }),
  warning: v.object({ type: v.literal("warning"), message: v.string() }),
  "run.proved": v.object({
    type: v.literal("run.proved"),
    commit: optionalText,
    gates: texts,
    clean: v.boolean(),
    by: v.picklist(["gates", "marker", "tasks"]),
  }),
  "run.stopped": v.object({
    type: v.literal("run.stopped"),
    status: finalStatus,
    reason: stopReason,
    verified: v.boolean(),
    summary: v.string(),
    evidence: texts,
  }),
} satisfies { [T in JournalBody["type"]]: v.GenericSchema<Extract<JournalBody, { type: T }>> };

type Written = v.InferOutput<(typeof bodySchemas)[keyof typeof bodySchemas]>;
/** `satisfies` above finds what the schema lacks; this finds what it refuses although the types allow it. */
type Refused = Exclude<JournalBody["type"], Written["type"]> | (JournalBody extends Written ? never : "narrower than the type");
const nothingRefused: [Refused] extends [never] ? true : Refused = true;
void nothingRefused;

export function isKnownType(type: string): type is JournalBody["type"] {
  return Object.hasOwn(bodySchemas, type);
}
