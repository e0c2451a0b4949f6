/** A clone that borrows the repository's objects, with the files as they are now and no way back: for who may only look. */
import { createGit, expectOk, startGit } from "./git.js";

/** `tree` is written into the empty folder `into`. Nothing that happens there reaches the repository: it has no remote. */
export async function scratchClone(root: string, tree: string, into: string): Promise<void> {
  expectOk(await startGit({ cwd: root, args: ["clone", "--quiet", "--shared", "--no-checkout", "--no-tags", root, into] }).finish(), "clone");
  const git = createGit({ root: into });
  try {
    expectOk(await git.write(["remote", "remove", "origin"]), "remote remove");
    expectOk(await git.write(["read-tree", "--reset", "-u", tree]), "read-tree");
  } finally {
    await git.close();
  }
}
