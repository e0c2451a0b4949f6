/** What the replay server reads of a Messages API request; anything else in it is kept but not understood. */
import * as v from "valibot";
import { noList } from "../../core/no-list.js";

/** The part of a JSON schema that tells which fields an object has. */
const objectSchema = noList(v.looseObject({ properties: v.optional(noList(v.record(v.string(), v.unknown()))) }));

const requestSchema = noList(
  v.looseObject({
    model: v.optional(v.string(), "unknown"),
    stream: v.optional(v.boolean(), false),
    tools: v.optional(v.array(v.looseObject({ name: v.string(), input_schema: v.optional(objectSchema) })), []),
    system: v.optional(v.unknown()),
    messages: v.optional(v.array(v.looseObject({ role: v.string() })), []),
    thinking: v.optional(v.looseObject({ type: v.string() })),
    output_config: v.optional(noList(v.looseObject({ format: v.optional(noList(v.looseObject({ schema: v.optional(objectSchema) }))) }))),
  }),
);

export type ClientRequest = v.InferOutput<typeof requestSchema>;
export type DeclaredTool = ClientRequest["tools"][number];

/** null when it is no such request. */
export function readClientRequest(body: unknown): ClientRequest | null {
  const parsed = v.safeParse(requestSchema, body);
  return parsed.success ? parsed.output : null;
}
