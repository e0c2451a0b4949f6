/** The published JSON schemas are those of the code. */
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agentEventSchema } from "../../src/agents/event-schema.js";
import { object } from "../../src/core/shape.js";
import { bodySchemas, envelopeSchema } from "../../src/journal/schema.js";
import { reportSchema } from "../../src/report/model-schema.js";
import { statusSchema } from "../../src/report/status-schema.js";

const STATE = resolve(import.meta.dirname, "../../state");

const { type: _any, ...envelope } = envelopeSchema.fields;
const journalEvent = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  anyOf: Object.values(bodySchemas).map(({ fields }) => object({ ...fields, ...envelope }).schema()),
};

const published: [file: string, title: string, schema: z.ZodType][] = [
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

async function expectPublished(file: string, schema: object): Promise<void> {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(join(STATE, file));
}

describe("published schemas", () => {
  // After a change of the code's schemas: npx vitest run test/journal/schemas.test.ts -u
  it.each(published)("%s is up to date", async (file, title, schema) => {
    await expectPublished(file, { title, ...z.toJSONSchema(schema, { io: "input", override: dropDefaulted }) });
  });

  it("journal-event.schema.json is up to date", async () => {
    await expectPublished("journal-event.schema.json", { title: "One line of journal.jsonl", ...journalEvent });
  });
});
