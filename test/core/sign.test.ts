/** Signs: which files are ones, and what of them a prompt shows. */
import { describe, expect, it } from "vitest";
import { formatSign, parseSign, renderSigns, type Sign } from "../../src/core/sign.js";
import { signProblemText } from "../../src/core/sign-lint.js";
import { sizeNotes } from "../../src/core/sign-list.js";

const SIGN: Sign = { trigger: "a test fails", addedAfter: "iteration 3", status: "draft", instruction: "Read its output." };
const file = (head: string, body = "Read its output.\n"): string => `---\n${head}\n---\n${body}`;

describe("a sign file", () => {
  it.each<[string, string, Partial<Sign>]>([
    ["is read", file("trigger: a test fails\nadded_after: iteration 3"), {}],
    ["keeps what a person decided", file("trigger: a test fails\nadded_after: iteration 3\nstatus: approved"), { status: "approved" }],
    ["may be retired", file("trigger: a test fails\nadded_after: iteration 3\nstatus: retired"), { status: "retired" }],
    // A word that nobody knows approves nothing.
    ["of an unknown status is a draft", file("trigger: a test fails\nadded_after: iteration 3\nstatus: Approved"), {}],
    ["needs no origin", file("trigger: a test fails"), { addedAfter: "" }],
    ["with an origin that is no text has none", file("trigger: a test fails\nadded_after: 3"), { addedAfter: "" }],
    ["may come from Windows", `\uFEFF${file("trigger: ' a test fails '\nadded_after: iteration 3").replace(/\n/g, "\r\n")}`, {}],
  ])("%s", (_name, source, change) => expect(parseSign(source)).toEqual({ ...SIGN, ...change }));

  it.each([
    ["without front matter", "Read its output.\n"],
    ["whose front matter has no end", "---\ntrigger: a test fails\nRead its output.\n"],
    ["behind other text", `x\n${file("trigger: a test fails")}`],
    ["without a trigger", file("status: draft")],
    ["with an empty trigger", file("trigger: '  '")],
    ["with a trigger that is no text", file("trigger: 7")],
    ["without an instruction", file("trigger: a test fails", "  \n")],
    ["that ends with its front matter", "---\ntrigger: a test fails\n---"],
    ["of broken YAML", file("trigger: [")],
    ["of YAML that is a text", file("trigger")],
    ["of YAML that is nothing", file("# nothing")],
  ])("%s is none", (_name, source) => expect(parseSign(source)).toBeNull());

  it("is written so that it is read again", () => {
    for (const status of ["draft", "approved", "retired"] as const) {
      const sign: Sign = { trigger: 'a "quoted": thing', addedAfter: "# 3", status, instruction: "---\nkeep: this\n---" };
      expect(parseSign(formatSign(sign))).toEqual(sign);
    }
    expect(formatSign({ ...SIGN, instruction: "\n x \n" })).toBe("---\ntrigger: a test fails\nadded_after: iteration 3\nstatus: draft\n---\nx\n");
  });
});

describe("signs in a prompt", () => {
  const named = (trigger: string, status: Sign["status"] = "draft"): Sign => ({ ...SIGN, trigger, status });

  it("stand approved first, in their order, drafts marked and retired ones left out", () => {
    const text = renderSigns([named("a"), named("b", "approved"), named("c", "retired"), named("d"), named("e", "approved")]);
    expect(text).toBe(
      "- When b: Read its output.\n- When e: Read its output.\n- When a (unreviewed draft): Read its output.\n- When d (unreviewed draft): Read its output.",
    );
  });

  it("say so when there are none", () => {
    expect([renderSigns([]), renderSigns([named("a", "retired")])]).toEqual(["None yet.", "None yet."]);
  });

  it("are the newest forty, one line each, none longer than its share", () => {
    const many = renderSigns(Array.from({ length: 41 }, (_, n) => named(`t${n}`))).split("\n");
    expect([many.length, many[0]]).toEqual([40, "- When t1 (unreviewed draft): Read its output."]);
    const sized = (trigger: number, instruction: number): string =>
      renderSigns([{ ...SIGN, status: "approved", trigger: "t".repeat(trigger), instruction: "i".repeat(instruction) }]);
    expect(sized(200, 600)).toBe(`- When ${"t".repeat(200)}: ${"i".repeat(600)}`);
    expect(sized(201, 601)).toBe(`- When ${"t".repeat(200)}…: ${"i".repeat(600)}…`);
    expect(renderSigns([{ ...SIGN, status: "approved", trigger: "a\n  b", instruction: "c\n\nd" }])).toBe("- When a b: c d");
  });

  it("that are cut there are named to the person, with which part", () => {
    const shown = (sign: Partial<Sign>) => [{ name: "x.md", sign: { ...SIGN, ...sign } }];
    const of = (list: ReturnType<typeof shown>) => sizeNotes({ shown: list, refused: [], duplicates: [] });
    expect(of(shown({ trigger: "t".repeat(200), instruction: "i".repeat(600) }))).toEqual([]);
    expect(of(shown({ trigger: "t".repeat(201) }))).toEqual(["x.md: the trigger is longer than 200 characters; prompts show its beginning"]);
    expect(of(shown({ instruction: "i".repeat(601) }))).toEqual(["x.md: the instruction is longer than 600 characters; prompts show its beginning"]);
    const many = (count: number) => Array.from({ length: count }, () => shown({})).flat();
    expect([of(many(40)), of(many(41))]).toEqual([[], ["41 signs are more than the 40 that a prompt shows; reject what is no longer needed"]]);
  });
});

it.each([
  ["gates", 'it reaches for the gates ("skip the tests"), which no sign can touch'],
  ["permissions", 'it reaches for permissions ("skip the tests"), which no sign can touch'],
] as const)("says of %s in words what is wrong with a sign", (rule, text) => expect(signProblemText({ rule, found: "skip the tests" })).toBe(text));
