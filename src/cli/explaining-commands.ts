/** The commands that explain a run: what comes next, why it stopped, what an iteration did. They change nothing. */
import { Argument, type Command, InvalidArgumentError } from "commander";
import type { Shell } from "./completion/shape.js";

type Done = (code: number) => void;
interface Json {
  json?: boolean;
}

const EXAMPLES = {
  prompt: `\nExamples:\n  ralphd prompt\n  ralphd prompt --json | jq .parts\n\nExit codes: 0 shown, 2 when a run would be refused.`,
  why: `\nExamples:\n  ralphd why\n  ralphd why --json\n\nExit codes: 0 explained, 1 when nothing has run.`,
  replay: `\nExamples:\n  ralphd replay 3\n  ralphd replay 3 --json | jq .actions\n\nExit codes: 0 shown, 1 without such an iteration.`,
};

const COMPLETION_HELP = `
Examples:
  ralphd completion bash >> ~/.bashrc
  ralphd completion zsh > "\${fpath[1]}/_ralphd"              a folder of fpath; then start a new shell
  ralphd completion fish > ~/.config/fish/completions/ralphd.fish
  source <(ralphd completion bash)                          for this shell alone

Made from the commands and flags of this version: print it again after an update.`;

export function addCompletion(program: Command, done: Done): void {
  program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "bash, zsh or fish").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", COMPLETION_HELP)
    .action(async (shell: Shell) => {
      const [{ completionScript }, { print }] = await Promise.all([import("./completion/completion.js"), import("./terminal.js")]);
      print(completionScript(shell, program));
      done(0);
    });
}

export function addExplaining(program: Command, done: Done): void {
  program
    .command("prompt")
    .description("what the next iteration would be sent, with the size of each part")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.prompt)
    .action(async (options: Json) => done(await (await import("./prompt.js")).runPrompt(await surroundings(options))));
  program
    .command("why")
    .description("explain the last stop: rule, evidence, thresholds, what would have changed it")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.why)
    .action(async (options: Json) => done((await import("./why.js")).runWhy(await surroundings(options))));
  program
    .command("replay")
    .description("what an iteration saw and did: prompt, tool calls, verdicts, changes")
    .argument("<iteration>", "its number", numberFrom1)
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES.replay)
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
