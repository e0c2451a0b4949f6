/** Which agents rest, and until when. */
import type { Rest, RunState } from "./run-state.js";

/** Who is not asked at this time, with why. */
export function restingNow({ resting }: Pick<RunState, "resting">, nowMs: number): [string, Rest][] {
  return Object.entries(resting).filter(([, rest]) => !isOver(rest, nowMs));
}

export function isOver({ untilMs }: Rest, nowMs: number): boolean {
  return untilMs !== null && untilMs <= nowMs;
}
