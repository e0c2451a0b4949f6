/** A reviewer that is any program: prompt on stdin, JSON on stdout, which may say beside `answers` what it used. */
import type { Reviewer } from "../../core/gate.js";
import { UNKNOWN_USAGE, type Usage, usdToMicro } from "../../core/usage.js";
import { asCount, asObject, parseJson } from "../json.js";
import { runReviewer } from "./process.js";
import { failedReview, notAsked, type Review, type ReviewRequest } from "./reviewer.js";

export async function askCommand(reviewer: Reviewer, request: ReviewRequest): Promise<Review> {
  const env = reviewer.model === null ? request.env : { ...request.env, RALPHD_REVIEW_MODEL: reviewer.model };
  const answer = await runReviewer(reviewer.argv, request.root, env, request);
  if (answer.problem !== null) return answer.started ? failedReview(answer.problem) : notAsked(answer.problem);
  const value = asObject(parseJson(answer.stdout));
  if (value === null || value["usage"] === undefined) return { kind: "answered", text: answer.stdout, usage: UNKNOWN_USAGE };
  const { usage, ...rest } = value;
  return { kind: "answered", text: JSON.stringify(rest), usage: usageOf(usage) };
}

function usageOf(value: unknown): Usage {
  const usage = asObject(value) ?? {};
  const costUsd = asCount(usage["costUsd"]);
  return {
    inputTokens: asCount(usage["inputTokens"]),
    cachedInputTokens: asCount(usage["cachedInputTokens"]),
    outputTokens: asCount(usage["outputTokens"]),
    costMicroUsd: costUsd === null ? null : usdToMicro(costUsd),
  };
}
