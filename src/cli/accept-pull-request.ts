/** `ralphd accept --pr`: pushes the run's branch and opens a pull request with the evidence, by GitHub's `gh`, once. */
import { spawnSync } from "node:child_process";
import { findExecutable } from "../agents/executable.js";
import { atMostOnce, type WriteEnd, type WriteOutcome } from "../once/at-most-once.js";
import { NO_OUTPUT } from "../once/entry.js";
import { keyFrom } from "../once/key.js";
import { howToResolve } from "../once/once.js";
import { driverStore } from "../once/store.js";
import { Refusal } from "../run/refusal.js";
import type { Git } from "../workspace/git.js";
import { evidenceLines, openLines } from "./accept-evidence.js";
import type { AcceptOptions, Taking } from "./accept.js";
import { push } from "./accept-push.js";

const TIMEOUT_MS = 120_000;
/** Later than that, a second one for the same commit is meant. GitHub itself refuses it while the first is open. */
const WINDOW_MS = 7 * 24 * 60 * 60_000;

export async function openPullRequest(options: AcceptOptions, taking: Taking, git: Git): Promise<number> {
  const { state, branch, commit, into } = taking;
  const found = findExecutable("gh", { cwd: options.root, path: options.env["PATH"] });
  if (found.kind === "missing") throw new Refusal("--pr needs GitHub's `gh`, which was not found on PATH: https://cli.github.com");
  const pushed = await push(options, branch, git);
  if (pushed !== 0) return pushed;
  const body = [...evidenceLines(state), ...openLines(state)].map((line) => `- ${line.trim()}`).join("\n");
  const title = (state.started.objective ?? `Take in ${branch}`).split("\n")[0] ?? branch;
  const argv = ["pr", "create", "--head", branch, "--base", into, "--title", title, "--body-file", "-"];
  const gh = (args: string[], input?: string) =>
    spawnSync(found.path, args, { cwd: options.root, env: options.env, input, encoding: "utf8", timeout: TIMEOUT_MS });
  const key = keyFrom("pull-request", [branch, into, commit]);
  let why = "";
  const outcome = await atMostOnce(
    {
      store: driverStore(options.commonDir),
      key,
      ordinal: 1,
      windowMs: WINDOW_MS,
      argv: ["gh", "pr", "create", branch, into, commit],
      cwd: options.root,
      nowMs: Date.now,
      happened: async () => listed(gh(["pr", "list", "--head", branch, "--base", into, "--state", "all", "--json", "headRefOid"]).stdout, commit),
    },
    async (): Promise<WriteEnd> => {
      const { status, stdout, stderr, error } = gh(argv, `${body}\n`);
      why = (stderr ?? "").trim() || error?.message || `exit code ${status}`;
      if (status === 0) return { kind: "happened", exitCode: 0, output: { ...NO_OUTPUT, stdout: Buffer.from(stdout) } };
      return status === null ? { kind: "unknown", why, output: NO_OUTPUT } : { kind: "didNot" };
    },
  );
  return tell(outcome, { ...options, key, branch, why });
}

function tell(
  outcome: WriteOutcome,
  { out, err, key, branch, why }: Pick<AcceptOptions, "out" | "err"> & { key: string; branch: string; why: string },
): number {
  if (outcome.kind === "made" && outcome.end.kind === "happened") {
    out(outcome.end.output.stdout.toString("utf8").trim());
    return 0;
  }
  if (outcome.kind === "made" && outcome.end.kind === "didNot") {
    err(`ralphd: gh did not open a pull request: ${why}`);
    return 1;
  }
  if (outcome.kind === "repeated") {
    const address = outcome.output.stdout.toString("utf8").trim();
    out(
      `A pull request for this commit was opened at ${new Date(outcome.entry.startedAtMs).toISOString()} already${address === "" ? "" : `: ${address}`}. Nothing was done.`,
    );
    return 0;
  }
  const reason = outcome.kind === "made" ? why : outcome.kind === "unknown" ? outcome.entry.note : "its record can't be read";
  err(
    `ralphd: whether a pull request was opened is unknown: ${reason}. It is not opened again. Look with \`gh pr list --head ${branch}\`. ${howToResolve({ key, ordinal: 1 })}`,
  );
  return 1;
}

/** What GitHub lists for this branch; null when gh could not say. */
function listed(json: string | null, commit: string): boolean | null {
  try {
    const found: unknown = JSON.parse(json ?? "");
    return Array.isArray(found) ? found.some((one) => (one as { headRefOid?: unknown } | null)?.headRefOid === commit) : null;
  } catch {
    // gh failed, or said something else: nobody knows.
    return null;
  }
}
