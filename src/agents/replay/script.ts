/** Walks through the turns of a recording as requests come in. */
import type { RecordedTurn, Recording } from "./recording.js";

/**
 * A number plays that iteration. `byConversation` is for clients that a driver starts anew for each
 * iteration: a request that has no assistant message yet begins the next one.
 */
export type IterationChoice = number | "byConversation";

export interface Script {
  /** The turn that answers this request. `fresh`: its history has no assistant message. */
  next(fresh: boolean): { turn: RecordedTurn; id: string };
}

/** Said when a client goes on asking after the last recorded turn. */
export const CLOSING_TEXT = "The recording ends here; nothing is left to do.";

export function startScript(recording: Recording, choice: IterationChoice): Script {
  let iteration = choice === "byConversation" ? 1 : choice;
  let served = 0;
  /** A failed answer is asked for again with the same history; that is no new conversation. */
  let answered = false;
  return {
    next: (fresh) => {
      if (choice === "byConversation" && fresh && answered) {
        iteration++;
        served = 0;
      }
      const turn = turnAt(recording.iterations[iteration - 1]?.turns ?? [], served);
      const id = `${iteration}_${served}`;
      served++;
      answered = turn.error === undefined && turn.midError === undefined && !turn.hang && !turn.cut;
      return { turn, id };
    },
  };
}

function turnAt(turns: RecordedTurn[], request: number): RecordedTurn {
  let before = 0;
  for (const turn of turns) {
    before += turn.times;
    if (request < before) return turn;
  }
  return { text: CLOSING_TEXT, times: 1 };
}
