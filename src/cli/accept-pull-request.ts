/** `ralphd accept --pr`: pushes the run's branch and opens a pull request with the evidence, by GitHub's `gh`. */
import { spawnSync } from "node:child_process";
import { findExecutable } from "../agents/executable.js";
import { Refusal } from "../run/refusal.js";
import type { Git } from "../workspace/git.js";
import { evidenceLines, openLines } from "./accept-evidence.js";
import { type AcceptOptions, push, type Taking } from "./accept.js";

const TIMEOUT_MS = 120_000;

export async function openPullRequest(options: AcceptOptions, taking: Taking, git: Git): Promise<number> {
  const { state, branch, into } = taking;
  const found = findExecutable("gh", { cwd: options.root, path: options.env["PATH"] });
  if (found.kind === "missing") throw new Refusal("--pr needs GitHub's `gh`, which was not found on PATH: https://cli.github.com");
  const pushed = await push(options, branch, git);
  if (pushed !== 0) return pushed;
  const body = [...evidenceLines(state), ...openLines(state)].map((line) => `- ${line.trim()}`).join("\n");
  const title = state.started.objective ?? `Take in ${branch}`;
  const argv = ["pr", "create", "--head", branch, "--base", into, "--title", title.split("\n")[0] ?? title, "--body-file", "-"];
  const result = spawnSync(found.path, argv, { cwd: options.root, env: options.env, input: `${body}\n`, encoding: "utf8", timeout: TIMEOUT_MS });
  if (result.status === 0) {
    options.out(result.stdout.trim());
    return 0;
  }
  options.err(`ralphd: gh did not open a pull request: ${(result.stderr ?? "").trim() || result.error?.message || `exit code ${result.status}`}`);
  return 1;
}
