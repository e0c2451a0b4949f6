/** The shape of every journal line, checked where a file becomes events; kept equal to the event types by the compiler. */
import type { JournalBody } from "../core/journal-event.js";
import { count, flag, list, literal, matching, object, type Of, oneOf, optional, type Shape, text, whole } from "../core/shape.js";
import {
  claims,
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
const moment = matching(new RegExp(`^${DAY.source}T${TIME.source}$`), "date-time", "a time such as 2026-11-30T20:11:00.000Z");

/** What stands in every line, whatever its type. */
export const envelopeSchema = object({ type: text, at: moment, run: text, iteration: whole(0) });

/** The fields of each event beside the envelope. */
export const bodySchemas = {
  "run.started": object({
    type: literal("run.started"),
    journalVersion: whole(0),
    plan: optionalText,
    objective: optionalText,
    agent: text,
    branch: optionalText,
    from: optional(text),
    baseHead: optionalText,
    baseTree: text,
    workTree: text,
    tasks: list(task),
    requiredGates: texts,
    level: count,
    sandbox: flag,
    reachable: optional(texts),
    untouched: texts,
    fallback: optional(texts),
  }),
  "run.resumed": object({ type: literal("run.resumed"), pid: count }),
  "iteration.started": object({
    type: literal("iteration.started"),
    mode,
    task: optionalText,
    head: optionalText,
    tree: text,
    spent: count,
    agent: optional(text),
  }),
  "agent.ended": object({
    type: literal("agent.ended"),
    ending,
    usage,
    claims,
    watch,
    signs: list(sign),
    finalText: optionalText,
    warned: optional(warned),
    leftovers: optional(leftovers),
  }),
  "claims.taken": object({ type: literal("claims.taken"), ticked: texts }),
  "plan.restored": object({ type: literal("plan.restored"), what: texts, frozen: flag }),
  "plan.edited": object({ type: literal("plan.edited"), what: texts, keptAs: optionalText }),
  "path.restored": object({
    type: literal("path.restored"),
    path: text,
    rule: oneOf(["frozen", "compared"]),
    why: text,
    keptAs: optionalText,
  }),
  "task.unticked": object({ type: literal("task.unticked"), task: text, gate: text, why: text }),
  "task.proved": object({ type: literal("task.proved"), task: text, gates: texts }),
  "task.accepted": object({ type: literal("task.accepted"), task: text, changed: flag }),
  "task.added": object({ type: literal("task.added"), task }),
  "task.parked": object({ type: literal("task.parked"), task: text, question: text }),
  "gate.verdict": object({
    ...gateResult.fields,
    type: literal("gate.verdict"),
    moment: oneOf(["baseline", "claim", "iteration", "proof", "hidden"]),
    task: optionalText,
  }),
  "iteration.judged": object({
    type: literal("iteration.judged"),
    class: iterationClass,
    tree: text,
    parent: optionalText,
    commit: flag,
    betterGates: optional(flag),
  }),
  "commit.created": object({
    type: literal("commit.created"),
    commit: text,
    tree: text,
    parent: optionalText,
    files: count,
  }),
  "commit.refused": object({ type: literal("commit.refused"), output: text, outputPath: optional(text) }),
  "repo.moved": object({ type: literal("repo.moved"), what: text }),
  "work.saved": object({ type: literal("work.saved"), ref: text, commit: text, why: text }),
  "tree.excluded": object({
    type: literal("tree.excluded"),
    paths: list(object({ path: text, reason: text })),
  }),
  "gate.sideEffects": object({ type: literal("gate.sideEffects"), paths: texts }),
  "iteration.ended": object({
    type: literal("iteration.ended"),
    class: iterationClass,
    usage,
    newTree: flag,
    betterGates: flag,
    workTree: text,
    files: count,
    activeMs: count,
  }),
  "sign.drafted": object({ type: literal("sign.drafted"), sign, path: text }),
  "control.requested": object({ type: literal("control.requested"), request: text, by: text, detail: optionalText }),
  "brake.hit": object({ type: literal("brake.hit"), hit }),
  "wait.started": object({ type: literal("wait.started"), untilMs: count, why: text }),
  "agent.rests": object({ type: literal("agent.rests"), agent: text, class: restClass, untilMs: countOrUnknown, why: text }),
  "agent.switched": object({ type: literal("agent.switched"), from: text, to: text, class: switchClass, untilMs: countOrUnknown, why: text }),
  "request.taken": object({ type: literal("request.taken"), id: text }),
  "note.added": object({ type: literal("note.added"), text, by: text }),
  "note.unanswered": object({ type: literal("note.unanswered"), text }),
  "limits.raised": object({
    type: literal("limits.raised"),
    iterations: count,
    tokens: count,
    costMicroUsd: count,
    timeMs: count,
    by: text,
  }),
  "run.paused": object({ type: literal("run.paused"), by: text }),
  "run.unpaused": object({ type: literal("run.unpaused"), by: text }),
  "run.refused": object({ type: literal("run.refused"), commit: optionalText, why: text, claimed: flag }),
  "wait.ended": object({ type: literal("wait.ended"), waitedMs: count }),
  warning: object({ type: literal("warning"), message: text }),
  "run.proved": object({
    type: literal("run.proved"),
    commit: optionalText,
    gates: texts,
    clean: flag,
    by: oneOf(["gates", "marker", "tasks"]),
  }),
  "run.stopped": object({
    type: literal("run.stopped"),
    status: finalStatus,
    reason: stopReason,
    verified: flag,
    summary: text,
    evidence: texts,
  }),
} satisfies { [T in JournalBody["type"]]: Shape<Extract<JournalBody, { type: T }>> };

type Written = Of<(typeof bodySchemas)[keyof typeof bodySchemas]>;
/** `satisfies` above finds what the schema lacks; this finds what it refuses although the types allow it. */
type Refused = Exclude<JournalBody["type"], Written["type"]> | (JournalBody extends Written ? never : "narrower than the type");
const nothingRefused: Refused[] = [];
void nothingRefused;

export function isKnownType(type: string): type is JournalBody["type"] {
  return Object.hasOwn(bodySchemas, type);
}
