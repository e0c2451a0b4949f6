/** `ralphd guardrails review`: shows each draft to a person, who approves, edits, rejects or leaves it. */
import { join } from "node:path";
import { editFile } from "../edit-file.js";
import { approve, type Decided, keepEdit, reject, signPath, whyNotApprovable } from "./decide.js";
import { type GuardrailsPlace, readSignFiles } from "./place.js";

export interface Reviewing extends GuardrailsPlace {
  /** One answer of the person; null when there will be no more. */
  ask(question: string): Promise<string | null>;
}

/** Exit code 0 when every decision could be kept. */
export async function reviewSigns(place: Reviewing): Promise<number> {
  const drafts = readSignFiles(place.root)
    .signs.filter(({ sign }) => sign.status === "draft")
    .map(({ name }) => name);
  if (drafts.length === 0) place.out("No draft waits for a review.");
  let failed = false;
  for (const [index, name] of drafts.entries()) {
    const answer = await reviewOne(place, name, `${index + 1} of ${drafts.length}`);
    if (answer.kind === "quit") break;
    if (answer.kind !== "decided") continue;
    if (answer.decided.kind === "done") place.out(answer.decided.text);
    else place.err(`ralphd: ${answer.decided.message}`);
    failed ||= answer.decided.kind === "refused";
  }
  return failed ? 1 : 0;
}

type Answer = { kind: "decided"; decided: Decided } | { kind: "skipped" } | { kind: "quit" };

async function reviewOne(place: Reviewing, name: string, where: string): Promise<Answer> {
  for (;;) {
    show(place, name, where);
    const word = (await place.ask("[a]pprove, [e]dit, [r]eject, [s]kip, [q]uit? "))?.trim().toLowerCase() ?? "q";
    switch (word[0]) {
      case "a":
        return { kind: "decided", decided: await approve(place.root, name) };
      case "r":
        return { kind: "decided", decided: await reject(place.root, name) };
      case "s":
        return { kind: "skipped" };
      case "q":
        return { kind: "quit" };
      case "e":
        await edit(place, name);
        break;
      default:
        place.err("Answer with one of the letters.");
    }
  }
}

function show({ root, out }: Reviewing, name: string, where: string): void {
  const found = signPath(root, name);
  const why = whyNotApprovable(found?.sign ?? null);
  out(`\n${name} (${where})${found?.sign?.addedAfter ? `, added after ${found.sign.addedAfter}` : ""}`);
  if (found?.sign) out(`  When ${found.sign.trigger}:\n  ${found.sign.instruction.replaceAll("\n", "\n  ")}`);
  if (why !== null) out(`  It can't be approved as it is: ${why}.`);
}

async function edit(place: Reviewing, name: string): Promise<void> {
  const found = signPath(place.root, name);
  if (found === null) return;
  const problem = await editFile(join(place.root, found.path), place.env);
  if (problem !== null) place.err(`${problem}; nothing was committed.`);
  else if (signPath(place.root, name)?.text !== found.text) {
    const kept = await keepEdit(place.root, name);
    (kept.kind === "done" ? place.out : place.err)(kept.kind === "done" ? kept.text : `ralphd: ${kept.message}`);
  }
}
