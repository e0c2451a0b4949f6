/** Markdown that would take the library minutes or its stack: refused with its line, and no claim of an agent. */
import { describe, expect, it } from "vitest";
import { readMarkers } from "../../../src/core/markers.js";
import { unreadable } from "../../../src/core/plan/markdown-bounds.js";
import { parsePlan } from "../../../src/core/plan/parse.js";

const QUOTES = "> ".repeat(4_000);
const MIXED = "* - ".repeat(2_000);
const INDENTED = Array.from({ length: 30 }, (_, n) => `${" ".repeat(n * 40)}${"+ - ".repeat(10)}x\n`).join("");
const UNDERLINED = "a\n---\n".repeat(5_000);
const LONG = "words of a plan\n".repeat(40_000);

describe("a plan that can't be read", () => {
  it.each([
    ["quotes in quotes", `- [ ] a\n\n${QUOTES}`, 3],
    ["lists in lists", `- [ ] a\n${MIXED}`, 2],
    ["numbers in numbers", `- [ ] a\n${"1. ".repeat(4_000)}`, 2],
    ["lists that go on below", INDENTED, 11],
    ["underlined headings", UNDERLINED, 402],
    ["brackets without end", `- [ ] a\n- [ ] b\n${"[ ]".repeat(2_500)}`, 3],
    ["stars over many lines", `- [ ] a\n\n${"*a *b *c\n".repeat(2_000)}`, 1336],
    ["megabytes", LONG, 1],
  ])("%s", (_, body, line) => {
    const reading = parsePlan(`---\ngates: []\n---\n${body}`, { path: "PLAN.md", sections: null });
    expect(reading).toMatchObject({ kind: "invalid", problems: [{ line: line + 3 }] });
  });

  it("is none for what people write", () => {
    for (const text of [
      "-".repeat(2_000),
      "=".repeat(2_000),
      `a\n\n${"---\n\n".repeat(500)}`,
      `${"- ".repeat(3)}[ ] a`,
      `    ${"> ".repeat(20)}x`,
      "1. a\n".repeat(2_000),
      "- [ ] **a** [b](c) _d_\n".repeat(2_000),
      `${"a [b] *c*\n".repeat(400)}\n`.repeat(4),
      `${"a [b] *c*\r\n".repeat(400)}  \r\n`.repeat(4),
      `${" ".repeat(900)}words`,
    ]) {
      expect(unreadable(text)).toBeNull();
    }
  });
});

it("claims in such a text are not counted, and the agent hears of it", () => {
  const said = `<ralph>COMPLETE</ralph>\n${QUOTES}`;
  const claims = readMarkers(said, { marker: "COMPLETE", plainText: false, prompt: "" });
  expect(claims).toMatchObject({ complete: false, nearMiss: expect.stringContaining("nested too deeply") });
});

it("front matter that the library only warns of says nothing by itself", async () => {
  const told: Error[] = [];
  const hear = (warning: Error): void => void told.push(warning);
  process.on("warning", hear);
  parsePlan("---\na: !!nothing x\n---\n- [ ] a\n", { path: "PLAN.md", sections: null });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", hear);
  expect(told).toEqual([]);
});
