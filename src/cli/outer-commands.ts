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
    import("../run/repository.js"),
    import("./terminal.js"),
  ]);
  const { root, gitDir } = await requireRepo(process.cwd());
  return { root, gitDir, truthDir: join(gitDir, TRUTH_DIR), env: process.env, out: print, err: complain };
}
