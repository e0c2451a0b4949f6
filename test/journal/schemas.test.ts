/** The published JSON schemas are those of the code. */
import { join, resolve } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { agentEventSchema } from "../../src/agents/event-schema.js";
import { bodySchemas, envelopeSchema } from "../../src/journal/schema.js";
import { reportSchema } from "../../src/report/model-schema.js";
import { statusSchema } from "../../src/report/status-schema.js";
import { publishedSchema } from "../published-schema.js";

const STATE = resolve(import.meta.dirname, "../../state");

const { type: _any, ...envelope } = envelopeSchema.entries;
const journalEventSchema = v.union(Object.values(bodySchemas).map(({ entries }) => v.object({ ...entries, ...envelope })));

const published: [file: string, title: string, schema: v.GenericSchema][] = [
  ["journal-event.schema.json", "One line of journal.jsonl", journalEventSchema],
  ["agent-event.schema.json", "One line of an agent with --agent-output events", agentEventSchema],
  ["status.schema.json", "Output of ralphd status --json", statusSchema],
  ["report.schema.json", "Output of ralphd report --format json", reportSchema],
];

describe("published schemas", () => {
  // After a change of the code's schemas: npx vitest run test/journal/schemas.test.ts -u
  it.each(published)("%s is up to date", async (file, title, schema) => {
    const text = `${JSON.stringify({ title, ...publishedSchema(schema, "draft-2020-12") }, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(STATE, file));
  });
});
