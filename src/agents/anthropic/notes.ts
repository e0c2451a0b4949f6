/** What the loop itself says to the model in user messages, and to the driver in last words. */

export function wrapUpNote(why: string): string {
  return (
    `Note from the loop: ${why}. Finish the step at hand, leave the tree in a working state, ` +
    "write down in the notes what the next iteration must know, then end with a short message. Start nothing new."
  );
}

export const EMPTY_ANSWER_NOTE = "Your last message was empty. Go on with the task, or end with a short message about its state.";

export const CUT_OFF_NOTE = "Your last message was cut off at the output limit. Go on from there in smaller steps.";

/** The parts of a hand-over, in this order. */
export const PARTS = ["Done", "Decided", "Remaining"] as const;

export function handOverNote(why: string): string {
  return (
    `Note from the loop: ${why}; your last calls were not run and no more will be. A fresh agent goes on from the files. Answer with the hand-over for it ` +
    "and nothing else: three headings, `## Done`, `## Decided` (with the reasons) and `## Remaining` (the next step first), with a few short bullets each. " +
    "Name files and commands. Leave out what git shows."
  );
}

export function concludeNote(why: string): string {
  return `Note from the loop: ${why}; your last calls were not run and no more will be. Answer the question now with what you have seen, and say what is still open.`;
}

/** The last words of an agent whose context is full. */
export function rotatedText(why: string, handedOver: boolean): string {
  const left = handedOver ? "The hand-over is in the notes" : "No hand-over could be got";
  return `Rotated: ${why}. ${left}; a fresh agent goes on from the files.`;
}
