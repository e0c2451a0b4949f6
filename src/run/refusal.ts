/** A run that was not started: what is wrong and the way out. Ends the program with exit code 2. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
