/** Thrown through the steps of an iteration when a person ends the run while a gate is at work; caught by the loop alone. */

/** A check that was broken off has no verdict: taking it for a fail would untick finished work. */
export class Interrupted extends Error {
  constructor(what: string) {
    super(`${what} was broken off by a person`);
    this.name = "Interrupted";
  }
}
