/** The commands around gates, signs and writes, as the command line declares them. The modules load with their command. */
import type { Command } from "commander";
import type { GuardrailsRequest } from "./guardrails/guardrails.js";
import type { OnceOptions } from "./once.js";

type Done = (code: number) => void;

export interface GatesFlags {
  plan?: string;
  json?: boolean;
  trust?: boolean;
}

const ONCE_HELP = `
The key names the write: the same write has the same key at every retry (coupon-user-5, notify-release-1.2).
A second call within the window prints the first one's output and returns its exit code, without running anything;
concurrent calls run once. Repetitions that are meant get --ordinal 2, 3 and so on.

Examples:
  ralphd once notify-release-1.2 -- ./notify.sh 1.2
  ralphd once --from "POST /coupons" --from user=5 -- curl -fsS -X POST https://shop.example/coupons -d user=5
  ralphd once --resolve notify-release-1.2 done

Exit codes: those of the command; 125 when it is unknown whether the write happened, 127 when the command can't be
started, 2 for a wrong call. After a crash in the middle a person looks and says: --resolve KEY done, or retry.`;

export function addOnce(program: Command, done: Done): void {
  program
    .command("once")
    .description("run a write at most once per key and window")
    .argument("[key]", "what the write is about; the same at every retry")
    .usage("KEY [flags] -- command")
    .option("--from <input>", "derive the key from inputs (repeatable)", (value: string, all: string[] | undefined) => [...(all ?? []), value])
    .option("--window <duration>", "how long the first result stands (24h)")
    .option("--ordinal <n>", "the n-th wanted repetition of the same write (1)")
    .option("--resolve <key>", "say what became of an unknown write: done or retry; people only")
    .addHelpText("after", ONCE_HELP)
    .action(async (key: string | undefined, options: OnceOptions) =>
      done(await (await import("./once.js")).once(key ?? null, options, program.getOptionValue("agentArgv") as string[])),
    );
}

const GUARDRAILS_EXAMPLES = `
A sign is one lesson in .ralph/guardrails/: when it applies, and what to do then. Drafts are shown to agents marked as unreviewed.

Examples:
  ralphd guardrails list
  ralphd guardrails review                       each draft in turn: approve, edit or reject
  ralphd guardrails approve draft-1953gcd2
  ralphd guardrails import old/guardrails.md

Exit codes: 0 when done, 1 when it can't be done or \`lint\` finds something, 2 for a wrong call.`;

const GATES_EXAMPLES = `
Examples:
  ralphd gates list
  ralphd gates run tests          one gate now; exit code 1 when it fails
  ralphd gates test               show that each can fail, on stand-in files

Exit codes: 0 when all is well, 1 when a required gate failed or can't fail, 2 for a wrong call.`;

export function addGuardrails(program: Command, done: Done): void {
  const guardrails = program
    .command("guardrails")
    .description("the signs that agents are shown: list, review, approve, reject, lint, import")
    .addHelpText("afterAll", GUARDRAILS_EXAMPLES);
  const run = async (request: GuardrailsRequest): Promise<void> => done(await (await import("./commands.js")).guardrails(request));
  guardrails
    .command("list")
    .description("every sign with its status")
    .option("--json", "as JSON")
    .action((options: { json?: boolean }) => run({ kind: "list", json: options.json === true }));
  guardrails
    .command("lint")
    .description("what no agent is shown and why")
    .option("--json", "as JSON")
    .action((options: { json?: boolean }) => run({ kind: "lint", json: options.json === true }));
  guardrails
    .command("review")
    .description("decide about each draft; people only")
    .action(() => run({ kind: "review" }));
  guardrails
    .command("approve")
    .description("approve a sign and commit that; people only")
    .argument("<name>")
    .action((name: string) => run({ kind: "approve", name }));
  guardrails
    .command("reject")
    .description("reject a sign and commit that; people only")
    .argument("<name>")
    .action((name: string) => run({ kind: "reject", name }));
  guardrails
    .command("import")
    .description("read an old guardrails.md with `### Sign:` blocks; people only")
    .argument("<file>")
    .action((file: string) => run({ kind: "import", file, cwd: process.cwd() }));
}

export function addGates(program: Command, done: Done): void {
  const gates = program
    .command("gates")
    .description("the checks in force here: list, run them now, test that each can fail")
    .addHelpText("afterAll", GATES_EXAMPLES);
  const add = (kind: "list" | "run" | "test", description: string): void => {
    const command = gates.command(kind).description(description).option("--plan <file>", "a plan file").option("--json", "as JSON");
    if (kind !== "list") command.argument("[name]", "one gate").option("--trust", "run the repository's own commands without asking");
    command.action(async (...given: unknown[]) => {
      const [name, options] = kind === "list" ? [undefined, given[0]] : [given[0], given[1]];
      done(await (await import("./commands.js")).gates(kind, name as string | undefined, options as GatesFlags));
    });
  };
  add("list", "every gate with its kind, weight and origin");
  add("run", "judge the files as they are; exit code 1 when a required gate fails");
  add("test", "show that each gate can fail; exit code 1 when one passes whatever it is given");
}
