/** What a dying program still says, and how long it is waited for. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { onDeath, speakLastWords } from "../../src/run/last-words.js";

describe("last words", () => {
  it("NT-02 are spoken by all who still want to, also where one of them fails", async () => {
    const said: string[] = [];
    const takeBack = onDeath(async (message) => void said.push(`first: ${message}`));
    const others = [onDeath(() => Promise.reject(new Error("broken"))), onDeath(async (message) => void said.push(`third: ${message}`))];
    takeBack();
    await speakLastWords("a bug");
    expect(said).toEqual(["third: a bug"]);
    for (const forget of others) forget();
  });

  it("NT-02 an error that nobody caught tells them before the program exits with 1", () => {
    const url = (path: string): string => JSON.stringify(fileURLToPath(new URL(`../../dist/${path}`, import.meta.url)));
    // The real entry, printing its version while the bug comes up.
    const script = `import { onDeath } from ${url("run/last-words.js")};
      onDeath(async (message) => { await new Promise((done) => setTimeout(done, 50)); console.log("told: " + message); });
      const exit = process.exit; process.exit = (code) => (code === 0 ? undefined : exit(code));
      await import(${url("main.js")});
      setTimeout(() => { throw new Error("nobody caught this"); }, 0);`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script, "--", "--version"], { encoding: "utf8", timeout: 30_000 });
    expect(ran).toMatchObject({ status: 1, stdout: expect.stringContaining("told: nobody caught this"), stderr: expect.stringContaining("internal error") });
  });
});
