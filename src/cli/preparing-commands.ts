/** The commands before a run, as the command line declares them: init, plan, doctor. The modules load with their command. */
import type { Command } from "commander";

type Done = (code: number) => void;

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
