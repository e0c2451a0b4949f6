/** YAML that would end the process itself, wherever it is read: no sign, no front matter, a named problem. */
import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../src/config/load.js";
import { frontMatterKeys } from "../../src/core/plan/front-matter.js";
import { parseSign } from "../../src/core/sign.js";
import { parseYaml, tooDeep } from "../../src/core/yaml.js";

const DEEP: Readonly<Record<string, string>> = {
  lists: `a: ${"[".repeat(2_000)}`,
  mappings: `a: ${'{"a":'.repeat(2_000)}`,
  "lists over lines": `a:\n${"  [\n".repeat(2_000)}`,
  "lists in a line": `a:\n  ${"- ".repeat(1_000)}x`,
  "keys in a line": `${"? ".repeat(1_000)}x`,
  indentation: `a:\n${" ".repeat(1_100)}b: 1`,
};

describe.each(Object.entries(DEEP))("%s nested too deeply", (_, text) => {
  it("are no values", () => {
    expect(() => parseYaml(text)).toThrow("nested too deeply");
    expect(frontMatterKeys(text)).toBeNull();
    expect(parseSign(`---\ntrigger: t\n${text}\n---\nwords\n`)).toBeNull();
  });

  it("are named in a configuration", () => {
    const reading = resolveSettings({
      flags: {},
      env: {},
      frontMatter: null,
      frontMatterPath: null,
      frontMatterLine: 1,
      impliedGates: [],
      files: { project: text, user: null },
    });
    expect(reading).toMatchObject({ kind: "invalid", problems: [{ message: "nested too deeply to be read" }] });
  });
});

it("what people write is read", () => {
  const text = `run: "[[ -f a ]] && case b in [ab]) echo '{';; esac"\nl: [[1], {a: [2]}]\n# ${"[".repeat(900)}\n`;
  expect(tooDeep(text)).toBeNull();
  expect(parseYaml(text)).toMatchObject({ l: [[1], { a: [2] }] });
});
