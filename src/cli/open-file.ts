/** Shows a file with the program that the person's desktop uses for it. */
import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = { darwin: ["open"], win32: ["explorer.exe"] };

/** Returns what kept it from being shown; null once the opener has started. */
export function openFile(path: string): Promise<string | null> {
  const [program = "xdg-open", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, path], { stdio: "ignore", detached: true });
    child.on("error", (error) => resolve(`${program} could not be started (${error.message}); open the file yourself.`));
    child.on("spawn", () => {
      child.unref();
      resolve(null);
    });
  });
}
