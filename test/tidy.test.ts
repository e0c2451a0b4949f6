/** The few rules of style worth a check; each message names the remedy. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function files(folder: string): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }));
}

/** Without comments; rules about code must not trip over prose. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");
}

const SOURCES = files("src").map((file) => ({ ...file, code: codeOf(file.text) }));
const TESTS = [...files("test"), ...files("e2e")];

/** Files below a folder that match; empty when the rule holds. */
function offenders(pattern: RegExp, inside: (path: string) => boolean = () => true): string[] {
  return SOURCES.filter((file) => inside(file.path) && pattern.test(file.code)).map((file) => file.path);
}

describe("the source", () => {
  it("keeps the core pure", () => {
    const effects = /from "node:|Date\.now\(|new Date\(\)|Math\.random\(|\bprocess\.(?:env|cwd|exit|argv|std)|\bawait \w|setTimeout\(/;
    expect(
      offenders(effects, (path) => path.startsWith("src/core/")),
      "move the effect to the edge and pass its result in",
    ).toEqual([]);
  });

  it("lets the core import nothing but itself and pure libraries", () => {
    const outside = /from "\.\.\/(?:\.\.\/)?(?:agents|cli|config|driver|gates|journal|report|run|workspace)\//;
    expect(
      offenders(outside, (path) => path.startsWith("src/core/")),
      "a type that core needs belongs into core",
    ).toEqual([]);
  });

  it("lets the driver know ports only", () => {
    const rooms = /from "\.\.\/(?:agents|cli|config|gates|journal|report|run|workspace)\//;
    expect(
      offenders(rooms, (path) => path.startsWith("src/driver/")),
      "add what is missing to src/driver/ports.ts",
    ).toEqual([]);
  });

  it("ends the process in one place", () => {
    const exits = offenders(/process\.exit\(/);
    expect(exits, "return an exit code; a child program of its own may end itself").toEqual(
      exits.filter((path) => path === "src/main.ts" || path === "src/agents/anthropic/child.ts"),
    );
  });

  it("has no use of the type any", () => {
    expect(offenders(/:\s*any\s*[;,)=\]|&]|\bas any\b|<any>/), "take unknown and narrow it").toEqual([]);
  });

  it("says why an error may be lost", () => {
    const empty = SOURCES.filter((file) => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(file.text)).map((file) => file.path);
    expect(empty, "an empty catch has a sentence").toEqual([]);
  });

  it("names what a file is for in its first line", () => {
    const silent = SOURCES.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text)).map((file) => file.path);
    expect(silent, "begin the file with /** what it is for */").toEqual([]);
  });

  it("keeps files small enough to hold in the head", () => {
    const long = SOURCES.filter((file) => file.text.split("\n").length > 300).map((file) => file.path);
    expect(long, "split the file by subject").toEqual([]);
  });

  it("leaves nothing for later", () => {
    const later = SOURCES.filter((file) => /\/[/*].*\b(?:TODO|FIXME|XXX|HACK)\b|not implemented/.test(file.text)).map((file) => file.path);
    expect(later, "do it or leave it out").toEqual([]);
  });

  it("checks values with one library", () => {
    expect(offenders(/from "zod/), "write the schema with valibot").toEqual([]);
    expect(
      offenders(/from "@valibot\/to-json-schema"/),
      "JSON schemas are made by tests and the built-in agent alone, since every command would load it",
    ).toEqual(["src/agents/anthropic/tools/tool.ts"]);
  });

  it("names every marker in one file", () => {
    expect(offenders(/<ralph>/), "markers stand in src/core/markers.ts alone").toEqual(["src/core/markers.ts"]);
  });
});

describe("the tests", () => {
  it("use no module mocks, no fake timers, and leave nothing out", () => {
    const wrong = TESTS.filter(
      (file) => !file.path.endsWith("tidy.test.ts") && /vi\.(?:mock|useFakeTimers)\(|^\s*(?:it|test|describe)\.(?:only|todo)\(/m.test(file.text),
    );
    expect(
      wrong.map((file) => file.path),
      "drive the real thing through its ports",
    ).toEqual([]);
  });
});
