/** A gate that asks a server: one GET within the time, on this machine or the one named host, never led elsewhere. */
import type { HttpGate } from "../core/gate.js";
import { failed, type Judged, passed, shown } from "./judged.js";
import { MATCH_MS, testWithin } from "./time-bound-match.js";

const MAX_REDIRECTS = 5;
/** What a body regex is held against; a health page is far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

export async function judgeHttp(spec: HttpGate, signal: AbortSignal): Promise<Judged> {
  const timeout = AbortSignal.timeout(Math.min(spec.timeoutMs, 2 ** 31 - 1));
  try {
    const answer = await get(spec, AbortSignal.any([signal, timeout]));
    return answer.kind === "led" ? failed(answer.why) : judgeAnswer(spec, answer);
  } catch (error) {
    if (timeout.aborted) return failed(`${spec.url} gave no whole answer within ${spec.timeoutMs / 1000} s; expected status ${spec.status}`);
    if (signal.aborted) return failed("stopped by a person before it ended");
    return failed(`${spec.url} could not be asked: ${reasonOf(error)}; expected status ${spec.status}. Is the server running?`);
  }
}

type Answer = { kind: "answer"; status: number; body: string } | { kind: "led"; why: string };

async function get(spec: HttpGate, signal: AbortSignal): Promise<Answer> {
  let url = new URL(spec.url);
  const { hostname } = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await fetch(url, { redirect: "manual", signal, headers: { "user-agent": "ralphd" } });
    const location = response.headers.get("location");
    // A redirect that the gate itself expects is the answer.
    if (location === null || response.status < 300 || response.status > 399 || response.status === spec.status) {
      return { kind: "answer", status: response.status, body: await readBounded(response) };
    }
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (next === null || next.hostname !== hostname)
      return {
        kind: "led",
        why: `${url.href} leads to ${next?.hostname ?? shown(location)}, which is not asked; expected status ${spec.status} from ${hostname}`,
      };
    url = next;
  }
  return { kind: "led", why: `${spec.url} leads on more than ${MAX_REDIRECTS} times; expected status ${spec.status}` };
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < MAX_BODY_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  // Throws when the stream is done already, which is what was wanted.
  await reader.cancel().catch(() => undefined);
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString("utf8");
}

function judgeAnswer(spec: HttpGate, answer: Extract<Answer, { kind: "answer" }>): Judged {
  const detail = `${spec.url} answered ${answer.status}:\n${answer.body.slice(0, 1_000)}`;
  if (answer.status !== spec.status) return failed(`${spec.url} answered ${answer.status}, expected ${spec.status}`, { detail });
  if (spec.body === null) return passed(`status ${answer.status}`);
  const match = testWithin(spec.body, answer.body, MATCH_MS);
  if (match === "match") return passed(`status ${answer.status}, body matches /${spec.body}/`);
  const why = match === "tooSlow" ? `took too long on the body` : `is not in the body, which begins ${shown(answer.body.slice(0, 60))}`;
  return failed(`${spec.url} answered ${answer.status}, but /${spec.body}/ ${why}`, { detail });
}

/** `fetch` hides what happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  if (cause instanceof AggregateError) return cause.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join("; ");
  return cause instanceof Error ? cause.message : error.message;
}
