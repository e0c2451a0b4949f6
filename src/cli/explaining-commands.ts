/** The commands that explain a run: what comes next, why it stopped, what an iteration did. They change nothing. */
import { type Command, InvalidArgumentError } from "commander";

type Done = (code: number) => void;
interface Json {
  json?: boolean;
}

export function addExplaining(program: Command, done: Done): void {
  program
    .command("prompt")
    .description("what the next iteration would be sent, with the size of each part")
    .option("--json", "as JSON")
    .action(async (options: Json) => done(await (await import("./prompt.js")).runPrompt(await surroundings(options))));
  program
    .command("why")
    .description("explain the last stop: rule, evidence, thresholds, what would have changed it")
    .option("--json", "as JSON")
    .action(async (options: Json) => done((await import("./why.js")).runWhy(await surroundings(options))));
  program
    .command("replay")
    .description("what an iteration saw and did: prompt, tool calls, verdicts, changes")
    .argument("<iteration>", "its number", numberFrom1)
    .option("--json", "as JSON")
    .action(async (iteration: number, options: Json) => {
      const { wantsColour } = await import("./terminal.js");
      done(await (await import("./replay.js")).runReplay({ ...(await surroundings(options)), iteration, colours: wantsColour(process.stdout, process.env) }));
    });
}

function numberFrom1(raw: string): number {
  if (!/^[1-9]\d*$/.test(raw)) throw new InvalidArgumentError("it is a number from 1.");
  return Number(raw);
}

async function surroundings({ json }: Json) {
  const { place } = await import("./commands.js");
  const { print, complain } = await import("./terminal.js");
  return { ...(await place()), json: json === true, env: process.env, out: print, err: complain };
}
