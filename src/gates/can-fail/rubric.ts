/** What a rubric is given: stand-in reviewers that say no, say nothing readable, make up their evidence, or are gone. */
import type { RubricGate } from "../../core/gate.js";
import { UNKNOWN_USAGE } from "../../core/usage.js";
import type { RunTrees } from "../../driver/ports.js";
import type { Trial } from "../can-fail.js";
import { judgeRubric } from "../rubric-gate.js";

const PATH = "a.txt";
const TREES: RunTrees = {
  changes: async () => [{ path: PATH, kind: "added", oldMode: "000000", newMode: "100644", oldOid: "", newOid: "" }],
  before: async () => null,
  after: async (path) => (path === PATH ? "text\n" : null),
};

export async function rubricTrials(spec: RubricGate): Promise<Trial[]> {
  const answers = (answer: string, evidence: object): string =>
    JSON.stringify({ answers: spec.questions.map((_, index) => ({ question: index + 1, answer, evidence })) });
  return [
    await standIn(spec, "a reviewer that says no", "content", answers("no", { file: PATH, line: 1 })),
    await standIn(spec, "a reviewer that says yes with made-up evidence", "driver", answers("yes", { file: PATH, quote: "not in the file" })),
    await standIn(spec, "an answer that is no JSON", "driver", "looks good to me"),
    await standIn(spec, "a reviewer that does not answer in time", "driver", null),
  ];
}

async function standIn(spec: RubricGate, given: string, about: Trial["about"], text: string | null): Promise<Trial> {
  const ask = async () =>
    text === null
      ? { kind: "failed" as const, why: "gave no answer in time", usage: UNKNOWN_USAGE }
      : { kind: "answered" as const, text, usage: UNKNOWN_USAGE };
  const judged = await judgeRubric({ ...spec, artefacts: [] }, { root: "/nonexistent", trees: TREES, ask });
  return { given, about, verdict: judged.verdict, reason: judged.reason };
}
