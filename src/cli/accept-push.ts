/** Pushes a branch at most once for each commit; what a call that died left open is looked up at the remote. */
import { atMostOnce, type WriteEnd } from "../once/at-most-once.js";
import { NO_OUTPUT } from "../once/entry.js";
import { keyFrom } from "../once/key.js";
import { howToResolve } from "../once/once.js";
import { driverStore } from "../once/store.js";
import { describeFailure, type Git } from "../workspace/git.js";
import { pinConfig } from "../workspace/git-config.js";
import { layoutOf } from "../workspace/layout.js";
import type { AcceptOptions } from "./accept.js";

/** Exit code. Never forced: a remote branch that went its own way is the person's to look at. */
export async function push(options: AcceptOptions, branch: string, git: Git): Promise<number> {
  const { out, err, root, gitDir, commonDir } = options;
  const ref = `refs/heads/${branch}`;
  const configured = await read(git, ["config", `branch.${branch}.remote`]);
  const remote = configured === "" ? "origin" : configured;
  const commit = await read(git, ["rev-parse", "--verify", ref]);
  const key = keyFrom("push", [await read(git, ["config", `remote.${remote}.url`]), ref, commit]);
  // Looks at the remote again where an earlier call ended without an answer; otherwise git itself finds out.
  const happened = async (): Promise<boolean | null> => {
    const { code, stdout } = await git.read(["ls-remote", remote, ref]);
    return code === 0 ? stdout.toString("utf8").startsWith(`${commit}\t`) : null;
  };
  const { hooksDir } = await pinConfig(git, layoutOf(root, gitDir));
  let why = "";
  const outcome = await atMostOnce(
    { store: driverStore(commonDir), key, ordinal: 1, windowMs: 0, argv: ["git", "push", remote, ref, commit], cwd: root, nowMs: Date.now, happened },
    async (): Promise<WriteEnd> => {
      const pushed = await git.write(["push", remote, `${ref}:${ref}`], { locale: "user", hooksPath: hooksDir });
      why = describeFailure(pushed);
      if (pushed.code === 0) return { kind: "happened", exitCode: 0, output: NO_OUTPUT };
      return pushed.code === null ? { kind: "unknown", why, output: NO_OUTPUT } : { kind: "didNot" };
    },
  );
  switch (outcome.kind) {
    case "repeated":
      out(`${remote} has ${branch} at this commit already, from a call that ended before it could say so.`);
      return 0;
    case "made":
      if (outcome.end.kind === "happened") out(`Pushed ${branch} to ${remote}.`);
      else err(`ralphd: ${branch} was not pushed to ${remote}${outcome.end.kind === "unknown" ? ", as far as is known" : ""}: ${why}`);
      return outcome.end.kind === "happened" ? 0 : 1;
    case "otherWrite":
    case "damaged":
    case "unknown":
      err(
        `ralphd: whether an earlier call pushed ${branch} to ${remote} is unknown, and the remote can't be asked. Nothing was pushed. Try again when it can be reached. ${howToResolve({ key, ordinal: 1 })}`,
      );
      return 1;
  }
}

async function read(git: Git, args: string[]): Promise<string> {
  return (await git.read(args)).stdout.toString("utf8").trim();
}
