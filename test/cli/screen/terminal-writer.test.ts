/** The terminal is given back on every way out of a real process. */
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { HIDE_CURSOR, SHOW_CURSOR } from "../../../src/cli/screen/frame.js";

const MODULE = new URL("../../../dist/cli/screen/terminal-writer.js", import.meta.url).href;

/** The cursor sequences and visible words that a process writes, in order, which opens a terminal and then does this. */
function traces(body: string): Promise<{ output: string; code: number | null; signal: string | null }> {
  const program = `import { openTerminal } from ${JSON.stringify(MODULE)};
    const stream = Object.assign(process.stdout, { fd: 1, columns: 40, rows: 10 });
    const terminal = openTerminal(stream, () => ["block"]);
    terminal.keep("kept");
    ${body}`;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (output += text));
    child.on("close", (code, signal) => resolve({ output, code, signal }));
  });
}

describe("the terminal", () => {
  it.each([
    ["a normal end", "terminal.close();", 0],
    ["an end without closing", "", 0],
    ["an exception", "setTimeout(() => { throw new Error('bug'); }, 1);", 1],
    ["a rejection", "await Promise.reject(new Error('bug'));", 1],
    ["an exit in the middle", "process.exit(3);", 3],
  ])("is given back after %s", async (_, body, expected) => {
    const { output, code } = await traces(body);
    expect(code).toBe(expected);
    expect(output.startsWith(HIDE_CURSOR)).toBe(true);
    expect(output).toContain("kept");
    expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(output.lastIndexOf(HIDE_CURSOR));
  });

  it("is given back before SIGQUIT does what it always does", async () => {
    const { output, signal } = await traces("setInterval(() => {}, 1000); process.kill(process.pid, 'SIGQUIT');");
    expect(signal).toBe("SIGQUIT");
    expect(output.endsWith(SHOW_CURSOR)).toBe(true);
  });

  it("is not written to once it hung up, nor after closing", async () => {
    const { output } = await traces("process.emit('SIGHUP'); terminal.keep('unseen'); terminal.close(); terminal.keep('late'); terminal.changed();");
    expect(output).not.toMatch(/unseen|late/);
  });
});
