/** Turns what an ACP agent answers in place of a result into a limit or an error; the one place that reads such wording. */
import { type Failure, apiFailure, codeOf, errorBody, fatal } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import { parseResetTime } from "../reset-time.js";

/** JSON-RPC code of the protocol: log in first. */
const AUTH_REQUIRED = -32000;

export function failureOf(error: unknown, { nowMs, localZone }: Pick<TranslatorContext, "nowMs" | "localZone">): Failure {
  const body = asObject(error);
  const data = asObject(body?.["data"]);
  const details = asText(body?.["data"]) ?? asText(data?.["details"]) ?? asText(data?.["message"]);
  const plain = asText(body?.["message"]) ?? String(error);
  const message = sanitize(details === null ? plain : `${plain}: ${details}`);
  const resumeAtMs = parseResetTime(message, nowMs(), localZone);
  if (body?.["code"] === AUTH_REQUIRED) return fatal("auth", message);
  if (/usage limit|hit your .{0,200}limit|limit reached/i.test(message)) return { type: "limit", kind: "account", resumeAtMs, message };
  const inner = errorBody(message);
  const status = asCount(data?.["status"]) ?? asCount(data?.["statusCode"]) ?? asCount(data?.["code"]) ?? asCount(inner?.["code"]) ?? asCount(body?.["code"]);
  const failure = apiFailure({ status, code: asText(data?.["errorKind"]) ?? codeOf(inner), message, resumeAtMs });
  if (failure.type === "error" && failure.kind === "other" && /connection closed|stream|EPIPE/i.test(message)) return fatal("crash", message);
  return failure;
}
