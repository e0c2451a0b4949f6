/** The commands by which a person steers a running loop; people only. */
import type { Command } from "commander";

type Done = (code: number) => void;
interface Json {
  json?: boolean;
}

/** All of them only leave a request, which the driver takes in. */
const CODES = "Exit codes: 0 asked, 1 when nothing runs here, 2 refused: below an agent, or asked wrongly.";

const EXAMPLES = {
  pause: `\nExamples:\n  ralphd pause            the iteration that runs is finished first\n  ralphd resume\n\n${CODES}`,
  resume: `\nExamples:\n  ralphd resume\n\n${CODES}`,
  skip: `\nExamples:\n  ralphd skip 3\n  ralphd skip "users module"\n\nThe task is parked; the run goes on with the next one.\n\n${CODES}`,
  note: `\nExamples:\n  ralphd note "use the fixtures in test/users, not new ones"\n\n${CODES}`,
  budget: `\nExamples:\n  ralphd budget --add-cost 5\n  ralphd budget --add-iterations 10 --add-time 2h\n\nLimits can only be raised.\n\n${CODES}`,
  stop: `\nExamples:\n  ralphd stop             after this iteration; the same \`ralphd run\` continues it\n  ralphd stop --now       what the ended iteration left is kept\n\n${CODES}`,
};

export function addSteering(program: Command, done: Done): void {
  program
    .command("pause")
    .description("hold the running loop after its iteration; people only")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.pause)
    .action(async (options: Json) => done(await (await import("./steer.js")).runPause(await surroundings(options))));
  program
    .command("resume")
    .description("let a paused loop go on, or try now instead of waiting for a limit; people only")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.resume)
    .action(async (options: Json) => done(await (await import("./steer.js")).runResume(await surroundings(options))));
  program
    .command("skip")
    .description("park a task and go on with the next; people only")
    .argument("<task...>", "its number in the plan, its id, or a part of its text that no other task has")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.skip)
    .action(async (words: string[], options: Json) =>
      done(await (await import("./skip.js")).runSkip({ ...(await surroundings(options)), task: words.join(" ") })),
    );
  program
    .command("note")
    .description("tell the next iteration something; it answers in .ralph/progress.md; people only")
    .argument("<text...>", "the note, in quotes")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.note)
    .action(async (words: string[], options: Json) =>
      done(await (await import("./steer.js")).runNote({ ...(await surroundings(options)), text: words.join(" ") })),
    );
  addBudget(program, done);
}

function addBudget(program: Command, done: Done): void {
  program
    .command("budget")
    .description("raise limits of the running loop; people only")
    .option("--add-iterations <n>", "iterations, such as 10")
    .option("--add-tokens <n>", "tokens, such as 100k")
    .option("--add-cost <usd>", "dollars, such as 5")
    .option("--add-time <duration>", "active time, such as 2h")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.budget)
    .action(async ({ json, ...flags }: Json & Record<string, string>) =>
      done(await (await import("./budget.js")).runBudget({ ...(await surroundings({ json: json === true })), flags })),
    );
}

async function surroundings({ json }: Json) {
  const { place } = await import("./commands.js");
  const { print, complain } = await import("./terminal.js");
  return { ...(await place()), json: json === true, env: process.env, out: print, err: complain };
}

export function addControl(program: Command, done: Done): void {
  program
    .command("stop")
    .description("stop the running loop after its iteration; people only")
    .option("--now", "end the running agent at once")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.stop)
    .action(async (options: { now?: boolean; json?: boolean }) => done(await (await import("./commands.js")).stop(options)));
}
