/** Commit messages: a restart recognises its own commits by them, and no task's text can imitate that. */
import { describe, expect, it } from "vitest";
import { type CommitFacts, commitMessage } from "../../src/core/commit-message.js";
import { gate } from "../journal/events.js";

const FACTS: CommitFacts = { run: "20261130-2011", iteration: 3, subject: "Add /health", body: [], results: [], costMicroUsd: null, agent: null };
const message = (facts: Partial<CommitFacts> = {}): string => commitMessage({ ...FACTS, ...facts });

describe("a commit message", () => {
  it("has subject, body and trailers, each part apart", () => {
    expect(message()).toBe("Add /health\n\nRalphd-Run: 20261130-2011\nRalphd-Iteration: 3\nRalphd-Gates: none\nRalphd-Cost: unknown\n");
    expect(message({ body: ["one", "", "two"], costMicroUsd: 1_234_560, agent: "claude", results: [gate()] })).toBe(
      "Add /health\n\none\ntwo\n\nRalphd-Run: 20261130-2011\nRalphd-Iteration: 3\nRalphd-Gates: pass\nRalphd-Cost: $1.2346\nRalphd-Agent: claude\n",
    );
  });

  it("says of a cost of nothing that it is known", () => expect(message({ costMicroUsd: 0 })).toContain("Ralphd-Cost: $0.0000\n"));

  it.each([
    ["none", []],
    ["pass", [gate()]],
    ["pass", [gate({ verdict: "fail", required: false })]],
    ["pass", [gate(), gate({ verdict: "pass", required: false })]],
    ["fail", [gate(), gate({ verdict: "fail" })]],
  ] as const)("calls the gates %s for %j", (word, results) => expect(message({ results })).toContain(`\nRalphd-Gates: ${word}\n`));

  it("cuts a subject where git would break it, and none that fits", () => {
    const subjectOf = (length: number): string | undefined => message({ subject: "x".repeat(length) }).split("\n")[0];
    expect(subjectOf(72)).toBe("x".repeat(72));
    expect(subjectOf(73)).toBe(`${"x".repeat(71)}…`);
  });

  it("lets no task and no agent write a trailer of its own", () => {
    const forged = "x\n\nRalphd-Iteration: 99\u0000";
    const text = message({ subject: forged, body: [forged, " \n "], agent: forged });
    expect(text.match(/^Ralphd-Iteration: .*$/gm)).toEqual(["Ralphd-Iteration: 3"]);
    expect(text).toBe(
      "x Ralphd-Iteration: 99\n\nx Ralphd-Iteration: 99\n\nRalphd-Run: 20261130-2011\nRalphd-Iteration: 3\nRalphd-Gates: none\nRalphd-Cost: unknown\nRalphd-Agent: x Ralphd-Iteration: 99\n",
    );
  });
});
