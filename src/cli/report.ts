/** `ralphd report`: the report of the newest run, made anew from its journal. */
import { EXIT_CODES } from "../core/words.js";
import { createRedactor } from "../journal/redact.js";
import { reportOf } from "../report/report-of.js";
import { createGit } from "../workspace/git.js";
import { frozenSections } from "./frozen-sections.js";

export interface ReportOptions {
  root: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
  /** Markdown without its last newline, for stdout. */
  out(text: string): void;
  err(line: string): void;
}

/** Returns the exit code: 1 when nothing has run or the record is damaged. */
export async function runReport({ root, truthDir, env, out, err }: ReportOptions): Promise<number> {
  const reading = await reportOf({
    root,
    truthDir,
    redact: createRedactor(env),
    nowMs: Date.now(),
    sections: frozenSections(truthDir),
    filesOf: (commits) => filesOf(root, commits),
  });
  switch (reading.kind) {
    case "report":
      out(reading.markdown.trimEnd());
      return 0;
    case "none":
      err("ralphd: nothing has run here yet.");
      return EXIT_CODES.failed;
    case "damaged":
      err(`ralphd: the journal of run ${reading.run} is damaged in line ${reading.problem.line}: ${reading.problem.message}`);
      return EXIT_CODES.failed;
  }
}

/** One git call for all; commits that are gone are left out, and a failing git costs names, not the report. */
async function filesOf(root: string, commits: string[]): Promise<Record<string, string[]>> {
  const args = ["log", "--ignore-missing", "--no-walk=unsorted", "--format=%x01%H", "--name-only", "-z", ...commits, "--"];
  const { code, stdout } = await createGit({ root }).read(args);
  if (code !== 0) return {};
  const files: Record<string, string[]> = {};
  for (const part of stdout.toString("utf8").split("\u0001").slice(1)) {
    const [commit = "", ...names] = part.split(/[\0\n]+/).filter((name) => name !== "");
    files[commit] = names;
  }
  return files;
}
