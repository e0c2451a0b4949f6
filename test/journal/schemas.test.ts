/** The published JSON schemas are those of the code. */
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agentEventSchema } from "../../src/agents/event-schema.js";
import { bodySchemas, envelopeSchema } from "../../src/journal/schema.js";
import { reportSchema } from "../../src/report/model-schema.js";
import { statusSchema } from "../../src/report/status.js";

const STATE = resolve(import.meta.dirname, "../../state");

const journalEvent = z.union(Object.values(bodySchemas).map((body) => body.loose().extend(envelopeSchema.omit({ type: true }).shape)));

const published: [file: string, title: string, schema: z.ZodType][] = [
  ["journal-event.schema.json", "One line of journal.jsonl", journalEvent],
  ["agent-event.schema.json", "One line of an agent with --agent-output events", agentEventSchema],
  ["status.schema.json", "Output of ralphd status --json", statusSchema],
  ["report.schema.json", "Output of ralphd report --format json", reportSchema],
];

/** What falls back to a value need not be there; zod lists it as required. */
function dropDefaulted({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { required, properties } = jsonSchema;
  if (required === undefined || properties === undefined) return;
  jsonSchema.required = required.filter((name) => {
    const property = properties[name];
    return typeof property !== "object" || !("default" in property);
  });
}

describe("published schemas", () => {
  // After a change of the code's schemas: npx vitest run test/journal/schemas.test.ts -u
  it.each(published)("%s is up to date", async (file, title, schema) => {
    const json = { title, ...z.toJSONSchema(schema, { io: "input", override: dropDefaulted }) };
    await expect(`${JSON.stringify(json, null, 2)}\n`).toMatchFileSnapshot(join(STATE, file));
  });
});
