/** The commands that read a run's record or the settings, as the command line declares them. The modules load with their command. */
import type { Command } from "commander";

type Done = (code: number) => void;

const STATUS_EXAMPLES = `
Examples:
  ralphd status
  ralphd status --json | jq .tasks.open
  ralphd status --all            what is at work first, then what waits for you; removed repositories are forgotten

Exit codes: 0 whatever the run's status, 1 when a record is damaged.`;

const LOGS_EXAMPLES = `
Examples:
  ralphd logs
  ralphd logs -f                          follow until the run ends; Ctrl-C stops looking, not the run
  ralphd logs --errors                    failures only
  ralphd logs --iteration 3 --tool bash   what iteration 3 ran in its shell, and how it came out
  ralphd logs --json | jq -r .type

Calls of tools are read from the recorded output of each agent, and shown when its iteration is over.

Exit codes: 0 shown, 1 when nothing has run or the journal is damaged.`;

const ATTACH_EXAMPLES = `
Examples:
  ralphd run --detach; ralphd attach

Exit codes: those of the run once it has ended, 0 when you leave, 1 when nothing runs.`;

const REPORT_EXAMPLES = `
Examples:
  ralphd report | less
  ralphd report --format html > night.html
  ralphd report --open                    in the browser
  ralphd report --run 20261130-2011
  ralphd report --format json | jq .status

Exit codes: 0 made, 1 when nothing has run or the journal is damaged.`;

const CONFIG_EXAMPLES = `
Examples:
  ralphd config                           for PLAN.md here, as the next run would take it
  ralphd config night.md
  ralphd config --json | jq '.values["limits.cost"]'

Exit codes: 0, or 2 when a run would be refused for its configuration.`;

const AGENTS_EXAMPLES = `
Examples:
  ralphd agents                           what \`--agent auto\` takes is the first that is ready
  ralphd agents --json

Exit codes: 0 looked.`;

export function addReading(program: Command, done: Done): void {
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
    .option("--tool <name>", "the agents' calls of this tool instead of events, such as bash")
    .option("--json", "raw events")
    .addHelpText("after", LOGS_EXAMPLES)
    .action(async (options: { follow?: boolean; errors?: boolean; iteration?: string; tool?: string; json?: boolean }) =>
      done(await (await import("./commands.js")).logs(options)),
    );
  program
    .command("attach")
    .description("watch a running loop; Ctrl-C leaves it running")
    .addHelpText("after", ATTACH_EXAMPLES)
    .action(async () => done(await (await import("./commands.js")).attach()));
  program
    .command("report")
    .description("what a run did, cost and left to do, made from its journal")
    .option("--format <form>", "md, html or json (md)")
    .option("--run <id>", "another run than the newest")
    .option("--open", "write the HTML form and show it in the browser")
    .addHelpText("after", REPORT_EXAMPLES)
    .action(async (options: { format?: string; run?: string; open?: boolean }) => done(await (await import("./commands.js")).report(options)));
  program
    .command("config")
    .description("every effective value with where it came from")
    .argument("[plan]", "a plan file")
    .option("--json", "as JSON")
    .addHelpText("after", CONFIG_EXAMPLES)
    .action(async (plan: string | undefined, options: { json?: boolean }) => done(await (await import("./commands.js")).config(plan ?? null, options)));
  program
    .command("agents")
    .description("which agents are installed and logged in, and what each can report")
    .option("--json", "as JSON")
    .addHelpText("after", AGENTS_EXAMPLES)
    .action(async (options: { json?: boolean }) => done(await (await import("./commands.js")).agents(options)));
}
