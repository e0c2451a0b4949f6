/** The command line: what was typed becomes a command that is performed, or a sentence about what was wrong. */
import { Command, CommanderError } from "commander";
import { version } from "../version.js";
import { adders } from "./command-groups.js";
import { complain, print } from "./terminal.js";

const OVERVIEW = `
Examples:
  ralphd init && ralphd doctor      set up, and see what is missing
  ralphd run                        work off PLAN.md until it is proved done, capped or stuck
  ralphd status; ralphd logs -f     look at it from another terminal
  ralphd report; ralphd accept      read what happened, and merge it

\`ralphd COMMAND --help\` shows flags, examples and exit codes of each.`;

export async function main(typed: string[]): Promise<number> {
  const argv = typed.length === 0 ? ["--help"] : typed;
  let code = 0;
  const program = await build((result) => {
    code = result;
  }, argv[0]);
  // What follows `--` is the agent's command line and none of ours.
  const dashes = argv.indexOf("--");
  const agentArgv = dashes === -1 ? [] : argv.slice(dashes + 1);
  program.setOptionValue("agentArgv", agentArgv);
  try {
    await program.parseAsync(dashes === -1 ? argv : argv.slice(0, dashes), { from: "user" });
  } catch (error) {
    return failure(error, program, argv);
  }
  return code;
}

async function failure(error: unknown, program: Command, argv: string[]): Promise<number> {
  // Help and the version end this way as well.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const [{ EXIT_CODES }, { diskErrorOf }, { Refusal }] = await Promise.all([
    import("../core/words.js"),
    import("../core/disk-error.js"),
    import("../run/refusal.js"),
  ]);
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "");
    const hint = error.code === "commander.unknownOption" ? (await import("./nearest-flag.js")).nearestFlag(message, program, argv) : "";
    complain(`ralphd: ${message}${hint}`);
    complain("Nothing was started. `ralphd --help` lists commands, `ralphd run --help` the flags of a run.");
    return EXIT_CODES.refused;
  }
  if (error instanceof Refusal) {
    complain(`ralphd: ${error.message}`);
    complain("Nothing was started.");
    return EXIT_CODES.refused;
  }
  const refusal = diskErrorOf(error);
  if (refusal !== null) {
    complain(`ralphd: ${refusal.message}`);
    return EXIT_CODES.failed;
  }
  throw error;
}

/** Every command with its flags, or for a typed one only its own group; `done` gets the exit code of the one that was performed. */
export async function build(done: (code: number) => void, typed: string | null = null): Promise<Command> {
  const program = new Command("ralphd")
    .description("A loop daemon for coding agents: a fresh agent every iteration, every claim checked, stops by itself.")
    .version(version(), "-V, --version")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: (text) => print(text.trimEnd()) })
    .showSuggestionAfterError(true)
    .addHelpText("after", OVERVIEW)
    .enablePositionalOptions();
  for (const add of await adders(typed)) add(program, done);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: (text) => print(text.trimEnd()) });
  return program;
}
