/** Many signs as one list: what is refused, what says the same twice, what no prompt can hold. */
import { lintSign, type SignProblem } from "./sign-lint.js";
import { MAX_INSTRUCTION, MAX_SIGNS, MAX_TRIGGER, type Sign } from "./sign.js";

export interface NamedSign {
  name: string;
  sign: Sign;
}

export interface SignList {
  /** In the order of their names; of two that say the same, the approved or the earlier one. */
  shown: NamedSign[];
  refused: { name: string; problem: SignProblem }[];
  /** `of`: the one that stands for it. */
  duplicates: { name: string; of: string }[];
}

export function sortSigns(signs: readonly NamedSign[]): SignList {
  const list: SignList = { shown: [], refused: [], duplicates: [] };
  const known = new Map<string, NamedSign>();
  const living = signs.filter(({ sign }) => sign.status !== "retired");
  // Approved first, so that a draft never stands for what a person has confirmed.
  for (const item of [...living].sort((a, b) => Number(b.sign.status === "approved") - Number(a.sign.status === "approved"))) {
    const problem = lintSign(item.sign);
    const twin = known.get(sameWords(item.sign));
    if (problem !== null) list.refused.push({ name: item.name, problem });
    else if (twin !== undefined) list.duplicates.push({ name: item.name, of: twin.name });
    else {
      known.set(sameWords(item.sign), item);
      list.shown.push(item);
    }
  }
  list.shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  return list;
}

/** Equal for signs that differ in case, punctuation and white space alone. */
export function sameWords({ trigger, instruction }: Pick<Sign, "trigger" | "instruction">): string {
  const plain = (text: string): string =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return `${plain(trigger)}\n${plain(instruction)}`;
}

/** What a prompt would cut off or leave out, as sentences. */
export function sizeNotes({ shown }: SignList): string[] {
  const long = shown.flatMap(({ name, sign }) => [
    ...(sign.instruction.replace(/\s+/g, " ").length > MAX_INSTRUCTION
      ? [`${name}: the instruction is longer than ${MAX_INSTRUCTION} characters; prompts show its beginning`]
      : []),
    ...(sign.trigger.length > MAX_TRIGGER ? [`${name}: the trigger is longer than ${MAX_TRIGGER} characters; prompts show its beginning`] : []),
  ]);
  return shown.length <= MAX_SIGNS
    ? long
    : [...long, `${shown.length} signs are more than the ${MAX_SIGNS} that a prompt shows; reject what is no longer needed`];
}
