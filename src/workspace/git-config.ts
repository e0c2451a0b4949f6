/** The git configuration as it was when the repository was opened; later edits by an agent have no effect on it. */
import { expectOk, type Git } from "./git.js";
import { hooksDir, type Layout } from "./layout.js";

export interface PinnedConfig {
  hooksDir: string;
  signs: boolean;
  /** True where git takes names and modes of files as the system gives them. */
  plainFiles: boolean;
  /** Files that configure this repository, included ones among them; absolute. */
  files: string[];
}

export async function pinConfig(git: Pick<Git, "read">, layout: Layout): Promise<PinnedConfig> {
  const output = expectOk(await git.read(["config", "--list", "-z", "--show-scope", "--show-origin"]), "config");
  const fields = output.toString("utf8").split("\0");
  const values = new Map<string, string>();
  const files = new Set<string>();
  // Three fields an entry: scope, origin, and key LF value.
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    const split = entry.indexOf("\n");
    const key = split < 0 ? entry : entry.slice(0, split);
    // Our own hardening is on the command line and says nothing about the person's wish.
    if (scope === "command" && origin.startsWith("command line")) continue;
    values.set(key, split < 0 ? "true" : entry.slice(split + 1));
    if ((scope === "local" || scope === "worktree") && origin.startsWith("file:")) files.add(origin.slice(5));
  }
  return {
    hooksDir: hooksDir(layout, values.get("core.hookspath")),
    signs: isTrue(values.get("commit.gpgsign")),
    plainFiles: isTrue(values.get("core.filemode") ?? "true") && !isTrue(values.get("core.ignorecase")) && !isTrue(values.get("core.precomposeunicode")),
    files: [...files].map((file) => (file.startsWith("/") ? file : `${layout.root}/${file}`)),
  };
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|[1-9]\d*)$/i.test(value);
}
