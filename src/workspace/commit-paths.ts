/** A commit of exactly these paths on the branch that is checked out; whatever else is staged or changed stays as it is. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createGit, describeFailure } from "./git.js";
import { identityArgs, readIdentity } from "./identity.js";

export type PathsCommit = { kind: "committed"; commit: string } | { kind: "unchanged" } | { kind: "failed"; message: string };

export async function commitPaths(root: string, paths: readonly string[], message: string): Promise<PathsCommit> {
  const git = createGit({ root });
  return git.exclusive(async ({ read, write }) => {
    const status = await read(["status", "--porcelain", "--untracked-files=all", "--", ...paths]);
    if (status.code !== 0) return { kind: "failed", message: describeFailure(status) };
    if (status.stdout.length === 0) return { kind: "unchanged" };
    const present = paths.filter((path) => existsSync(join(root, path)));
    const added = present.length === 0 ? null : await write(["add", "--", ...present]);
    if (added !== null && added.code !== 0) return { kind: "failed", message: describeFailure(added) };
    const identity = await readIdentity({ read });
    const committed = await write([...identityArgs(identity), "commit", "--quiet", "--only", "-F", "-", "--", ...paths], { input: message, locale: "user" });
    if (committed.code !== 0) return { kind: "failed", message: describeFailure(committed) };
    const head = await read(["rev-parse", "HEAD"]);
    return { kind: "committed", commit: head.stdout.toString("utf8").trim() };
  });
}

export async function isTracked(root: string, path: string): Promise<boolean> {
  return (await createGit({ root }).read(["ls-files", "--error-unmatch", "--", path])).code === 0;
}
