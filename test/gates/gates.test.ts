/** Gates of kind `run` on real processes: what passes, what fails and how it says so, and what is left behind. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listProcesses } from "../../src/agents/process/process-table.js";
import type { GateResult, GateSpec, RunGate } from "../../src/core/gate.js";
import { createGates } from "../../src/gates/gates.js";

const ENV = { PATH: process.env["PATH"] ?? "" };

function scratch(files: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), "ralphd-gates-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

function gate(run: string, change: Partial<RunGate> = {}): RunGate {
  return { kind: "run", name: "tests", run, required: true, scope: "plan", when: "claim", timeoutMs: 30_000, retries: 0, baseline: "require", ...change };
}

interface Setting {
  dir?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
  redact?: (text: string) => string;
}

function open({ dir = scratch(), env = ENV, signal = new AbortController().signal, redact }: Setting) {
  const gates = createGates({ root: dir, killGraceMs: 200, run: "r1", ...(redact === undefined ? {} : { redact }) });
  return { gates, context: { cwd: dir, outputDir: join(dir, "out", "gates"), env, signal } };
}

async function run(spec: GateSpec | string, setting: Setting = {}): Promise<GateResult> {
  const { gates, context } = open(setting);
  return gates.run(typeof spec === "string" ? gate(spec) : spec, context);
}

async function isAlive(pidFile: string): Promise<boolean> {
  const pid = Number(readFileSync(pidFile, "utf8"));
  expect(pid).toBeGreaterThan(0);
  return (await listProcesses()).some((one) => one.pid === pid);
}

describe("a pass", () => {
  it("is exit code 0, with the whole output on disk", async () => {
    const result = await run("echo out; echo err >&2");
    expect(result).toMatchObject({
      name: "tests",
      verdict: "pass",
      reason: "exit 0",
      required: true,
      failing: [],
      fingerprint: "pass",
      exitCode: 0,
      flaky: false,
      detail: null,
    });
    expect(readFileSync(result.outputPath ?? "", "utf8")).toBe("out\nerr\n");
  });

  it("counts the tests of a real runner", async () => {
    const dir = scratch({ "a.test.mjs": 'import { test } from "node:test"; test("one", () => {}); test("two", () => {});' });
    expect(await run("node --test a.test.mjs", { dir })).toMatchObject({ verdict: "pass", testsRun: 2, reason: "exit 0, 2 tests ran" });
  });

  it("is counted also when the driver itself runs below node:test", async () => {
    const dir = scratch({ "a.test.mjs": 'import { test } from "node:test"; test("one", () => {});' });
    expect(await run("node --test a.test.mjs", { dir, env: { ...ENV, NODE_TEST_CONTEXT: "child-v8" } })).toMatchObject({ testsRun: 1 });
  });

  it("runs at cwd with the given environment", async () => {
    const dir = scratch({ marker: "" });
    expect(await run('test -f marker && test "$COLOUR" = blue', { dir, env: { ...ENV, COLOUR: "blue" } })).toMatchObject({ verdict: "pass" });
  });
});

describe("a fail says what to do next", () => {
  it("names failing tests", async () => {
    const dir = scratch({
      "a.test.mjs":
        'import { test } from "node:test"; test("good", () => {}); test("bad", () => { throw new Error("boom"); }); test("worse", () => { throw new Error("bang"); });',
    });
    const first = await run("node --test a.test.mjs", { dir });
    expect(first).toMatchObject({ verdict: "fail", reason: "exit 1: 2 failing: bad, worse", failing: ["bad", "worse"], testsRun: 3, exitCode: 1 });
    expect(first.detail).toContain("boom");
    expect((await run("node --test a.test.mjs", { dir })).fingerprint).toBe(first.fingerprint);
  });

  it.each<[string, string]>([
    ["exit 3", "exit 3 without any output"],
    ["echo 'Error: no luck'; exit 1", "exit 1: Error: no luck"],
    ["echo something; exit 1", "exit 1: something"],
    ["no-such-program-here --x", "command not found: no-such-program-here; install it or correct the gate's command"],
    ["./plain", "not executable: ./plain; check its mode and first line"],
    ["printf '\\033[31mError: red\\033[0m\\n'; exit 1", "exit 1: Error: red"],
  ])("%s", async (command, reason) => {
    const result = await run(command, { dir: scratch({ plain: "echo" }) });
    expect(result).toMatchObject({ verdict: "fail", reason, failing: [] });
    expect(result.detail).not.toBe("");
    expect(result.fingerprint).not.toBe("pass");
  });

  it("when it can't be started, and never throws", async () => {
    const { gates, context } = open({});
    const result = await gates.run(gate("true"), { ...context, cwd: join(context.cwd, "gone") });
    expect(result).toMatchObject({ verdict: "fail", exitCode: null, reason: expect.stringMatching(/^could not be started: ./) });
    expect(await gates.run(gate("true"), { ...context, outputDir: "/dev/null/x" })).toMatchObject({
      verdict: "fail",
      reason: expect.stringMatching(/^could not be judged: ./),
      outputPath: null,
    });
  });

  it("when a pipe hides the runner's exit code", async () => {
    const dir = scratch({ "a.test.mjs": 'import { test } from "node:test"; test("bad", () => { throw new Error("boom"); });' });
    expect(await run("node --test a.test.mjs | cat", { dir })).toMatchObject({
      verdict: "fail",
      exitCode: 0,
      failing: ["bad"],
      reason: expect.stringMatching(/^exit 0, but 1 failing: bad; a pipe/),
    });
  });
});

describe("VG-01 a gate that would wait for ever", () => {
  it("VG-01 gets no terminal, no input and CI=true", async () => {
    const result = await run('read key; test "$CI" = true && ! test -t 0 && ! test -t 1 && ! (: < /dev/tty) 2>/dev/null');
    expect(result).toMatchObject({ verdict: "pass" });
  });

  it("VG-01 in watch mode is ended with everything below it", async () => {
    const dir = scratch({
      "watch.mjs":
        'import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid)); console.log("watching"); setInterval(() => {}, 1000); process.on("SIGTERM", () => {});',
    });
    const result = await run(gate("node watch.mjs; true", { timeoutMs: 1_500 }), { dir });
    expect(result).toMatchObject({ verdict: "fail", exitCode: null, reason: "timed out after 1.5 s (watch mode? gates need to end by themselves)" });
    expect(result.detail).toContain("watching");
    expect(await isAlive(join(dir, "pid"))).toBe(false);
  });
});

describe("VG-02 an ending that says nothing", () => {
  it("VG-02 killed by a signal", async () => {
    expect(await run("kill -9 $$")).toMatchObject({ verdict: "fail", exitCode: null, reason: "killed by SIGKILL (out of memory?)" });
  });

  it("VG-02 its child killed by a signal", async () => {
    expect(await run("sh -c 'kill -11 $$'; exit $?")).toMatchObject({ verdict: "fail", exitCode: 139, reason: "exit 139: killed by SIGSEGV" });
  });

  it("VG-02 stopped by a person, without another try", async () => {
    const dir = scratch();
    const stop = new AbortController();
    const running = run(gate("echo x >> tries; sleep 60", { retries: 3 }), { dir, signal: stop.signal });
    await expect.poll(() => existsSync(join(dir, "tries"))).toBe(true);
    stop.abort();
    expect(await running).toMatchObject({ verdict: "fail", reason: "stopped by a person before it ended" });
    expect(readFileSync(join(dir, "tries"), "utf8")).toBe("x\n");
  });
});

describe("VG-04 nothing was run", () => {
  it("VG-04 exit 0 with zero tests is a fail", async () => {
    const result = await run("printf '# tests 0\\n# suites 0\\n# pass 0\\n# fail 0\\n# cancelled 0\\n# skipped 0\\n# todo 0\\n'");
    expect(result).toMatchObject({
      verdict: "fail",
      testsRun: 0,
      exitCode: 0,
      reason: "nothing was run: 0 tests (node:test); check the gate's paths and filters",
    });
  });

  it("VG-04 a suite of skipped tests is a fail", async () => {
    const dir = scratch({ "a.test.mjs": 'import { test } from "node:test"; test.skip("one", () => {});' });
    expect(await run("node --test a.test.mjs", { dir })).toMatchObject({ verdict: "fail", testsRun: 0 });
  });
});

describe("PH-01 leftovers", () => {
  it.each([
    ["a child that holds the output", "sleep 600 & echo $! > pid; echo done"],
    ["a child in a session of its own", "setsid sh -c 'echo $$ > pid; exec sleep 600' & while [ ! -s pid ]; do sleep 0.02; done; echo done"],
  ])("PH-01 %s neither hangs the gate nor stays", async (_, command) => {
    const dir = scratch();
    const result = await run(command, { dir });
    expect(result).toMatchObject({ verdict: "pass" });
    expect(readFileSync(result.outputPath ?? "", "utf8")).toContain("done");
    expect(await isAlive(join(dir, "pid"))).toBe(false);
  });
});

describe("retries", () => {
  const flaky = "echo x >> tries; test $(wc -l < tries) -ge 2 || { echo 'Error: port in use'; exit 1; }";

  it("records a pass after a fail as flaky and keeps both outputs", async () => {
    const dir = scratch();
    const result = await run(gate(flaky, { retries: 2 }), { dir });
    expect(result).toMatchObject({ verdict: "pass", flaky: true, reason: "flaky: passed at try 2 after exit 1: Error: port in use" });
    expect(readFileSync(join(dir, "out/gates/tests.log"), "utf8")).toContain("port in use");
    expect(result.outputPath).toBe(join(dir, "out/gates/tests.2.log"));
  });

  it("gives up after the last, and does not try again what can't be found", async () => {
    const dir = scratch();
    expect(await run(gate("echo x >> tries; exit 1", { retries: 2 }), { dir })).toMatchObject({
      verdict: "fail",
      flaky: false,
      reason: "exit 1 without any output (3 tries)",
    });
    expect(await run(gate("echo x >> other; no-such-program-here", { retries: 2 }), { dir })).toMatchObject({ verdict: "fail" });
    expect([readFileSync(join(dir, "tries"), "utf8"), readFileSync(join(dir, "other"), "utf8")]).toEqual(["x\nx\nx\n", "x\n"]);
  });
});

it("SE-05 takes secrets out of reason, detail and log", async () => {
  const result = await run("echo 'Error: hunter2 refused'; exit 1", { redact: (text) => text.replaceAll("hunter2", "[redacted]") });
  expect(result.reason).toBe("exit 1: Error: [redacted] refused");
  expect(JSON.stringify(result) + readFileSync(result.outputPath ?? "", "utf8")).not.toContain("hunter2");
});

it("keeps a gate's log inside its folder, whatever the name", async () => {
  const dir = scratch();
  const result = await run(gate("true", { name: "../../etc/passwd" }), { dir });
  expect(result.outputPath).toBe(join(dir, "out/gates/etc-passwd.log"));
});

describe("setup", () => {
  it("says whether the tree is prepared", async () => {
    const { gates, context } = open({});
    expect(await gates.setup("echo hi > installed", context)).toEqual({ ok: true, detail: "exit 0" });
    expect(existsSync(join(context.cwd, "installed"))).toBe(true);
    const failed = await gates.setup("echo 'npm error missing lock file'; exit 1", context);
    expect(failed).toEqual({ ok: false, detail: "exit 1: npm error missing lock file\nnpm error missing lock file" });
  });
});
