/** The commands with which a person takes a run's work in and checks samples of it, as the command line declares them. */
import type { Command } from "commander";

type Done = (code: number) => void;

interface AcceptFlags {
  squash?: boolean;
  rebase?: boolean;
  into?: string;
  push?: boolean;
  pr?: boolean;
  unverified?: boolean;
  withoutLoopFiles?: boolean;
  dryRun?: boolean;
}

const ACCEPT_EXAMPLES = `
Examples:
  ralphd accept --dry-run          the evidence alone
  ralphd accept                    merge into the branch that the run was started from
  ralphd accept --squash --into develop --without-loop-files
  ralphd accept --pr               open a pull request instead

Exit codes: 0 taken in, 1 when it could not be, 2 refused: nothing was changed.`;

export function addAccept(program: Command, done: Done): void {
  program
    .command("accept")
    .description("show what was proved and what is open, then merge the run's branch; people only")
    .option("--squash", "as one commit")
    .option("--rebase", "as its own commits on top of the branch")
    .option("--into <branch>", "the branch that takes it in (the one that the run was started from)")
    .option("--push", "push that branch afterwards; never forced")
    .option("--pr", "push the run's branch and open a pull request by gh instead of merging")
    .option("--unverified", "also what no gate proved")
    .option("--without-loop-files", "with --squash: leave plan and .ralph out")
    .option("--dry-run", "show the evidence and change nothing")
    .addHelpText("after", ACCEPT_EXAMPLES)
    .action(async (flags: AcceptFlags) => done(await accept(flags)));
}

async function accept(flags: AcceptFlags): Promise<number> {
  const [{ runAccept }, { Refusal }, place] = await Promise.all([import("./accept.js"), import("../run/refusal.js"), surroundings()]);
  if (flags.squash === true && flags.rebase === true) throw new Refusal("--squash and --rebase exclude each other.");
  return runAccept({
    ...place,
    way: flags.squash === true ? "squash" : flags.rebase === true ? "rebase" : "merge",
    into: flags.into ?? null,
    push: flags.push === true,
    pr: flags.pr === true,
    unverified: flags.unverified === true,
    withoutLoopFiles: flags.withoutLoopFiles === true,
    dryRun: flags.dryRun === true,
  });
}

async function surroundings() {
  const [{ join }, { TRUTH_DIR }, { requireRepo }, { complain, print }] = await Promise.all([
    import("node:path"),
    import("../core/paths.js"),
    import("../run/require-repo.js"),
    import("./terminal.js"),
  ]);
  const { root, gitDir, commonDir } = await requireRepo(process.cwd());
  return { root, gitDir, commonDir, truthDir: join(gitDir, TRUTH_DIR), env: process.env, out: print, err: complain };
}

interface AuditFlags {
  run?: string;
  ratio?: string;
  pass?: string;
  fail?: string;
  reason?: string;
  list?: boolean;
}

export function addAudit(program: Command, done: Done): void {
  program
    .command("audit")
    .description("draw a sample of a run's commits to look at, and note what you think of each; people only")
    .option("--run <id>", "another run than the newest")
    .option("--ratio <low,medium,high>", "percent of the commits by risk of the paths they touch (10,30,100, or as `audit:` of the configuration says)")
    .option("--pass <iteration>", "the commit of this iteration is good")
    .option("--fail <iteration>", "it is not; drafts a lesson from the reason")
    .option("--reason <text>", "why; needed with --pass and --fail")
    .option("--list", "show the sample and ask nothing, also in a terminal")
    .addHelpText(
      "after",
      '\nIn a terminal it goes through the sample commit by commit. Examples:\n  ralphd audit\n  ralphd audit --ratio 20,50,100\n  ralphd audit --fail 3 --reason "keeps passwords in plain text"',
    )
    .action(async (flags: AuditFlags) => done(await audit(flags)));
}

async function audit(flags: AuditFlags): Promise<number> {
  const [{ runAudit }, { thisSender }, place, { askPerson }] = await Promise.all([
    import("./audit.js"),
    import("../workspace/sender.js"),
    surroundings(),
    import("./ask-person.js"),
  ]);
  return runAudit({
    ...place,
    run: flags.run ?? null,
    ratios: flags.ratio === undefined ? null : await readRatios(flags.ratio),
    ask: flags.list !== true && process.stdin.isTTY === true && process.stdout.isTTY === true ? askPerson : null,
    judge: await readJudgement(flags),
    by: thisSender().user,
    nowIso: new Date().toISOString(),
  });
}

async function readRatios(text: string) {
  const { Refusal } = await import("../run/refusal.js");
  const numbers = text.split(",").map((part) => Number(part.trim()));
  const [low, medium, high] = numbers;
  const valid = numbers.length === 3 && numbers.every((one) => one >= 0 && one <= 100);
  if (!valid || low === undefined || medium === undefined || high === undefined)
    throw new Refusal(`--ratio wants three percentages such as 10,30,100, not ${text}.`);
  return { low, medium, high };
}

async function readJudgement({ pass, fail, reason }: AuditFlags) {
  const { Refusal } = await import("../run/refusal.js");
  const number = pass ?? fail;
  if (number === undefined) return null;
  if (pass !== undefined && fail !== undefined) throw new Refusal("--pass and --fail exclude each other.");
  if (!/^[1-9]\d*$/.test(number)) throw new Refusal(`--${pass === undefined ? "fail" : "pass"} wants the number of an iteration, not ${number}.`);
  if (reason === undefined || reason.trim() === "") throw new Refusal('A judgement needs its reason: --reason "what you saw".');
  return { verdict: pass === undefined ? ("fail" as const) : ("pass" as const), iteration: Number(number), reason };
}
