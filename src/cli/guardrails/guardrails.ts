/** `ralphd guardrails`: reading and linting signs is for everybody, deciding about them for people alone. */
import { lintSign, signProblemText } from "../../core/sign-lint.js";
import { sizeNotes, sortSigns } from "../../core/sign-list.js";
import { EXIT_CODES } from "../../core/words.js";
import { oneLine } from "../../report/markdown-text.js";
import { approve, reject } from "./decide.js";
import { askPerson } from "../ask-person.js";
import { type GuardrailsPlace, readSignFiles, whyNotNow } from "./place.js";

export type GuardrailsRequest =
  | { kind: "list"; json: boolean }
  | { kind: "lint"; json: boolean }
  | { kind: "approve" | "reject"; name: string }
  | { kind: "review" }
  | { kind: "import"; file: string; cwd: string };

export async function runGuardrails(place: GuardrailsPlace, request: GuardrailsRequest): Promise<number> {
  if (request.kind === "list") return list(place, request.json);
  if (request.kind === "lint") return lint(place, request.json);
  const why = whyNotNow(place);
  if (why !== null) {
    place.err(`ralphd: ${why}`);
    return EXIT_CODES.refused;
  }
  switch (request.kind) {
    case "import":
      return (await import("./import.js")).importSigns(place, request.file, request.cwd);
    case "review":
      return review(place);
    default: {
      const decided = request.kind === "approve" ? await approve(place.root, request.name) : await reject(place.root, request.name);
      if (decided.kind === "done") place.out(decided.text);
      else place.err(`ralphd: ${decided.message}`);
      return decided.kind === "done" ? 0 : 1;
    }
  }
}

async function review(place: GuardrailsPlace): Promise<number> {
  if (process.stdin.isTTY !== true) {
    place.err("ralphd: a review needs a terminal; `ralphd guardrails approve NAME` and `reject NAME` do not.");
    return EXIT_CODES.refused;
  }
  const { reviewSigns } = await import("./review.js");
  return reviewSigns({ ...place, ask: askPerson });
}

function list({ root, out }: GuardrailsPlace, json: boolean): number {
  const { signs, formless } = readSignFiles(root);
  const rows = signs.map(({ name, sign }) => {
    const problem = lintSign(sign);
    return {
      name: name.replace(/\.md$/, ""),
      status: sign.status,
      trigger: sign.trigger,
      instruction: sign.instruction,
      addedAfter: sign.addedAfter,
      refused: problem === null ? null : signProblemText(problem),
    };
  });
  if (json) out(JSON.stringify({ signs: rows, formless }));
  else if (rows.length + formless.length === 0)
    out("There are no signs yet. Drafts appear when a run gets stuck; `ralphd guardrails import FILE` reads an old guardrails.md.");
  else {
    for (const row of rows)
      out(
        `${row.status.padEnd(8)}  ${row.name}\n          when ${oneLine(row.trigger, 100)}: ${oneLine(row.instruction, 200)}${row.refused === null ? "" : `\n          not shown to agents: ${row.refused}`}`,
      );
    for (const name of formless) out(`no sign   ${name}`);
  }
  return 0;
}

/** Exit code 1 when a file would not be shown to an agent for what it says, or is no sign at all. */
function lint({ root, out }: GuardrailsPlace, json: boolean): number {
  const { signs, formless } = readSignFiles(root);
  const sorted = sortSigns(signs);
  const problems = [
    ...formless.map((name) => ({ name, problem: "no sign: front matter with `trigger`, then the instruction" })),
    ...sorted.refused.map(({ name, problem }) => ({ name, problem: `refused: ${signProblemText(problem)}` })),
  ];
  const notes = [...sorted.duplicates.map(({ name, of }) => `${name}: says the same as ${of}, which is shown in its place`), ...sizeNotes(sorted)];
  if (json) out(JSON.stringify({ problems, notes }));
  else {
    for (const { name, problem } of problems) out(`${name}: ${problem}`);
    for (const note of notes) out(`note: ${note}`);
    if (problems.length + notes.length === 0) out(`${signs.length} sign(s), nothing to object to.`);
  }
  return problems.length === 0 ? 0 : 1;
}
