/** The bash tool with real shells: nothing survives a call, nothing hangs it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bashTool } from "../../../../src/agents/anthropic/tools/bash.js";
import { commandEnv } from "../../../../src/agents/anthropic/tools/command-env.js";
import { isAlive, tempRoot, toolContext, until } from "../harness.js";

async function bash(command: string, options: { root?: string; timeout_s?: number; signal?: AbortSignal } = {}) {
  const { root = tempRoot(), timeout_s, signal } = options;
  const call = await bashTool.prepare({ command, ...(timeout_s === undefined ? {} : { timeout_s }) }, toolContext(root, signal));
  return call.run();
}

function pidIn(root: string, name: string): number {
  return Number(readFileSync(join(root, name), "utf8"));
}

describe("bash", () => {
  it("returns both streams in order and the exit code", async () => {
    expect(await bash("echo a; echo b >&2; echo c; exit 3")).toEqual({ ok: false, exitCode: 3, text: "a\nb\nc\n[exit code 3]" });
  });

  it("runs a script of several lines with quotes as it stands", async () => {
    const { text } = await bash(`x='it''s "$HOME"'\nprintf '%s\\n' "$x" '$(id)'\ncat <<'EOF'\nhere\nEOF`);
    expect(text).toBe('its "$HOME"\n$(id)\nhere\n[exit code 0]');
  });

  it("PH-06 a command that reads its input gets none", async () => {
    expect(await bash("cat; echo done")).toMatchObject({ ok: true, text: "done\n[exit code 0]" });
  });

  it("PH-01 a server left in the background does not hold the call and is ended", async () => {
    const root = tempRoot();
    const outcome = await bash("sleep 600 & echo $! > pid; echo started", { root });
    expect(outcome).toMatchObject({ ok: true, exitCode: 0, text: "started\n[exit code 0] [background processes were ended]" });
    expect(await isAlive(pidIn(root, "pid"))).toBe(false);
  });

  it("a leftover in a session of its own does not hold the call", async () => {
    const root = tempRoot();
    const outcome = await bash("setsid sh -c 'echo $$ > pid; exec sleep 600' & until [ -s pid ]; do sleep 0.01; done; echo started", { root });
    expect(outcome.text).toContain("started");
    process.kill(pidIn(root, "pid"), "SIGKILL");
  });

  it("PH-02 a timeout ends grandchildren too, also those that ignore SIGTERM", async () => {
    const root = tempRoot();
    const outcome = await bash("(trap '' TERM; echo $BASHPID > pid; while true; do sleep 0.05; done) & echo before; sleep 600", { root, timeout_s: 0.5 });
    expect(outcome).toMatchObject({ ok: false, exitCode: null, text: expect.stringContaining("before\n[timed out after 0.5 s") });
    expect(await isAlive(pidIn(root, "pid"))).toBe(false);
  });

  it("ends the command when the run is stopped", async () => {
    const root = tempRoot();
    const controller = new AbortController();
    const running = bash("echo $$ > pid; sleep 600", { root, signal: controller.signal });
    await until(() => existsSync(join(root, "pid")) && pidIn(root, "pid") > 0, "the command's pid");
    controller.abort();
    expect(await running).toMatchObject({ ok: false, text: "[the run was stopped]" });
    expect(await isAlive(pidIn(root, "pid"))).toBe(false);
  });

  it("tells when a signal ended the command", async () => {
    expect(await bash("kill -KILL $$")).toMatchObject({ ok: false, exitCode: null, text: "[ended by SIGKILL]" });
  });

  it("PH-17 keeps head and tail of a huge output and the whole in a file it names", async () => {
    const root = tempRoot();
    const { text } = await bash("seq 1 200000", { root });
    expect(Buffer.byteLength(text)).toBeLessThan(31 * 1024);
    expect(text.startsWith("1\n2\n3\n")).toBe(true);
    expect(text).toContain("199999\n200000\n[exit code 0]");
    const path = /full output in (\S+) \.\.\.\]/.exec(text)?.[1] ?? "";
    expect(readFileSync(join(root, path), "utf8").split("\n")).toHaveLength(200_001);
  });

  it("TO-07 strips escape sequences", async () => {
    expect((await bash("printf '\\033[31mred\\033[0m \\033]52;c;aGk=\\007x'")).text).toBe("red x\n[exit code 0]");
  });

  it("refuses a timeout beyond the limit instead of running", async () => {
    expect(await bash("echo no", { timeout_s: 601 })).toMatchObject({ ok: false, text: expect.stringContaining("timeout_s") });
  });
});

describe("commandEnv", () => {
  it("SE-05 has no key of the API and nothing that waits for a person", () => {
    const env = commandEnv({ PATH: "/bin", ANTHROPIC_API_KEY: "secret", ANTHROPIC_CUSTOM_HEADERS: "x", RALPHD_AGENT_CONFIG: "{}", RALPHD_TOKEN: "t", CI: "0" });
    expect(env).toMatchObject({ PATH: "/bin", RALPHD_TOKEN: "t", CI: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", NO_COLOR: "1" });
    expect(Object.keys(env).filter((name) => name.startsWith("ANTHROPIC_") || name === "RALPHD_AGENT_CONFIG")).toEqual([]);
  });
});
