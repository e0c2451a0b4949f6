/** Gates and hooks as processes: they end, with a reason, and leave nothing running. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandOptions, runCommand } from "../../../src/agents/process/run-command.js";
import { alive, cleanEnv, freshToken, readIfThere, tempDir, until } from "./fakes.js";

const command = (script: string, over: Partial<CommandOptions> = {}) =>
  runCommand({
    argv: ["/bin/sh", "-c", script],
    cwd: tempDir(),
    env: cleanEnv,
    timeoutMs: 60_000,
    outputPath: null,
    signal: new AbortController().signal,
    token: freshToken(),
    killGraceMs: 1_000,
    ...over,
  });

describe("runCommand", () => {
  it("gives exit code and both streams, on disk too", async () => {
    const outputPath = join(tempDir(), "gate.log");
    const result = await command("echo out; echo err >&2; exit 3", { outputPath });
    expect(result).toMatchObject({ exit: { kind: "exited", code: 3 }, outputBytes: 8, outputProblem: null });
    expect(result.output).toBe("out\nerr\n");
    expect(readFileSync(outputPath, "utf8")).toHaveLength(8);
  });

  it("keeps the order of both streams, and lets scripts open them again", async () => {
    const result = await command("echo 1; echo 2 >&2; echo 3; echo 4 > /dev/stderr; echo 5 | tee /dev/stderr", {});
    expect(result.output).toBe("1\n2\n3\n4\n5\n5\n");
  });

  it("PH-02 times out although a grandchild holds the pipe", async () => {
    const token = freshToken();
    const result = await command("sleep 600 & echo up; sleep 600", { timeoutMs: 100, token });
    expect(result.exit).toEqual({ kind: "timedOut" });
    expect(alive(token)).toEqual([]);
  });

  it("gives each of many commands its own output, longer than one batch of pipes lasts", async () => {
    const outputs = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await command(`echo ${index} > /dev/stderr`)).output.trim()));
    expect(outputs).toEqual(outputs.map((_, index) => String(index)));
  });

  it("PH-01 ends a server that a passing command left behind", async () => {
    const token = freshToken();
    const result = await command("setsid sleep 600 & echo ok", { token });
    expect(result).toMatchObject({ exit: { kind: "exited", code: 0 }, output: "ok\n" });
    expect(alive(token)).toEqual([]);
  });

  it("VG-01 gives a command that waits for a key an empty stdin", async () => {
    expect((await command("read key || echo closed")).output).toBe("closed\n");
  });

  it("VG-02 tells a signal from an exit code", async () => {
    expect((await command("kill -SEGV $$")).exit).toEqual({ kind: "signalled", signal: "SIGSEGV" });
  });

  it("aborts a running command, and does not start after an abort", async () => {
    const cwd = tempDir();
    const aborter = new AbortController();
    const running = command("echo > up; exec sleep 600", { cwd, signal: aborter.signal });
    await until(() => readIfThere(join(cwd, "up")) !== "", "the command");
    aborter.abort();
    expect((await running).exit).toEqual({ kind: "aborted" });
    expect((await command("echo > late", { cwd, signal: aborter.signal })).exit).toEqual({ kind: "aborted" });
    expect(readIfThere(join(cwd, "late"))).toBe("");
  });

  it("says why a command can't start", async () => {
    const result = await command("", { argv: ["/no/such/gate"] });
    expect(result.exit).toEqual({ kind: "cannotStart", message: expect.stringContaining("ENOENT") });
  });

  it("PH-17 keeps head and tail of long output", async () => {
    const outputPath = join(tempDir(), "gate.log");
    const result = await command("seq 1 200000", { tailBytes: 4096, outputPath });
    expect(result.output.startsWith("1\n2\n")).toBe(true);
    expect(result.output.endsWith("199999\n200000\n")).toBe(true);
    expect(result.output.length).toBeLessThan(6_000);
    expect(readFileSync(outputPath).length).toBe(result.outputBytes);
  });

  it("TO-01 TO-07 gives text without control sequences", async () => {
    expect((await command("printf '\\033[1m10%%\\r100%%\\033[0m\\033]0;t\\007\\n'")).output).toBe("100%\n");
  });

  it("reports a full disk as a value", async () => {
    const result = await command("echo ok", { outputPath: "/dev/full" });
    expect(result).toMatchObject({ exit: { kind: "exited", code: 0 }, output: "ok\n" });
    expect(result.outputProblem).toContain("ENOSPC");
  });
});
