/** The commands before a run, as the command line declares them: init, plan, doctor. The modules load with their command. */
import type { Command } from "commander";

type Done = (code: number) => void;

const INIT_HELP = `
Finds language, package manager, test, lint and type-check commands and the agents that are ready, shows what it will
write, and asks before it writes. Files that stand already are never touched. Without a terminal nothing is asked.

--import reads RALPH_TASK.md, prd.json, fix_plan.md, IMPLEMENTATION_PLAN.md and other Markdown with boxes or lists into a
PLAN.md, and an old guardrails.md into draft signs. Of GitHub issues only the titles are taken over, since anybody can write them.

Examples:
  ralphd init                        look, show, ask, write
  ralphd init --yes                  ask nothing, take every proposal
  ralphd init --dry-run              print every file that would be written, write none
  ralphd init --import prd.json
  ralphd init --import gh            open issues of this repository, by GitHub's gh
  ralphd init --import gh:tonight    those with the label "tonight"

Exit codes: 0 written (or, in a terminal, not wanted), 2 refused: nothing was written.`;

interface InitFlags {
  yes?: boolean;
  json?: boolean;
  plan?: string;
  import?: string;
  dryRun?: boolean;
}

export function addInit(program: Command, done: Done): void {
  program
    .command("init")
    .description("write .ralph/ and a PLAN.md to edit; detect test, lint and type-check commands as gates")
    .option("-y, --yes", "ask nothing and take every proposal")
    .option("--import <from>", "make the plan of a file, of `gh` (open GitHub issues) or of `gh:LABEL`")
    .option("--plan <file>", "another plan file than PLAN.md")
    .option("--dry-run", "print what would be written and write nothing")
    .option("--json", "print what was written as JSON")
    .addHelpText("after", INIT_HELP)
    .action(async (flags: InitFlags) => done(await init(flags)));
}

async function init(flags: InitFlags): Promise<number> {
  const [{ runInit }, { readyAgents }, { print, complain }, { askPerson }] = await Promise.all([
    import("./init.js"),
    import("./init/agents.js"),
    import("./terminal.js"),
    import("./ask-person.js"),
  ]);
  const { env } = process;
  return runInit({
    cwd: process.cwd(),
    env,
    ...flags,
    ask: process.stdin.isTTY === true ? askPerson : undefined,
    agents: (root) => readyAgents(root, env),
    out: print,
    err: complain,
  });
}

const PLAN_HELP = `
The agent reads a copy of the repository and answers with a plan; your working tree is not its to change. The draft opens
in $VISUAL or $EDITOR; remarks give another draft, and the earlier one is kept below the git directory. Nothing is run: the
last line says what to type. An existing plan is never replaced, but for the template that \`ralphd init\` wrote and nobody edited.
Without a terminal the draft is written, and that is all.

Examples:
  ralphd plan "a health endpoint, with tests"
  ralphd plan --file docs/night.md --agent claude "split the users module"
  ralphd plan "fix the flaky tests" -- ./my-agent.sh

Exit codes: 0 a plan that a run accepts, 1 none (what the agent answered is kept), 2 refused: nothing was asked.`;

interface PlanFlags {
  agent?: string;
  agentOutput?: string;
  model?: string;
  file?: string;
  edit?: boolean;
  trust?: boolean;
  json?: boolean;
}

export function addPlan(program: Command, done: Done): void {
  program
    .command("plan")
    .description("let the agent draft tasks and gates from a description, for you to edit; runs nothing")
    .argument("<description>", "what you want, in quotes")
    .usage('"description" [flags] [-- agent command]')
    .option("--file <path>", "where the plan goes (PLAN.md, or a name of its own beside one)")
    .option("--agent <kind>", "as for run")
    .option("--agent-output <form>", "as for run: text or events")
    .option("--model <name>", "model for the agent")
    .option("--no-edit", "open no editor")
    .option("--trust", "run an agent command that the repository names without asking")
    .option("--json", "as JSON; asks nothing and opens no editor")
    .addHelpText("after", PLAN_HELP)
    .action(async (description: string, flags: PlanFlags) => done(await plan(description, flags, program.getOptionValue("agentArgv") as string[])));
}

async function plan(description: string, { agent, agentOutput, model, file, edit, trust, json }: PlanFlags, argv: string[]): Promise<number> {
  const [{ runPlan }, { print, complain }, { askPerson }, { editFile }] = await Promise.all([
    import("./plan.js"),
    import("./terminal.js"),
    import("./ask-person.js"),
    import("./edit-file.js"),
  ]);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const person = process.stdin.isTTY === true && process.stdout.isTTY === true && json !== true;
  return runPlan({
    cwd: process.cwd(),
    env: process.env,
    description,
    flags: { agent, agentOutput, model, argv: argv.length > 0 ? argv : undefined },
    file: file ?? null,
    trust: trust === true,
    json: json === true,
    signal: stop.signal,
    ...(person ? { ask: askPerson } : {}),
    ...(person && edit !== false ? { edit: (path: string) => editFile(path, process.env) } : {}),
    out: print,
    err: complain,
  });
}

const DOCTOR_HELP = `
Answers with evidence from this repository: does the loop forget, does it stop, can something say no, are its writes
safe twice, and is the machine ready? Each finding is ok, a hint, or a gap, and says how to mend it. Gates are tried on
stand-in files when the repository's commands were confirmed before; nothing else is run or changed.

Examples:
  ralphd doctor
  ralphd doctor --probe          also one tiny real call through the agent
  ralphd doctor --json           {version, level, questions, findings: [{question, id, subject, level, seen, fix}]}

Exit codes: 0 without a gap, 1 with one.`;

export function addDoctor(program: Command, done: Done): void {
  program
    .command("doctor")
    .description("can a loop run here, and can it be believed?")
    .option("--probe", "make one tiny real call through the agent")
    .option("--json", "as JSON")
    .addHelpText("after", DOCTOR_HELP)
    .action(async (options: { probe?: boolean; json?: boolean }) => done(await doctor(options)));
}

async function doctor(options: { probe?: boolean; json?: boolean }): Promise<number> {
  const [{ runDoctor }, { print }] = await Promise.all([import("./doctor/doctor.js"), import("./terminal.js")]);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  return runDoctor({ cwd: process.cwd(), env: process.env, probe: options.probe === true, json: options.json === true, signal: stop.signal, out: print });
}
