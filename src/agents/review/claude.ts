/** Claude Code as a reviewer: one headless answer, no tools, no settings, in an empty folder. */
import type { Reviewer } from "../../core/gate.js";
import { UNKNOWN_USAGE, type Usage, usdToMicro } from "../../core/usage.js";
import { CLI_ENVIRONMENT } from "../claude/environment.js";
import { resultUsage } from "../claude/usage.js";
import { asObject, asText, type JsonObject, parseJson } from "../json.js";
import { inEmptyFolder, runReviewer } from "./process.js";
import { failedReview, notAsked, type Review, type ReviewRequest } from "./reviewer.js";

/** `--tools ""` takes every tool away; the two others keep servers and settings of the machine out. */
const ARGUMENTS = ["-p", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--setting-sources", ""];

export function askClaude(reviewer: Reviewer, request: ReviewRequest): Promise<Review> {
  const program = reviewer.argv.length > 0 ? reviewer.argv : [request.env["RALPHD_CLAUDE_PATH"] ?? "claude"];
  const argv = [...program, ...ARGUMENTS, ...(reviewer.model === null ? [] : ["--model", reviewer.model])];
  return inEmptyFolder(async (folder) => {
    const answer = await runReviewer(argv, folder, { ...CLI_ENVIRONMENT, ...request.env }, { ...request, wrap: undefined });
    if (!answer.started) return notAsked(answer.problem ?? "claude did not start");
    const result = resultOf(answer.stdout);
    const usage = result === null ? UNKNOWN_USAGE : usageOf(result, request);
    if (answer.problem !== null && result === null) return failedReview(answer.problem, usage);
    const text = asText(result?.["result"]);
    if (result === null || text === null) return failedReview("claude printed no result", usage);
    return result["is_error"] === true ? failedReview(text.slice(0, 300), usage) : { kind: "answered", text, usage };
  });
}

/** The result alone, or, where the person's settings ask for more, the last of all events. */
function resultOf(stdout: string): JsonObject | null {
  const value = parseJson(stdout);
  const events = (Array.isArray(value) ? value : [value]).map(asObject);
  return events.findLast((event) => event?.["type"] === "result") ?? null;
}

function usageOf(result: JsonObject, { prices }: ReviewRequest): Usage {
  const event = resultUsage(result, prices, true);
  if (event === null) return UNKNOWN_USAGE;
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = event;
  return { inputTokens, cachedInputTokens, outputTokens, costMicroUsd: costUsd === null ? null : usdToMicro(costUsd) };
}
