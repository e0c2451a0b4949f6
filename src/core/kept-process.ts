/** Which processes a person declared as kept (`keep`), so that the sweep after an iteration leaves them alone. Pure. */
import { textAt } from "./text-at.js";

/** What an agent left running when it had ended by itself. */
export interface Leftovers {
  /** Found and ended. */
  ended: number;
  /** Found and left alone, as `keep` says. */
  kept: number;
}

/**
 * Whether a command line is one that `keep` names: the words of an entry stand together, at its beginning or, for a script,
 * behind its interpreter; its first word may be the file name of a path. What is merely mentioned in an argument is not meant.
 */
export function isKept(argv: readonly string[], keep: readonly string[]): boolean {
  // Programs that set their own title, as npm does, have one word with blanks.
  const words = argv.length === 1 ? wordsOf(textAt(argv, 0)) : argv;
  return keep.some((entry) => {
    const wanted = wordsOf(entry);
    return wanted.length > 0 && [0, 1].some((start) => standsAt(words, wanted, start));
  });
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function standsAt(words: readonly string[], wanted: readonly string[], start: number): boolean {
  return wanted.every((word, index) => {
    const found = words[start + index];
    return found === word || (index === 0 && found?.slice(found.lastIndexOf("/") + 1) === word);
  });
}
