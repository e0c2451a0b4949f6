/** Open GitHub issues as the body of a plan, asked of GitHub's own `gh`. */
import { spawnSync } from "node:child_process";
import * as v from "valibot";
import { findExecutable } from "../../agents/executable.js";
import { issuesBody } from "../../core/plan/import.js";

const TIMEOUT_MS = 60_000;
/** More is no plan for a night. */
const MAX_ISSUES = 100;

const issuesSchema = v.array(v.object({ number: v.pipe(v.number(), v.safeInteger()), title: v.string() }));

export type Issues = { kind: "issues"; body: string; notes: string[] } | { kind: "failed"; message: string };

/** `label` narrows it down; null takes all open ones. The oldest come first. */
export function readIssues({ root, env, label }: { root: string; env: NodeJS.ProcessEnv; label: string | null }): Issues {
  const found = findExecutable("gh", { cwd: root, path: env["PATH"] });
  if (found.kind === "missing") return { kind: "failed", message: "--import gh needs GitHub's `gh`, which was not found on PATH: https://cli.github.com" };
  const argv = ["issue", "list", "--state", "open", "--json", "number,title", "--limit", String(MAX_ISSUES), ...(label === null ? [] : ["--label", label])];
  const result = spawnSync(found.path, argv, {
    cwd: root,
    env: { ...env, GH_PROMPT_DISABLED: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
  });
  if (result.status !== 0)
    return { kind: "failed", message: `gh did not list issues: ${(result.stderr ?? "").trim() || result.error?.message || `exit code ${result.status}`}` };
  const issues = parse(result.stdout);
  if (issues === null) return { kind: "failed", message: `gh printed no list of issues: ${result.stdout.slice(0, 200)}` };
  if (issues.length === 0) return { kind: "failed", message: `there is no open issue${label === null ? "" : ` with the label ${label}`}` };
  const notes = issues.length < MAX_ISSUES ? [] : [`only the newest ${MAX_ISSUES} open issues were asked for; --import gh:LABEL takes those with a label`];
  return {
    kind: "issues",
    body: issuesBody(
      [...issues].sort((a, b) => a.number - b.number),
      label === null ? "this repository" : `this repository with the label ${label}`,
    ),
    notes,
  };
}

function parse(text: string): v.InferOutput<typeof issuesSchema> | null {
  try {
    const parsed = v.safeParse(issuesSchema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    // No JSON: the caller shows what it was.
    return null;
  }
}
