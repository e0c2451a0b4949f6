/** `state/README.md` is true: it names every event and field, and its example works. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { agentEventSchema, createEventReader } from "../../src/agents/event-schema.js";
import { bodySchemas } from "../../src/journal/schema.js";
import { statusSchema } from "../../src/report/status-schema.js";
import { scratch } from "./scratch.js";

const README = readFileSync(resolve(import.meta.dirname, "../../state/README.md"), "utf8");

/** The table row whose first cell names the type. */
function described(type: string): string {
  return README.split("\n").find((line) => line.startsWith("|") && line.split("|")[1]?.includes(`\`${type}\``)) ?? "";
}

describe("state/README.md", () => {
  it.each(Object.entries(bodySchemas))("names %s with its fields", (type, schema) => {
    const fields = Object.keys(schema.entries).filter((field) => field !== "type");
    for (const field of fields) expect(described(type), `${type}.${field}`).toContain(`\`${field}\``);
    expect(described(type)).not.toBe("");
  });

  it.each(agentEventSchema.options.map((option) => [option.entries.type.literal, option.entries] as const))(
    "names the AgentEvent %s with its fields",
    (type, entries) => {
      if (type === "unknown") return;
      for (const field of Object.keys(entries).filter((name) => name !== "type")) expect(described(type), `${type}.${field}`).toContain(`\`${field}\``);
    },
  );

  it("names every field of the status", () => {
    const section = README.slice(README.indexOf("## `ralphd status --json`"));
    for (const field of Object.keys(statusSchema.entries)) expect(section).toContain(`\`${field}\``);
  });

  it.each([
    ["all is well", 0, 0],
    ["the tests fail", 1, 0],
  ])("has an adapter that works when %s", (_name, testCode, agentCode) => {
    const dir = scratch();
    const bin = join(dir, "bin");
    mkdirSync(bin);
    const executable = (path: string, text: string): void => {
      writeFileSync(path, text);
      chmodSync(path, 0o755);
    };
    executable(join(bin, "my-agent"), `#!/bin/sh\nprintf 'said "%s"\\n<ralph>COMPLETE</ralph>' "$1"\nexit ${agentCode}\n`);
    executable(join(bin, "npm"), `#!/bin/sh\necho '1 "test"'\nexit ${testCode}\n`);
    executable(join(dir, "agent.sh"), /```sh\n([\s\S]*?)```/.exec(README)?.[1] ?? "");
    const output = execFileSync(join(dir, "agent.sh"), { input: "do it", encoding: "utf8", env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` } });
    expect(output.trimEnd().split("\n").map(createEventReader())).toEqual([
      { type: "started", model: "my-model" },
      { type: "toolCall", id: "1", name: "shell", input: {}, command: "npm test" },
      { type: "toolResult", id: "1", ok: testCode === 0, exitCode: testCode, output: '1 "test"' },
      { type: "finished", ok: true, text: 'said "do it"\n<ralph>COMPLETE</ralph>' },
    ]);
  });
});
