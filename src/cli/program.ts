/** The command line: every command and flag, and which module performs it. Heavy modules load with their command. */
import { Command, CommanderError, Option } from "commander";
import { EXIT_CODES } from "../core/words.js";
import { Refusal } from "../run/refusal.js";
import { version } from "../version.js";
import { addExplaining } from "./explaining-commands.js";
import { addSteering } from "./steering-commands.js";
import { addGates, addGuardrails, addOnce } from "./program-checks.js";
import { addAccept, addAudit } from "./outer-commands.js";
import { addDoctor, addInit, addPlan } from "./preparing-commands.js";
import { complain, print } from "./terminal.js";

const RUN_EXAMPLES = `
Examples:
  ralphd run                                  work off PLAN.md with the first agent that is ready
  ralphd run -- ./my-agent.sh --flag          any program that reads the prompt on stdin
  ralphd run --agent claude -n 30 --max-cost 10
  ralphd run --agent claude --fallback codex,anthropic --max-limit-wait 8h
  ralphd run "make the tests pass" --gate "npm test"
  echo "fix the flaky login test" | ralphd run - --gate "npm test"

Exit codes: 0 done, 1 failed, 2 refused before anything started, 3 capped, 4 escalated, 130 stopped.`;

const STATUS_EXAMPLES = `
Examples:
  ralphd status
  ralphd status --json | jq .tasks.open
  ralphd status --all            what is at work first, then what waits for you; removed repositories are forgotten

Exit codes: 0 whatever the run's status, 1 when a record is damaged.`;

export async function main(typed: string[]): Promise<number> {
  const argv = typed.length === 0 ? ["--help"] : typed;
  let code = 0;
  const program = build((result) => {
    code = result;
  });
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
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
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
  throw error;
}

function build(done: (code: number) => void): Command {
  const program = new Command("ralphd")
    .description("A loop daemon for coding agents: a fresh agent every iteration, every claim checked, stops by itself.")
    .version(version(), "-V, --version")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: (text) => print(text.trimEnd()) })
    .showSuggestionAfterError(true)
    .enablePositionalOptions();
  addInit(program, done);
  addPlan(program, done);
  addDoctor(program, done);
  addRun(program, done);
  addDemo(program, done);
  addReading(program, done);
  addControl(program, done);
  addSteering(program, done);
  addExplaining(program, done);
  addGates(program, done);
  addGuardrails(program, done);
  addOnce(program, done);
  addAccept(program, done);
  addAudit(program, done);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: (text) => print(text.trimEnd()) });
  return program;
}

type Done = (code: number) => void;

function addRun(program: Command, done: Done): void {
  const run = program
    .command("run")
    .description("run the loop in the foreground")
    .argument("[plan]", 'a plan file, an objective in quotes, or "-" for an objective on stdin')
    .usage('[plan | "objective"] [flags] [-- agent command]')
    .addHelpText("after", RUN_EXAMPLES);
  for (const [flags, description] of RUN_OPTIONS) run.addOption(new Option(flags, description));
  const collect = (value: string, all: string[]): string[] => [...all, value];
  run.option("--gate <command>", "a required gate (repeatable)", collect, [] as string[]);
  run.option("--fallback <agents>", "who goes on while the agent waits for a limit, such as codex,anthropic", collect, [] as string[]);
  run.action(async (argument: string | undefined, options: Record<string, unknown>) => {
    const agentArgv = program.getOptionValue("agentArgv") as string[];
    done(await (await import("./run.js")).run(argument ?? null, options, agentArgv));
  });
}

const RUN_OPTIONS: readonly (readonly [string, string])[] = [
  ["--agent <kind>", "auto, claude, codex, gemini, opencode, copilot, pi, cursor, acp:<command>, anthropic, command, replay, or a name of your own `agents:`"],
  ["--agent-output <form>", "text, or events: one AgentEvent as JSON a line"],
  ["--model <name>", "model for the agent"],
  ["-n, --max-iterations <n>", "iterations per run (20), or unlimited"],
  ["--max-tokens <n>", "uncached input plus output tokens, such as 500k"],
  ["--max-cost <usd>", "dollars, where the agent reports cost"],
  ["--max-time <duration>", "active time per run (12h)"],
  ["--max-limit-wait <duration>", "waiting for limits of the agent, in all (24h)"],
  ["--iteration-timeout <duration>", "one iteration (60m)"],
  ["--idle-timeout <duration>", "silence without output, file activity or CPU use (10m)"],
  ["--require-gate", "end escalated instead of done when no gate exists"],
  ["--preset <kind>", "limits for a small job: format, bugfix, docs, feature, integration"],
  ["--level <n>", "1 reports, 2 drafts on a branch (default), 3 unattended"],
  ["--branch <name>", "name of the run branch (ralph/<slug>)"],
  ["--worktree", "work in a worktree of its own"],
  ["--current-branch", "commit on the branch that is checked out"],
  ["--allow-dirty", "start although files are changed; those are never touched"],
  ["--on-stuck <what>", "stop (default) or park the task and go on"],
  ["--sandbox <mode>", "auto, on or off"],
  ["--sandbox-network <access>", "open, or off: only the model's hosts can be reached"],
  ["--marker <word>", "the word that asks for verification (COMPLETE)"],
  ["--trust", "run the repository's own gate and setup commands without asking"],
  ["--once", "one iteration"],
  ["--detach", "go on in the background once everything is checked; `ralphd attach` watches"],
  ["--dry-run", "check everything, print what would run, start nothing"],
  ["--json", "one event a line on stdout"],
  ["--quiet", "print only the outcome"],
];

function addDemo(program: Command, done: Done): void {
  program
    .command("demo")
    .description("the whole loop on a scratch repository with the embedded replay agent; no key, no network")
    .option("--keep <folder>", "where to put the scratch repository")
    .option("--json", "one event a line on stdout")
    .action(async (options: { keep?: string; json?: boolean }) => done(await (await import("../demo/demo.js")).demo(options)));
}

function addReading(program: Command, done: Done): void {
  program
    .command("status")
    .description("how the newest run stands")
    .option("--all", "one line for each repository in which runs were started on this machine")
    .option("--json", "as JSON")
    .addHelpText("after", STATUS_EXAMPLES)
    .action(async (options: { json?: boolean; all?: boolean }) => done(await (await import("./commands.js")).status(options)));
  program
    .command("logs")
    .description("what happened, event by event")
    .option("-f, --follow", "go on until the run ends")
    .option("--errors", "failures only")
    .option("--iteration <n>", "one iteration")
    .option("--json", "raw events")
    .action(async (options: { follow?: boolean; errors?: boolean; iteration?: string; json?: boolean }) => done(await (await import("./commands.js")).logs(options)));
  program
    .command("attach")
    .description("watch a running loop; Ctrl-C leaves it running")
    .action(async () => done(await (await import("./commands.js")).attach()));
  program
    .command("report")
    .description("what a run did, cost and left to do, made from its journal")
    .option("--format <form>", "md, html or json (md)")
    .option("--run <id>", "another run than the newest")
    .option("--open", "write the HTML form and show it in the browser")
    .action(async (options: { format?: string; run?: string; open?: boolean }) => done(await (await import("./commands.js")).report(options)));
  program
    .command("config")
    .description("every effective value with where it came from")
    .argument("[plan]", "a plan file")
    .option("--json", "as JSON")
    .action(async (plan: string | undefined, options: { json?: boolean }) => done(await (await import("./commands.js")).config(plan ?? null, options)));
  program
    .command("agents")
    .description("which agents are installed and logged in, and what each can report")
    .option("--json", "as JSON")
    .action(async (options: { json?: boolean }) => done(await (await import("./commands.js")).agents(options)));
}

function addControl(program: Command, done: Done): void {
  program
    .command("stop")
    .description("stop the running loop after its iteration; people only")
    .option("--now", "end the running agent at once")
    .option("--json", "as JSON")
    .action(async (options: { now?: boolean; json?: boolean }) => done(await (await import("./commands.js")).stop(options)));
}
