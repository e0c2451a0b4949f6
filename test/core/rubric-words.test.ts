/** What a reviewer is asked and what its answers are worth, to the word; whatever is not readable counts against the work. */
import { describe, expect, it } from "vitest";
import { type Answer, groundAnswer, readVote, rubricPrompt, tally } from "../../src/core/rubric.js";
import { parse } from "../../src/core/rubric-answer.js";

const yes: Answer = { kind: "yes", evidence: { file: "a.ts", line: 3, quote: null } };
const no: Answer = { kind: "no", evidence: { file: "a.ts", line: null, quote: "let x" } };
const bad: Answer = { kind: "unreadable", why: "no JSON" };

describe("the question", () => {
  const material = { questions: ["Is it tested?", "Is it documented?"], diff: "", artefacts: [{ path: "a.md", text: "one\ntwo\n" }], nonce: "n1" };

  it("holds everything in fences that the text can't end, with line numbers to cite", () => {
    const text = rubricPrompt(material);
    expect(text).toContain("# Questions\n\n1. Is it tested?\n2. Is it documented?\n\n");
    expect(text).toContain('# The change\n\n<data-n1 name="diff">\n(nothing changed)\n</data-n1>\n\n');
    expect(text).toContain('# File a.md\n\n<data-n1 name="a.md">\n1\tone\n2\ttwo\n3\n</data-n1>\n\n# Your answer');
    expect(rubricPrompt({ ...material, diff: "+x\n" })).toContain('<data-n1 name="diff">\n+x\n</data-n1>');
  });
});

describe("an answer", () => {
  it.each([
    ["not JSON", /^the answer is no JSON: ./],
    ['{"answers":[{"question":1,"answer":"maybe"}]}', /^the answer has another form: answers\.0\.answer ./],
    ["[]", /^the answer has another form: {2}./],
  ])("%s is unreadable, and says why", (text, why) => {
    expect(parse(text)).toEqual({ kind: "unreadable", why: expect.stringMatching(why) });
    expect(readVote(text, 2)).toEqual([
      { kind: "unreadable", why: expect.stringMatching(why) },
      { kind: "unreadable", why: expect.stringMatching(why) },
    ]);
  });

  it.each<[string, Answer, string | null, Answer]>([
    ["stands on a line that exists", yes, "1\n2\n3", yes],
    ["stands on words that exist, whatever their spaces", no, "  let\n  x = 1", no],
    ["stands on no file that is not there", yes, null, { kind: "unreadable", why: "cites a.ts, which is not in the tree" }],
    ["stands on no line behind the last", yes, "1\n2", { kind: "unreadable", why: "cites a.ts:3, which has 2 lines" }],
    [
      "stands on no line before the first",
      { kind: "yes", evidence: { file: "a.ts", line: 0, quote: null } },
      "1",
      { kind: "unreadable", why: "cites a.ts:0, which has 1 lines" },
    ],
    ["stands on no words that nobody wrote", no, "let y", { kind: "unreadable", why: 'quotes "let x", which is not in a.ts' }],
    ["that is unreadable stays so", bad, "let x", bad],
  ])("%s", (_name, answer, text, grounded) => expect(groundAnswer(answer, text)).toEqual(grounded));
});

describe("votes", () => {
  it.each<[string, Answer[][], ReturnType<typeof tally>]>([
    ["all say yes", [[yes], [yes], [yes]], { pass: true, confidence: 1, against: [] }],
    ["most say yes", [[yes], [yes], [no]], { pass: true, confidence: 2 / 3, against: [] }],
    ["most say no", [[no], [no], [yes]], { pass: false, confidence: 2 / 3, against: ['question 1 (q): no (1 yes, 2 no of 3); evidence: a.ts "let x"'] }],
    ["as many as not", [[yes], [no]], { pass: false, confidence: 0.5, against: ['question 1 (q): tied (1 yes, 1 no of 2); evidence: a.ts "let x"'] }],
    ["nobody readably", [[bad], [bad]], { pass: false, confidence: null, against: ["question 1 (q): not answered readably (0 yes, 0 no of 2); no JSON"] }],
    [
      "one of three readably",
      [[yes], [bad], [bad]],
      { pass: false, confidence: 1 / 3, against: ["question 1 (q): without a majority (1 yes, 0 no of 3); no JSON"] },
    ],
    ["one left the question out", [[yes], []], { pass: false, confidence: 0.5, against: ["question 1 (q): without a majority (1 yes, 0 no of 2); no answer"] }],
    ["nobody at all", [], { pass: false, confidence: null, against: ["question 1 (q): not answered readably (0 yes, 0 no of 0)"] }],
  ])("%s", (_name, votes, result) => expect(tally(votes, ["q"])).toEqual(result));

  it("are as sure as their least sure question, and cite a line where one was given", () => {
    const noLine: Answer = { kind: "no", evidence: { file: "a.ts", line: 3, quote: null } };
    expect(
      tally(
        [
          [yes, noLine],
          [yes, noLine],
          [yes, yes],
        ],
        ["q", "r"],
      ),
    ).toEqual({ pass: false, confidence: 2 / 3, against: ["question 2 (r): no (1 yes, 2 no of 3); evidence: a.ts:3"] });
  });
});
