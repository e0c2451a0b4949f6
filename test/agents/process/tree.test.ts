/** Agents as processes: how they end, what they leave behind, what they print. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { sweep } from "../../../src/agents/process/end-tree.js";
import { listProcessesNow } from "../../../src/agents/process/process-table.js";
import { type ProcessOptions, startProcess } from "../../../src/agents/process/tree.js";
import { alive, cleanEnv, collect, executable, freshToken, plainTranslator, readIfThere, tempDir, until } from "./fakes.js";

function start(argv: string[], over: Partial<ProcessOptions> = {}) {
  const token = over.token ?? freshToken();
  const run = startProcess({
    argv,
    cwd: tempDir(),
    env: cleanEnv,
    stdin: null,
    streamPath: null,
    translator: plainTranslator,
    killGraceMs: 2_000,
    settleGraceMs: 60_000,
    wrap: undefined,
    ...over,
    token,
  });
  return { run, token };
}

const sh = (script: string, over?: Partial<ProcessOptions>) => start(["/bin/sh", "-c", script], over);

describe("ending", () => {
  it("PH-01 settles on exit although a leftover holds stdout, and ends the leftover", async () => {
    const { run, token } = sh("sleep 600 & echo done");
    expect(await collect(run)).toEqual([{ type: "text", text: "done" }]);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
    expect(alive(token)).toEqual([]);
  });

  it("PH-02 stops a grandchild on the pipe together with its parent", async () => {
    const { run, token } = sh("sleep 600 & echo up; sleep 600");
    expect(await run.next()).toEqual({ type: "text", text: "up" });
    run.stop("iteration_timeout");
    expect(await run.exit).toEqual({ kind: "stopped", cause: "iteration_timeout" });
    expect(alive(token)).toEqual([]);
  });

  it("PH-03 CD-16 ends a process that stays after its result, as settled", async () => {
    const { run, token } = sh("echo RESULT; exec sleep 600", { settleGraceMs: 50 });
    expect(await collect(run)).toEqual([{ type: "finished", ok: true, text: null }]);
    expect(await run.exit).toEqual({ kind: "stopped", cause: "settled" });
    expect(alive(token)).toEqual([]);
  });

  it("PH-03 leaves an agent that works on after a result its time", async () => {
    const { run } = sh("echo RESULT; echo more; echo RESULT", { settleGraceMs: 60_000 });
    expect((await collect(run)).map((event) => event.type)).toEqual(["finished", "text", "finished"]);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
  });

  it("kills what ignores SIGTERM", async () => {
    const { run, token } = sh("trap '' TERM; echo up; while :; do sleep 0.05; done", { killGraceMs: 50 });
    await run.next();
    run.stop("idle");
    expect(await run.exit).toEqual({ kind: "stopped", cause: "idle" });
    expect(alive(token)).toEqual([]);
  });

  it("GT-05 sends SIGTERM first, so that a program can clean up", async () => {
    const cwd = tempDir();
    const { run } = sh("trap 'echo tidy > tidy; exit 0' TERM; echo up; while :; do sleep 0.02; done", { cwd });
    await run.next();
    run.stop("human");
    await run.exit;
    expect(readFileSync(join(cwd, "tidy"), "utf8")).toBe("tidy\n");
  });

  it("keeps the first cause", async () => {
    const { run } = sh("echo up; exec sleep 600");
    await run.next();
    run.stop("brake");
    run.stop("human");
    expect(await run.exit).toEqual({ kind: "stopped", cause: "brake" });
    const gone = sh("exit 7").run;
    await gone.exit;
    gone.stop("human");
    expect(await gone.exit).toEqual({ kind: "exited", code: 7 });
  });

  it("tells a signal from an exit", async () => {
    expect(await sh("kill -9 $$").run.exit).toEqual({ kind: "signalled", signal: "SIGKILL" });
  });

  it.each([
    ["a missing program", ["/no/such/agent"], {}, /\/no\/such\/agent.*ENOENT/],
    ["a missing folder", ["/bin/true"], { cwd: "/no/such/folder" }, /folder \/no\/such\/folder does not exist/],
    ["a NUL in an argument", ["/bin/true", "a\0b"], {}, /cannot start/],
    ["no program", [], {}, /no program/],
  ])("cannot start: %s", async (_name, argv, over, message) => {
    const { run } = start(argv, over);
    expect(await collect(run)).toEqual([]);
    expect(await run.exit).toEqual({ kind: "cannotStart", message: expect.stringMatching(message) });
  });
});

describe("a script whose interpreter is missing", () => {
  it("cannot start, and says where to look", async () => {
    const script = executable(tempDir(), "agent", "#!/bin/sh\r\necho hi\r\n");
    expect(await start([script]).run.exit).toEqual({ kind: "cannotStart", message: expect.stringContaining("CRLF") });
  });
});

describe("leftovers", () => {
  it("PH-09 sweeps a descendant that moved to a session of its own and lost its parent", async () => {
    const { run, token } = sh("setsid sh -c 'sleep 600 & echo $! > pid; wait' >/dev/null 2>&1 & while ! [ -s pid ]; do sleep 0.01; done; echo up");
    await collect(run);
    await run.exit;
    expect(alive(token)).toEqual([]);
  });

  it("PH-09 ends a descendant that dropped its environment and outlives its parent", async () => {
    const cwd = tempDir();
    const { run } = sh("setsid env -i sh -c 'trap : TERM; echo $$ > pid; while :; do sleep 0.05; done' & wait", { cwd, killGraceMs: 300 });
    await until(() => readIfThere(join(cwd, "pid")).endsWith("\n"), "the child's pid");
    const pid = Number(readIfThere(join(cwd, "pid")));
    run.stop("idle");
    await run.exit;
    expect(listProcessesNow().map((entry) => entry.pid)).not.toContain(pid);
  });

  it("leaves alone what is declared as kept, with its children, ends the rest, and counts both", async () => {
    const cwd = tempDir();
    executable(cwd, "server", "#!/bin/sh\nsleep 600 &\ntouch up\nwait\n");
    const { run, token } = sh("sleep 601 & ./server run & while ! [ -e up ]; do sleep 0.01; done", { cwd, keep: ["server run"] });
    expect([await run.exit, run.leftovers()]).toEqual([
      { kind: "exited", code: 0 },
      { ended: 1, kept: 2 },
    ]);
    expect(alive(token)).toHaveLength(2);
    expect(await sweep(token, ["server run"])).toBe(0);
    expect(alive(token)).toHaveLength(2);
    expect(await sweep(token)).toBe(2);
  });

  it("counts nothing where the driver ended the agent", async () => {
    const { run } = sh("sleep 600 & echo up; sleep 600");
    await run.next();
    run.stop("human");
    await run.exit;
    expect(run.leftovers()).toBe(null);
  });

  it("ST-15 reaps by token what nobody holds any more, and counts it", async () => {
    const { run, token } = sh("sleep 600 & sleep 600 & echo up; wait");
    await run.next();
    expect(await sweep(token)).toBe(3);
    expect(alive(token)).toEqual([]);
    expect(await sweep(token)).toBe(0);
    expect(await run.exit).toEqual({ kind: "signalled", signal: "SIGTERM" });
  });

  it("leaves processes with another token alone", async () => {
    const token = freshToken();
    const { run } = sh("echo up; exec sleep 600", { token: `${token}-longer` });
    await run.next();
    expect(await sweep(token)).toBe(0);
    expect(alive(`${token}-longer`)).toHaveLength(1);
    run.stop("human");
    await run.exit;
  });

  it("PH-08 runs without a controlling terminal in a session of its own", async () => {
    const { run } = sh("(: < /dev/tty) 2>/dev/null && echo tty || echo none; ps -o sid= -p $$ | tr -d ' '; echo $$");
    const [tty, session, pid] = (await collect(run)).map((event) => (event.type === "text" ? event.text : ""));
    expect(tty).toBe("none");
    expect(session).toBe(pid);
  });

  it("sees the CPU time of a child, and none of a sleeper", async () => {
    const { run } = sh("sh -c 'while :; do :; done' & wait");
    await until(() => (run.cpuMs() ?? 0) >= 50, "CPU time of the tree");
    run.stop("human");
    await run.exit;
  });
});

describe("input and output", () => {
  it("PH-06 writes the prompt and closes stdin", async () => {
    const { run } = sh("cat; echo ok", { stdin: "a prompt\n" });
    expect((await collect(run)).map((event) => event.type === "text" && event.text)).toEqual(["a prompt", "ok"]);
    expect(await collect(sh("cat >/dev/null; echo ok").run)).toEqual([{ type: "text", text: "ok" }]);
  });

  it("lets scripts open stdin, stdout and stderr again", async () => {
    const { run } = sh("cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr", { stdin: "in\n" });
    const texts = (await collect(run)).map((event) => (event.type === "text" ? event.text : ""));
    expect(texts.sort()).toEqual(["err", "in", "out"]);
  });

  it("PR-01 passes a large prompt, and one that nobody reads", async () => {
    const stdin = "x".repeat(3_000_000);
    expect(await collect(sh("wc -c", { stdin }).run)).toEqual([{ type: "text", text: "3000000" }]);
    const deaf = sh("exit 0", { stdin }).run;
    expect(await deaf.exit).toEqual({ kind: "exited", code: 0 });
  });

  it("TO-06 keeps both raw streams on disk", async () => {
    const folder = tempDir();
    const { run } = sh("printf 'out\\033[31m'; echo err >&2", { streamPath: join(folder, "stream.jsonl") });
    await collect(run);
    expect(readFileSync(join(folder, "stream.jsonl"), "utf8")).toBe("out\u001b[31m");
    expect(readFileSync(join(folder, "stream.stderr"), "utf8")).toBe("err\n");
    expect(run.outputBytes()).toBe(12);
  });

  it("SP-04 gives the last line without a newline", async () => {
    expect(await collect(sh("printf 'no newline'").run)).toEqual([{ type: "text", text: "no newline" }]);
  });

  it("ST-13 reports a stream file that can't be written, and goes on", async () => {
    const { run } = sh("echo a; echo b", { streamPath: "/dev/full" });
    const events = await collect(run);
    expect(events.filter((event) => event.type === "error")).toEqual([
      { type: "error", kind: "other", fatal: false, message: expect.stringContaining("ENOSPC") },
    ]);
    expect(events.filter((event) => event.type === "text")).toHaveLength(2);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
  });

  it("PH-17 loses nothing when an agent ends before its many events are taken", async () => {
    const { run } = sh("seq 1 9000");
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
    expect(await collect(run)).toHaveLength(9000);
  });

  it("PH-17 makes an agent wait whose few, large events nobody takes", async () => {
    const fake = executable(
      tempDir(),
      "wide",
      `#!${process.execPath}
      for (let left = 48; left-- > 0; ) require("fs").writeSync(1, "x".repeat(1 << 20) + "\\n");`,
    );
    const { run } = start([fake]);
    let same = 0;
    let taken = -1;
    await until(() => {
      same = run.outputBytes() === taken && taken > 0 ? same + 1 : 0;
      taken = run.outputBytes();
      return same === 40;
    }, "output that stands still");
    expect(taken).toBeLessThan(40 * 1024 * 1024);
    expect(await collect(run)).toHaveLength(48);
  });

  it("PH-17 holds little of 100 MB of output, also when the driver reads slowly", async () => {
    const folder = tempDir();
    const line = `${"x".repeat(1023)}\n`;
    const fake = executable(
      folder,
      "flood",
      `#!${process.execPath}
      const block = ${JSON.stringify(line)}.repeat(1024);
      let left = 100;
      const more = () => { while (left-- > 0) if (!process.stdout.write(block)) return process.stdout.once("drain", more); };
      more();`,
    );
    const before = await heldBytes();
    let most = 0;
    const streamPath = join(folder, "stream.jsonl");
    const { run } = start([fake], { streamPath });
    let lines = 0;
    for (let event = await run.next(); event !== null; event = await run.next()) {
      lines += 1;
      if (lines % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (lines % 20_000 === 0) most = Math.max(most, (await heldBytes()) - before);
    }
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
    expect(lines).toBe(100 * 1024);
    expect(statSync(streamPath).size).toBe(100 * 1024 * 1024);
    expect(most).toBeLessThan(16 * 1024 * 1024);
  });
});

/** What is still reachable: resident memory would also measure how lazy the garbage collector is, which frees buffers a turn or two later. */
async function heldBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 4; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}
