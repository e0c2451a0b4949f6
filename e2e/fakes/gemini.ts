/** Google's Gemini API, as Gemini CLI asks it. */
import type { Body, Protocol } from "./server.js";
import { events, json } from "./server.js";
import type { Tool } from "./tools.js";
import { USAGE } from "./turns.js";

const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

export const gemini: Protocol = {
  matches: (method, path) => method === "POST" && /\/models\/[^:]+:(?:stream)?generateContent$/i.test(path),
  tools: (body) => declared(body),
  // Requests for JSON route to a model or ask who speaks next.
  isSide: (body) => declared(body).length === 0 || /json/.test(body.generationConfig?.responseMimeType ?? ""),
  error: ({ status, message, extra }) => ({ status, body: { error: { code: status, message, status: STATUS[status] ?? "UNKNOWN", ...extra } } }),
  answer(response, { path, body, text, uses }) {
    const calls = uses.map(({ name, input }, index) => ({ functionCall: { id: `fc_${body.contents?.length ?? 0}_${index}`, name, args: input } }));
    const parts = [...(text === "" ? [] : [{ text }]), ...calls];
    const whole = {
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: USAGE.input,
        cachedContentTokenCount: USAGE.cached,
        candidatesTokenCount: USAGE.output,
        totalTokenCount: USAGE.input + USAGE.output,
      },
    };
    if (!/streamGenerateContent$/.test(path)) return json(response, 200, whole);
    events(response)(whole);
    response.end();
  },
};

function declared(body: Body): Tool[] {
  return (body.tools ?? [])
    .flatMap((tool: Body) => tool.functionDeclarations ?? [])
    .map((tool: Body) => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters }));
}
