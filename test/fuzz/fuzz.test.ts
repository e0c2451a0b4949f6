/** Readers of foreign text against mutated recordings and noise: no throw. What they cost is in bounds.test.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader } from "../../src/agents/event-schema.js";
import { createLineReader, type Line } from "../../src/agents/process/lines.js";
import { parseResetTime } from "../../src/agents/reset-time.js";
import { resolveSettings } from "../../src/config/load.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import { createDecoder } from "../../src/journal/read.js";
import { PRODUCTS, translator } from "../agents/recordings.js";
import { type Random, random } from "../sim/random.js";
import { CORPUS } from "./corpus.js";
import { NOW } from "./readers.js";

/** A few thousand inputs belong to the suite; `npm run fuzz` takes a million. */
const INPUTS = Number(process.env["FUZZ_INPUTS"] ?? "2000");

/** What damage looks like: cut, doubled, swapped, wrong types, odd characters. */
function mutate(line: string, rng: Random): string {
  const at = rng.below(line.length);
  const length = 1 + rng.below(20);
  const values = ["null", "[]", "{}", "-1", "1e999", '"\\u0000"', "true", '"\u2028"', "0.1", '"💥"'];
  switch (rng.below(7)) {
    case 0:
      return line.slice(0, at);
    case 1:
      return line.slice(0, at) + line.slice(at + length);
    case 2:
      return line.slice(0, at) + line.slice(at, at + length).repeat(3) + line.slice(at + length);
    case 3:
      return line.replace(/"(?:[^"\\]|\\.)*"(?=[,}\]])|\b\d+\b/g, (value) => (rng.chance(0.15) ? rng.pick(values) : value));
    case 4:
      return line.replace(/"(\w+)":/g, (key, name: string) => (rng.chance(0.1) ? `"${name}x":` : key));
    case 5:
      return `${line.slice(0, at)}${String.fromCharCode(rng.below(65_536))}${line.slice(at)}`;
    default:
      return line + rng.pick(CORPUS);
  }
}

describe("translators", () => {
  it.each(Object.keys(PRODUCTS))("%s takes any damage to any stream", (name) => {
    const rng = random(name.length * 31);
    let reader = translator(name, { nowMs: () => NOW });
    for (let n = 0; n < INPUTS; n++) {
      const events = reader.line(mutate(rng.pick(CORPUS), rng), rng.chance(0.9) ? "stdout" : "stderr");
      expect(Array.isArray(events)).toBe(true);
      if (n % 50 === 49) {
        expect(Array.isArray(reader.end({ kind: "exited", code: rng.below(3) }))).toBe(true);
        reader = translator(name, { nowMs: () => NOW });
      }
    }
  });
});

function textOf(line: Line): string {
  return line.kind === "line" ? line.text : `skipped ${line.bytes}`;
}

describe("the line reader", () => {
  it("gives the same lines however the bytes are cut", () => {
    const text = fc.array(fc.oneof(fc.string(), fc.constantFrom("\n", "\r\n", "中", "\u2028", "💥", "{}"))).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { minLength: 1 }), (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const reader = createLineReader();
        const lines: string[] = [];
        let from = 0;
        for (let n = 0; from < bytes.length; n++) {
          const to = from + 1 + (cuts[n % cuts.length] ?? 0);
          lines.push(...reader.push(bytes.subarray(from, to)).map(textOf));
          from = to;
        }
        lines.push(...reader.end().map(textOf));
        const atOnce = createLineReader();
        expect(lines).toEqual([...atOnce.push(bytes), ...atOnce.end()].map(textOf));
      }),
      { numRuns: Math.max(200, INPUTS / 10) },
    );
  });
});

const MARKDOWN = fc.array(
  fc.constantFrom(
    "- [ ] a",
    "- [x] b",
    "  - [ ] c",
    "```",
    "~~~~",
    "---",
    "\t- [X] d",
    "> * [ ] e",
    "1) [~] f",
    "<!-- gate: x -->",
    "<!--",
    "# h",
    "### Task 1: t",
    "",
    "\r",
    "\uFEFF",
    "gates:",
    "  - name: x",
    "    run: [",
    "💥",
  ),
  { maxLength: 40 },
);

describe("other readers", () => {
  it("parsePlan reads any text as a plan or says what is wrong", () => {
    fc.assert(
      fc.property(MARKDOWN, fc.constantFrom("\n", "\r\n", "\r"), fc.constantFrom("PLAN.md", "RALPH_TASK.md", "prd.json", "PROMPT.md"), (lines, end, path) => {
        expect(["plan", "invalid"]).toContain(parsePlan(lines.join(end), { path, sections: null }).kind);
      }),
      { numRuns: Math.max(300, INPUTS / 10) },
    );
  });

  it("settings come from any front matter and config, or with problems", () => {
    const yaml = fc
      .array(
        fc.constantFrom(
          "gates:",
          "  - name: a",
          "    run: x",
          "limits:",
          "  iterations: 0",
          "  cost: $5",
          "agent: {",
          "- x",
          "protect: 3",
          "&a *a",
          "? :",
          "\t",
          "setup: |",
          "'",
          "max_runtme: 8h",
          "💥: 1",
        ),
        { maxLength: 12 },
      )
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(yaml, yaml, (frontMatter, project) => {
        const reading = resolveSettings({
          flags: {},
          env: {},
          frontMatter,
          frontMatterPath: "PLAN.md",
          frontMatterLine: 2,
          impliedGates: [],
          files: { project, user: null },
        });
        expect(["settings", "invalid"]).toContain(reading.kind);
        if (reading.kind === "invalid") expect(reading.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: Math.max(300, INPUTS / 10) },
    );
  });

  it("the journal reader names the line of any damage", () => {
    const line = '{"type":"warning","message":"x","at":"2026-11-30T22:00:00.000Z","run":"20261130-2200","iteration":0}';
    const rng = random(7);
    for (let n = 0; n < INPUTS; n++) {
      const { problem } = createDecoder("20261130-2200").push(Buffer.from(`${mutate(line, rng)}\n${line}\n`));
      if (problem !== null) expect(problem.line).toBeGreaterThan(0);
    }
  });

  it("reset times are in reach of the present or unknown", () => {
    const piece = fc.constantFrom(
      "resets ",
      "try again ",
      "at ",
      "in ",
      "9:31pm",
      "12:30",
      "30",
      "(UTC)",
      "(Europe/Berlin)",
      "Jan 15, ",
      "8am",
      "Jun 11th, 2026 ",
      "12:27 AM",
      "~4293 min",
      "1.2s",
      "weekly ",
      "limit reached ",
      "∙ ",
      "99:99",
      "-5",
      "(Nowhere/Land)",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
        const time = parseResetTime(parts.join(""), NOW, "UTC");
        if (time !== null) expect(Number.isFinite(time)).toBe(true);
      }),
      { numRuns: Math.max(500, INPUTS / 4) },
    );
  });

  it("adapter events are read or kept as unknown", () => {
    const read = createEventReader();
    const rng = random(11);
    const line = '{"type":"toolResult","id":"1","ok":true,"exitCode":0,"output":"x"}';
    for (let n = 0; n < INPUTS; n++) expect(typeof read(mutate(line, rng)).type).toBe("string");
  });
});
