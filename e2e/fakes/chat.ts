/** OpenAI's Chat Completions API, as OpenCode, Copilot and many others ask it. */
import type { Body, Protocol } from "./server.js";
import { events, json } from "./server.js";
import type { Tool } from "./tools.js";
import { USAGE } from "./turns.js";

const USAGE_BODY = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
};

export const chat: Protocol = {
  matches: (method, path) => method === "POST" && path.endsWith("/chat/completions"),
  tools: (body) => declared(body),
  isSide: (body) => declared(body).length === 0,
  error: ({ status, code, message, extra }) => ({ status, body: { error: { message, type: code, code, param: null, ...extra } } }),
  answer(response, { body, text, uses }) {
    const turn = body.messages?.length ?? 0;
    const base = { id: `chatcmpl-${turn}`, created: 0, model: body.model };
    const calls = uses.map(({ name, input }, index) => ({
      index,
      id: `call_${turn}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    const finish = calls.length > 0 ? "tool_calls" : "stop";
    if (body.stream !== true) {
      const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
      json(response, 200, { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason: finish }], usage: USAGE_BODY });
      return;
    }
    const send = events(response);
    const chunk = (delta: object, reason: string | null = null) =>
      send({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] });
    chunk({ role: "assistant", content: text });
    for (const call of calls) chunk({ tool_calls: [call] });
    chunk({}, finish);
    send({ ...base, object: "chat.completion.chunk", choices: [], usage: USAGE_BODY });
    send("[DONE]");
    response.end();
  },
};

function declared(body: Body): Tool[] {
  return (body.tools ?? []).map((tool: Body) => ({ name: tool.function?.name, schema: tool.function?.parameters ?? {} }));
}
