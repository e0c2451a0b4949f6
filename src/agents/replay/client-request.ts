/** What the replay server reads of a Messages API request; anything else in it is kept but not understood. */
import { z } from "zod";

/** The part of a JSON schema that tells which fields an object has. */
const objectSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

const requestSchema = z.looseObject({
  model: z.string().default("unknown"),
  stream: z.boolean().default(false),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: objectSchema.optional() })).default([]),
  system: z.unknown().optional(),
  messages: z.array(z.looseObject({ role: z.string() })).default([]),
  thinking: z.looseObject({ type: z.string() }).optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: objectSchema.optional() }).optional() }).optional(),
});

export type ClientRequest = z.infer<typeof requestSchema>;
export type DeclaredTool = ClientRequest["tools"][number];

/** null when it is no such request. */
export function readClientRequest(body: unknown): ClientRequest | null {
  const parsed = requestSchema.safeParse(body);
  return parsed.success ? parsed.data : null;
}
