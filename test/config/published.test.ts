/** What is published about the configuration is what the code reads: schemas for editors and the reference. */
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { configText, importedPlanText, planText } from "../../src/cli/init/texts.js";
import { readYaml } from "../../src/config/document.js";
import { configSchema, frontMatterSchema } from "../../src/config/schema.js";
import { validateLayer } from "../../src/config/validate.js";
import { parse } from "yaml";
import { EDITOR_SCHEMAS, editorSchema } from "./editor-schema.js";
import { referencePage, undescribed } from "./reference.js";

const ROOT = resolve(import.meta.dirname, "../..");

// After a change of settings: npx vitest run test/config/published.test.ts -u
describe("published configuration", () => {
  it.each(EDITOR_SCHEMAS)("state/$file is up to date", async ({ file, title, schema }) => {
    await expect(`${JSON.stringify(editorSchema(title, schema), null, 1)}\n`).toMatchFileSnapshot(join(ROOT, "state", file));
  });

  it("docs/configuration.md is up to date", async () => {
    await expect(referencePage()).toMatchFileSnapshot(join(ROOT, "docs/configuration.md"));
  });

  it("says of every key what it is for", () => {
    expect(undescribed(), "add its sentence in src/config/schema.ts or gate-schema.ts").toEqual([]);
  });
});

const ACCEPTED = [
  "agent: claude",
  "agent: acp:my-agent --serve",
  "agent: my-name",
  "agent: { kind: command, argv: [./a.sh], prices: { some-model_1: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 } } }",
  "limits:\n  # iterations: 20",
  "limits: { iterations: unlimited, tokens: 1.5M, cost: $5, time: 1h30m, resetSlack: 0s }",
  "max_iterations: 5\nmax-cost: 2.50\nmaxTime: 2h\nonStuck: park",
  "limits: { max_tokens: 10k }\nbrakes: { gutterCommand: 4, gutter_thrash: { count: 6, match: any }, stepBack: yes }",
  "gates: [npm test, { name: x, json: a.json, path: a.b, min: 3 }, { run: x, timeout: 90 s, required: off }]",
  "context: { rotate: 50k }\nprotect: [a/**]\nlevel: 3\nrequireGate: true\nmarker: READY",
];
const REFUSED = [
  "limits: 5",
  "limits: { time: 12 }",
  "limits: { iteration: soon }",
  "gates: npm test",
  "level: 4",
  "colour: red",
  "gates: [{ run: x, timeout: unlimited }]",
  "brakes: { onStuck: wait }",
  "protect: tests",
];
const CONFIG_ONLY = [
  "sandbox: off",
  "sandbox: { network: off, hosts: ['*.example.com:8443'] }",
  "heartbeat: https://example.com/ping\nnotify: [desktop, { url: '${HOOK}', on: [done] }]",
  "hooks: { onStop: ./done.sh, onStart: { argv: [a, b], timeout: 5s } }\nretention: { days: 3 }\nprogress_bytes: 8k",
];

describe("schemas for editors", () => {
  const judges = EDITOR_SCHEMAS.filter(({ file }) => file !== "user-config.schema.json").map(({ file, title, schema }) => ({
    file,
    // Another library's reading, so that the schema is not judged by what made it.
    editor: z.fromJSONSchema(JSON.parse(JSON.stringify(editorSchema(title, schema))) as Parameters<typeof z.fromJSONSchema>[0]),
    program: schema === frontMatterSchema ? frontMatterSchema : configSchema,
  }));
  const takes = (program: Parameters<typeof validateLayer>[1], text: string): boolean =>
    validateLayer(readYaml({ text, file: "f", firstLine: 1 }), program).kind === "layer";

  it.each(judges)("$file accepts and refuses what the program does", ({ file, editor, program }) => {
    for (const text of [...ACCEPTED, ...REFUSED, ...CONFIG_ONLY]) {
      const accepted = ACCEPTED.includes(text) || (CONFIG_ONLY.includes(text) && file === "config.schema.json");
      expect([takes(program, text), editor.safeParse(parse(text)).success], text).toEqual([accepted, accepted]);
    }
  });

  it("accepts what init writes, commented out or not", () => {
    const checks = { setup: "npm ci", gates: [{ name: "tests", run: "npm test" }] };
    const [config, plan] = judges;
    const texts = [configText(checks), configText(checks, "claude"), configText(checks).replace(/^# (?=(?: *\w+:))/gm, "")];
    for (const text of texts) expect(config?.editor.safeParse(parse(text)).error?.issues ?? [], text).toEqual([]);
    for (const text of [planText(checks, false, "PLAN.md"), importedPlanText({ frontMatter: null, body: "", gates: [] }, checks, "PLAN.md")]) {
      expect(plan?.editor.safeParse(parse(text.split("---\n")[1] ?? "")).success).toBe(true);
    }
  });
});
