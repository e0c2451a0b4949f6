/** The loop as a library: task, checker, boundary. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JournalEvent, run } from "../../src/index.js";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "library-test-"));
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: root });
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "base"], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function agent(script: string): string[] {
  const path = `${root}-agent.sh`;
  writeFileSync(path, `#!/bin/sh\ncat >/dev/null\n${script}\n`);
  chmodSync(path, 0o755);
  return [path];
}

describe("run()", () => {
  it("ends done when the checker passes", async () => {
    const events: JournalEvent[] = [];
    const result = await run({
      cwd: root,
      task: "make the file exist",
      gates: ["test -f made.txt"],
      agent: agent("test $RALPHD_ITERATION = 2 && echo x > made.txt; echo notes >> notes.txt"),
      limits: { iterations: 5 },
      onEvent: (event) => events.push(event),
    });
    expect(result).toMatchObject({ kind: "ended", status: "done", verified: true, iterations: 2, exitCode: 0, costUsd: null });
    expect(events.at(0)?.type).toBe("run.started");
    expect(events.at(-1)?.type).toBe("run.stopped");
  });

  it("stops at the boundary", async () => {
    const result = await run({ cwd: root, task: "never done", agent: agent("echo $RALPHD_ITERATION >> log.txt"), limits: { iterations: 3 } });
    expect(result).toMatchObject({ kind: "ended", status: "capped", reason: "iterations", exitCode: 3 });
  });

  it("returns what is wrong instead of throwing", async () => {
    expect(await run({ cwd: root, agent: agent("true") })).toMatchObject({ kind: "refused", exitCode: 2, message: expect.stringContaining("ralphd init") });
    expect(await run({ cwd: tmpdir(), task: "x y", agent: agent("true") })).toMatchObject({ kind: "refused", message: expect.stringContaining("git") });
  });

  it("ends at once when aborted, keeping the work", async () => {
    const controller = new AbortController();
    const result = await run({
      cwd: root,
      task: "work for ever",
      agent: agent("echo begun > begun.txt; sleep 600"),
      signal: controller.signal,
      onEvent: (event) => event.type === "iteration.started" && abortOnce(root, controller),
    });
    expect(result).toMatchObject({ status: "stopped", exitCode: 130 });
    expect(execFileSync("git", ["show", "HEAD:begun.txt"], { cwd: root, encoding: "utf8" })).toBe("begun\n");
  });
});

/** Aborts as soon as the agent has shown that it works. */
function abortOnce(folder: string, controller: AbortController): void {
  const timer = setInterval(() => {
    try {
      execFileSync("test", ["-s", join(folder, "begun.txt")]);
    } catch {
      // Not there yet; the next look tells.
      return;
    }
    clearInterval(timer);
    controller.abort();
  }, 20);
}
