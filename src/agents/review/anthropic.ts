/** A reviewer on the Messages API: the built-in agent's process with its errors and retries, without tools. */
import type { Reviewer } from "../../core/gate.js";
import { mergeUsage, UNKNOWN_USAGE, type Usage, usdToMicro } from "../../core/usage.js";
import { shippedFile } from "../../shipped.js";
import { CONFIG_ENV, type ChildConfigInput } from "../anthropic/config.js";
import { readEvent } from "../anthropic/translate.js";
import { inEmptyFolder, runReviewer } from "./process.js";
import { failedReview, type Review, type ReviewRequest } from "./reviewer.js";

/** One answer, and room for one that was cut off. */
const MAX_TURNS = 3;

export function askAnthropic(reviewer: Reviewer, request: ReviewRequest): Promise<Review> {
  const config: ChildConfigInput = {
    ...(reviewer.model === null ? {} : { model: reviewer.model }),
    prices: request.prices,
    tools: "none",
    maxTurns: MAX_TURNS,
    systemPromptPath: shippedFile("prompts/reviewer-system.md"),
  };
  const argv = [process.execPath, shippedFile("dist/agents/anthropic/child.js")];
  return inEmptyFolder(async (folder) => {
    const answer = await runReviewer(argv, folder, { ...request.env, [CONFIG_ENV]: JSON.stringify(config) }, { ...request, wrap: undefined });
    const said = readEvents(answer.stdout);
    // The process says in its events what went wrong; its exit code only says that something did.
    if (said.text === null || answer.problem !== null) return failedReview(said.error ?? answer.problem ?? "gave no answer", said.usage);
    return { kind: "answered", text: said.text, usage: said.usage };
  });
}

function readEvents(stdout: string): { text: string | null; error: string | null; usage: Usage } {
  let usage = UNKNOWN_USAGE;
  let text: string | null = null;
  let error: string | null = null;
  for (const line of stdout.split("\n").filter((one) => one !== "")) {
    const event = readEvent(line);
    if (event.type === "usage") {
      const { inputTokens, cachedInputTokens, outputTokens, costUsd } = event;
      usage = mergeUsage(usage, { inputTokens, cachedInputTokens, outputTokens, costMicroUsd: costUsd === null ? null : usdToMicro(costUsd) });
    } else if (event.type === "finished") text = event.ok ? event.text : null;
    else if (event.type === "limit" || (event.type === "error" && event.fatal)) error = event.message;
  }
  return { text, error, usage };
}
