/** Makes up token counts that behave like real ones where a recording names none. */
import type { ClientRequest } from "./client-request.js";

export interface TurnUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** A common rule of thumb for English and code. */
const CHARS_PER_TOKEN = 4;
/** Real answers report a few tokens behind the last cache breakpoint. */
const UNCACHED = 3;

/** Remembers the prompts it saw, so that a repeated beginning counts as read from the cache. */
export function usageSource(): (request: ClientRequest, answerChars: number) => TurnUsage {
  let previous = "";
  return (request, answerChars) => {
    const prompt = promptText(request);
    const total = tokens(prompt.length);
    const output = Math.max(1, tokens(answerChars));
    if (!JSON.stringify(request).includes('"cache_control"')) return { input: total, output, cacheRead: 0, cacheWrite: 0 };
    const cacheRead = Math.min(tokens(commonPrefix(previous, prompt)), total - UNCACHED);
    previous = prompt;
    return { input: UNCACHED, output, cacheRead, cacheWrite: total - cacheRead - UNCACHED };
  };
}

/** In the order in which the cache sees it; breakpoints are not part of the text. */
function promptText(request: ClientRequest): string {
  const parts = [request.tools, request.system ?? null, ...request.messages];
  return JSON.stringify(parts, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}

function commonPrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

function tokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
