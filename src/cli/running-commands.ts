/** The commands that run the loop, as the command line declares them. The modules load with their command. */
import { type Command, Option } from "commander";

type Done = (code: number) => void;

const RUN_EXAMPLES = `
Examples:
  ralphd run                                  work off PLAN.md with the first agent that is ready
  ralphd run -- ./my-agent.sh --flag          any program that reads the prompt on stdin
  ralphd run --agent claude -n 30 --max-cost 10
  ralphd run --agent claude --fallback codex,anthropic --max-limit-wait 8h
  ralphd run "make the tests pass" --gate "npm test"
  echo "fix the flaky login test" | ralphd run - --gate "npm test"

Exit codes: 0 done, 1 failed, 2 refused before anything started, 3 capped, 4 escalated, 130 stopped.`;

const DEMO_EXAMPLES = `
The model's answers are recorded; files, commands, tests, git and every check are real.

Examples:
  ralphd demo
  ralphd demo --keep /tmp/ralphd-demo     look at the branch and the report afterwards

Exit codes: 0 when the run ended done, else as for \`ralphd run\`.`;

export function addRun(program: Command, done: Done): void {
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

export function addDemo(program: Command, done: Done): void {
  program
    .command("demo")
    .description("the whole loop on a scratch repository with the embedded replay agent; no key, no network")
    .option("--keep <folder>", "where to put the scratch repository")
    .option("--json", "one event a line on stdout")
    .addHelpText("after", DEMO_EXAMPLES)
    .action(async (options: { keep?: string; json?: boolean }) => done(await (await import("../demo/demo.js")).demo(options)));
}
