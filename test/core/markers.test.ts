/** What counts as a marker in an agent's final text, and what only nearly does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MARKERS, normaliseMarker, readMarkers, validateMarker } from "../../src/core/markers.js";

const streaming = { marker: "COMPLETE", plainText: false, prompt: "" };
const NOTHING = { complete: false, gutter: false, blocked: null, wait: null };

describe("the four markers", () => {
  it("are read alone on a line, in any place of the final message", () => {
    expect(readMarkers("All green.\n\n<ralph>COMPLETE</ralph>\n\nBye.", streaming)).toEqual({ ...NOTHING, complete: true, nearMiss: null });
    expect(readMarkers("<ralph>GUTTER</ralph>", streaming).gutter).toBe(true);
    expect(readMarkers("x\r\n<ralph>BLOCKED: which database?</ralph>\r\n", streaming).blocked).toBe("which database?");
    expect(readMarkers("<ralph>WAIT: the build farm is down</ralph>  ", streaming).wait).toBe("the build farm is down");
  });

  it("take <promise> as an alias of completion alone", () => {
    expect(readMarkers("<promise>COMPLETE</promise>", streaming).complete).toBe(true);
    expect(readMarkers("<promise>GUTTER</promise>", streaming)).toMatchObject(NOTHING);
    expect(readMarkers("<promise>COMPLETE</ralph>", streaming)).toMatchObject(NOTHING);
  });

  it("are read back from the form that prompts show", () => {
    expect(readMarkers(MARKERS.complete("COMPLETE"), streaming).complete).toBe(true);
    expect(readMarkers(MARKERS.gutter, streaming).gutter).toBe(true);
    expect(readMarkers(MARKERS.blocked("a"), streaming).blocked).toBe("a");
    expect(readMarkers(MARKERS.wait("b"), streaming).wait).toBe("b");
  });

  it("need a reason where they promise one", () => {
    for (const text of ["<ralph>BLOCKED</ralph>", "<ralph>WAIT: </ralph>"]) {
      const claims = readMarkers(text, streaming);
      expect(claims).toMatchObject(NOTHING);
      expect(claims.nearMiss).toContain("gives no reason");
    }
  });

  it("name an unknown word inside the tag", () => {
    expect(readMarkers("<ralph>DONE</ralph>", streaming).nearMiss).toContain("write <ralph>COMPLETE</ralph>");
  });
});

describe("text that is no marker", () => {
  it.each([
    ["in a sentence", "I will not say <ralph>COMPLETE</ralph> yet."],
    ["quoted", '"<ralph>COMPLETE</ralph>"'],
    ["in a block quote", "> <ralph>COMPLETE</ralph>"],
    ["in backticks", "`<ralph>COMPLETE</ralph>`"],
    ["in a code span over lines", "see `a\n<ralph>COMPLETE</ralph>\nb` there"],
    ["in a fence", "```\n<ralph>COMPLETE</ralph>\n```"],
    ["in a tilde fence with backticks in it", "~~~~\n```\n<ralph>COMPLETE</ralph>\n~~~\n~~~~"],
    ["in a fence that is never closed", "```sh\nnpm test\n<ralph>COMPLETE</ralph>"],
    ["in a comment", "<!--\n<ralph>COMPLETE</ralph>\n-->"],
    ["behind a byte-order mark, in a fence", "\uFEFF```\n<ralph>COMPLETE</ralph>\n```"],
  ])("CD-04 %s", (_, text) => {
    const claims = readMarkers(text, streaming);
    expect(claims).toMatchObject(NOTHING);
    expect(claims.nearMiss).not.toBeNull();
  });

  it("counts behind a closed fence", () => {
    expect(readMarkers("```\ncode\n```\n<ralph>COMPLETE</ralph>", streaming).complete).toBe(true);
  });

  it("of a very long text only the end is read, in or out of the code it began in", () => {
    const long = "a line of a log with `ticks` and [brackets](\n".repeat(3_000);
    expect(readMarkers(`<ralph>GUTTER</ralph>\n${long}\n<ralph>COMPLETE</ralph>`, streaming)).toEqual({ ...NOTHING, complete: true, nearMiss: null });
    expect(readMarkers(`~~~\n\`\`\`\n${long}\n<ralph>COMPLETE</ralph>`, streaming).nearMiss).toContain("code");
    expect(readMarkers(`~~~\nx\n~~~~\n${long}\n<ralph>COMPLETE</ralph>`, streaming).complete).toBe(true);
    expect(readMarkers(`\`\`\`no fence\`\`\`\n${long}\n<ralph>COMPLETE</ralph>`, streaming).complete).toBe(true);
    expect(readMarkers(`\`\`\`sh\n${long}\n<ralph>COMPLETE</ralph>`, streaming).complete).toBe(false);
    expect(readMarkers("x".repeat(200_000), streaming)).toEqual({ ...NOTHING, nearMiss: null });
  });

  it("a bare GUTTER or a bare reason lacks its tag", () => {
    for (const bare of ["GUTTER", "BLOCKED: no key"]) expect(readMarkers(bare, streaming).nearMiss).toContain(`lacks its tag: write <ralph>${bare}</ralph>`);
  });

  it("CD-05 a bare word that equals the marker is a near miss", () => {
    const claims = readMarkers("DONE", { ...streaming, marker: "DONE" });
    expect(claims).toMatchObject(NOTHING);
    expect(claims.nearMiss).toBe("`DONE` lacks its tag: write <ralph>DONE</ralph>");
  });

  it("another case of letters is not the marker", () => {
    expect(readMarkers("<ralph>complete</ralph>\n<RALPH>COMPLETE</RALPH>", streaming)).toMatchObject(NOTHING);
  });

  it.each([
    "**<ralph>COMPLETE</ralph>**",
    "1. <ralph>COMPLETE</ralph>",
    "1 <promise>COMPLETE</promise>",
    "  <ralph>COMPLETE</ralph>",
    "\t<ralph>COMPLETE</ralph>",
    "- <ralph>COMPLETE</ralph>",
    "**COMPLETE**",
    "1 COMPLETE",
    "# COMPLETE",
    "__COMPLETE__.",
  ])("CD-07 %j is a near miss with a sentence", (text) => {
    const claims = readMarkers(`Finished.\n\n${text}`, streaming);
    expect(claims).toMatchObject(NOTHING);
    expect(claims.nearMiss).toContain("COMPLETE");
  });

  it("CD-10 completion words are neither marker nor near miss", () => {
    const changelog = "## 1.2.0\n- migration is done\n- docs complete\n- Done: health check\n- all tasks completed, COMPLETE rewrite of the parser";
    expect(readMarkers(changelog, streaming)).toEqual({ ...NOTHING, nearMiss: null });
  });

  it("CD-12 counts in the decoded field of a result, not in its escaped form", () => {
    const line = JSON.stringify({ result: "All set.\n<ralph>COMPLETE</ralph>" });
    expect(readMarkers(line, streaming)).toMatchObject(NOTHING);
    expect(readMarkers((JSON.parse(line) as { result: string }).result, streaming).complete).toBe(true);
  });

  it("CD-18 silence claims nothing", () => {
    expect(readMarkers("", streaming)).toEqual({ ...NOTHING, nearMiss: null });
    expect(readMarkers("", { ...streaming, plainText: true })).toEqual({ ...NOTHING, nearMiss: null });
  });
});

describe("plain-text agents", () => {
  const prompt = "Say `<ralph>COMPLETE</ralph>` when done.\n<ralph>COMPLETE</ralph>\n";
  const plain = { marker: "COMPLETE", plainText: true, prompt: "Say `<ralph>COMPLETE</ralph>` alone on a line when done." };

  it("count with their last line that is not empty, and only with it", () => {
    expect(readMarkers("building\n<ralph>COMPLETE</ralph>\n\n  \n", plain).complete).toBe(true);
    const early = readMarkers("<ralph>COMPLETE</ralph>\nmore output", plain);
    expect(early.complete).toBe(false);
    expect(early.nearMiss).toContain("last line");
  });

  it("CD-01 an echo of the prompt claims nothing", () => {
    expect(readMarkers(plain.prompt, plain)).toEqual({ ...NOTHING, nearMiss: null });
    const echo = readMarkers(`$ agent\n${prompt}`, { ...plain, prompt });
    expect(echo).toMatchObject(NOTHING);
    expect(echo.nearMiss).toContain("echo");
  });
});

describe("the configured marker", () => {
  it("CD-06 white space inside is one space on both sides", () => {
    const options = { ...streaming, marker: "ALL  DONE" };
    expect(readMarkers("<promise>ALL  DONE</promise>", options).complete).toBe(true);
    expect(readMarkers("<ralph>ALL DONE</ralph>", options).complete).toBe(true);
    expect(normaliseMarker("  ALL \t DONE ")).toBe("ALL DONE");
  });

  it.each(["", "   ", "x", "ok", "a\nb c", "be\u0000ll", "esc\u001b[0m", "<ralph>X</ralph>", "GUTTER", "BLOCKED: a"])("CD-09 %j is refused", (marker) => {
    expect(validateMarker(marker)).not.toBeNull();
    expect(readMarkers(`<ralph>${marker}</ralph>`, { ...streaming, marker }).complete).toBe(false);
  });

  it.each(["COMPLETE", "DONE", "ALL  DONE", "fertig (wirklich)", "完了した"])("%j is accepted and matches itself", (marker) => {
    expect(validateMarker(marker)).toBeNull();
    expect(readMarkers(`<ralph>${marker}</ralph>`, { ...streaming, marker }).complete).toBe(true);
  });
});

it("no text without a whole tag claims anything, and nothing throws", () => {
  const piece = fc.constantFrom("<ralph>", "</ralph>", "COMPLETE", "GUTTER", "BLOCKED: x", "\n", " ", "```", "`", "*", "<!--", "-->", "a", "\uFEFF", "> ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, plainText) => {
      const text = pieces.join("");
      const claims = readMarkers(text, { ...streaming, plainText });
      if (!/^<ralph>COMPLETE *<\/ralph>/m.test(text.replace(/> +COMPLETE/g, ">COMPLETE"))) expect(claims.complete).toBe(false);
    }),
  );
});
