/** Opens a file in the person's editor and waits until it is closed. */
import { spawn } from "node:child_process";

/** null when it ended well, else a sentence. The variable is a command line by convention; the person's own shell takes it apart. */
export async function editFile(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const editor = env["VISUAL"] || env["EDITOR"] || "vi";
  const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit", env });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  return code === 0 ? null : `The editor ${editor} ended with ${code ?? "an error"}`;
}
