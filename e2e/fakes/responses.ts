/** OpenAI's Responses API, as Codex asks it. */
import type { Asked, Body, Protocol } from "./server.js";
import { events } from "./server.js";
import type { Tool } from "./tools.js";
import { USAGE } from "./turns.js";

export const responses: Protocol = {
  matches: (method, path) => method === "POST" && path.endsWith("/responses"),
  tools: (body) => declared(body),
  isSide: (body) => declared(body).length === 0,
  error: ({ status, code, message, extra }) => ({ status, body: { error: { message, type: code, code, param: null, ...extra } } }),
  answer(response, asked) {
    const send = events(response);
    let sequence = 0;
    const event = (type: string, facts: object) => send({ type, sequence_number: sequence++, ...facts }, type);
    const base = { id: `resp_${asked.body.input?.length ?? 0}`, object: "response", created_at: 0, status: "in_progress", model: asked.body.model, output: [] };
    const items = itemsOf(asked);
    event("response.created", { response: base });
    items.forEach((item, output_index) => {
      event("response.output_item.added", { output_index, item });
      event("response.output_item.done", { output_index, item });
    });
    const usage = {
      input_tokens: USAGE.input,
      input_tokens_details: { cached_tokens: USAGE.cached },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USAGE.input + USAGE.output,
    };
    event("response.completed", { response: { ...base, status: "completed", output: items, usage } });
    response.end();
  },
};

function declared(body: Body): Tool[] {
  return (body.tools ?? []).map((tool: Body) => ({ name: tool.name ?? tool.type, ...(tool.type === "custom" ? {} : { schema: tool.parameters }) }));
}

function itemsOf({ body, text, uses }: Asked): object[] {
  const turn = body.input?.length ?? 0;
  const message = { type: "message", id: `msg_${turn}`, role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
  const calls = uses.map(({ name, input }, index) => {
    const ids = { id: `fc_${turn}_${index}`, call_id: `call_${turn}_${index}`, status: "completed" };
    return typeof input === "string"
      ? { type: "custom_tool_call", ...ids, name, input }
      : { type: "function_call", ...ids, name, arguments: JSON.stringify(input) };
  });
  return [...(text === "" ? [] : [message]), ...calls];
}
