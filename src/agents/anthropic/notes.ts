/** What the loop itself says to the model in user messages, and to the driver in last words. */

export function wrapUpNote(why: string): string {
  return (
    `Note from the loop: ${why}. Finish the step at hand, leave the tree in a working state, ` +
    "write down in the notes what the next iteration must know, then end with a short message. Start nothing new."
  );
}

export const EMPTY_ANSWER_NOTE = "Your last message was empty. Go on with the task, or end with a short message about its state.";

export const CUT_OFF_NOTE = "Your last message was cut off at the output limit. Go on from there in smaller steps.";

export function rotatedText(contextTokens: number, limit: number): string {
  return `Rotated: the context holds ${contextTokens} tokens, the limit is ${limit}. A fresh agent goes on from the files.`;
}
