#!/usr/bin/env node
/** The program's entry: hands the command line over and holds the only `process.exit`. */
import { speakLastWords } from "./run/last-words.js";
import { version } from "./version.js";

// A reader that is gone (a closed terminal, `| head`) must not end a run at work; the journal has everything.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

// A bug outside of every await still tells whoever waits for the run; its journal says interrupted.
process.on("uncaughtException", (error) => {
  const message = error.stack ?? error.message;
  process.stderr.write(`ralphd: internal error: ${message}\n`);
  void speakLastWords(error.message).finally(() => flush(() => process.exit(1)));
});

start(process.argv.slice(2)).then(
  (code) => {
    // Streams are flushed first: a pipe may still hold the last lines.
    process.exitCode = code;
    flush(() => process.exit(code));
  },
  (error: unknown) => {
    process.stderr.write(`ralphd: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    flush(() => process.exit(1));
  },
);

function flush(done: () => void): void {
  process.stdout.write("", () => process.stderr.write("", done));
}

/** Scripts ask for the version before anything else, and then again and again: it needs none of the program. */
async function start(argv: string[]): Promise<number> {
  const [only] = argv;
  if (argv.length === 1 && (only === "--version" || only === "-V")) {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const { main } = await import("./cli/program.js");
  return main(argv);
}
