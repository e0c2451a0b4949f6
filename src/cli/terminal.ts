/** The one writer to the terminal: results on stdout, everything else on stderr. */

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Colours only for people: not when NO_COLOR is set, not into files and pipes, not in CI. */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && (env["CI"] ?? "") === "" && env["TERM"] !== "dumb";
}
