/** `ralphd once` as a program: retries, concurrent calls, crashes in every gap, and below an agent. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
let dir: string;
const children = new Set<ChildProcess>();

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-once-")));
  execFileSync("git", ["init", "-q"], { cwd: dir });
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

interface Call {
  child: ChildProcess;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function start(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Call {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("RALPHD_")));
  const child = spawn(process.execPath, [PROGRAM, "once", ...args], {
    cwd: options.cwd ?? dir,
    env: { ...env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => void (stdout += chunk.toString("utf8")));
  child.stderr?.on("data", (chunk: Buffer) => void (stderr += chunk.toString("utf8")));
  return { child, ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr }))) };
}

const once = (args: string[], options = {}): Call["ended"] => start(args, options).ended;
const sh = (command: string): string[] => ["--", "sh", "-c", command];
const APPEND = "echo x >> log; echo out; echo err >&2";
const count = (): number => (existsSync(join(dir, "log")) ? readFileSync(join(dir, "log"), "utf8").split("\n").length - 1 : 0);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("the same write", () => {
  it("R-156 runs once; the second call gets output and exit code of the first", async () => {
    const first = await once(["coupon-user-5", ...sh(`${APPEND}; exit 7`)]);
    expect(first).toMatchObject({ code: 7, stdout: "out\n", stderr: "err\n" });
    const second = await once(["coupon-user-5", ...sh(`${APPEND}; exit 7`)]);
    expect(second).toMatchObject({ code: 7, stdout: "out\n" });
    expect(second.stderr).toMatch(/^err\nralphd once: coupon-user-5 ran at .*nothing was run/);
    expect(count()).toBe(1);
  });

  it("R-162 does not insert a rule twice from another folder or worktree", async () => {
    mkdirSync(join(dir, "sub"));
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"], { cwd: dir });
    execFileSync("git", ["worktree", "add", "-q", join(dir, "tree")], { cwd: dir });
    const command = sh(`echo rule >> ${dir}/log`);
    for (const cwd of [dir, join(dir, "sub"), join(dir, "tree")]) expect((await once(["rule-301", ...command], { cwd })).code).toBe(0);
    expect(count()).toBe(1);
    expect(existsSync(join(dir, ".git/ralphd/once"))).toBe(true);
  });

  it("runs again with another ordinal, another key, and after the window", async () => {
    await once(["k", ...sh(APPEND)]);
    await once(["k", "--ordinal", "2", ...sh(APPEND)]);
    await once(["k2", ...sh(APPEND)]);
    expect(count()).toBe(3);
    await once(["k", "--window", "1ms", ...sh(APPEND)]);
    expect(count()).toBe(4);
    await once(["k", ...sh(APPEND)]);
    expect(count()).toBe(4);
  });

  it("R-155 has a key that is derived from its inputs", async () => {
    const inputs = ["--from", "POST /coupons", "--from", "user=5"];
    await once([...inputs, ...sh(APPEND)]);
    expect((await once([...inputs, ...sh(APPEND)])).stderr).toContain("nothing was run");
    await once(["--from", "POST /coupons", "--from", "user=6", ...sh(APPEND)]);
    expect(count()).toBe(2);
  });

  it("is another one when the command differs, and that is refused", async () => {
    await once(["k", ...sh(APPEND)]);
    const other = await once(["k", ...sh("echo other >> log")]);
    expect(other.code).toBe(125);
    expect(other.stderr).toContain("stands for another command");
    expect(count()).toBe(1);
  });

  it("runs once for concurrent calls, and all get the result", async () => {
    const command = sh("echo x >> log; sleep 0.3; echo result; exit 5");
    const results = await Promise.all(Array.from({ length: 6 }, () => once(["k", ...command])));
    expect(results.map(({ code, stdout }) => [code, stdout])).toEqual(Array.from({ length: 6 }, () => [5, "result\n"]));
    expect(count()).toBe(1);
  });

  it("works below an agent and outside of a repository", async () => {
    const env = { RALPHD_RUN: "r", RALPHD_TOKEN: "t", RALPHD_ITERATION: "1" };
    expect((await once(["k", ...sh(APPEND)], { env })).code).toBe(0);
    const outside = mkdtempSync(join(tmpdir(), "ralphd-outside-"));
    try {
      for (let n = 0; n < 2; n += 1)
        expect((await once(["k", ...sh(APPEND)], { cwd: outside, env: { ...env, XDG_STATE_HOME: join(outside, "state") } })).code).toBe(0);
      expect(readFileSync(join(outside, "log"), "utf8")).toBe("x\n");
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
});

describe("what is not run", () => {
  it.each([
    ["R-157 a random key", ["550e8400-e29b-41d4-a716-446655440000", "--", "true"], "looks like a random id"],
    ["the time as a key", [`k-${Date.now()}`, "--", "true"], "holds the time of now"],
    ["no key", ["--", "true"], "a key is missing"],
    ["no command", ["k"], "stands after --"],
    ["a bad window", ["k", "--window", "10", "--", "true"], "--window: a duration needs a unit"],
    ["a bad ordinal", ["k", "--ordinal", "0", "--", "true"], "--ordinal wants a number"],
    ["key and inputs", ["k", "--from", "x", "--", "true"], "not both"],
  ])("%s", async (_, args, message) => {
    const result = await once(args);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
    expect(existsSync(join(dir, ".git/ralphd/once"))).toBe(false);
  });

  it("nothing, in a repository that git can't read", async () => {
    const { code, stderr } = await once(["k", ...sh(APPEND)], { env: { PATH: "/nowhere", XDG_STATE_HOME: join(dir, "state") } });
    expect(code).toBe(125);
    expect(stderr).toContain("the records of this repository can't be found, so nothing was run");
    expect(existsSync(join(dir, "state"))).toBe(false);
  });

  it("a program that does not exist leaves no record", async () => {
    expect((await once(["k", "--", "./gone"])).code).toBe(127);
    expect((await once(["k", ...sh(APPEND)])).code).toBe(0);
    expect(count()).toBe(1);
  });

  it("nothing, when the record can not be written", async () => {
    mkdirSync(join(dir, ".git/ralphd"));
    writeFileSync(join(dir, ".git/ralphd/once"), "a file in the way");
    const result = await once(["k", ...sh(APPEND)]);
    expect(result.code).toBe(125);
    expect(result.stderr).toContain("the record can't be written");
    expect(count()).toBe(0);
  });
});

describe("a crash", () => {
  async function killedWhileRunning(): Promise<void> {
    const call = start(["k", ...sh("echo x >> log; echo $$ > pid; exec sleep 60")]);
    await until(() => existsSync(join(dir, "pid")) && readFileSync(join(dir, "pid"), "utf8").endsWith("\n"));
    call.child.kill("SIGKILL");
    await call.ended.catch(() => undefined);
    process.kill(Number(readFileSync(join(dir, "pid"), "utf8")), "SIGKILL");
  }

  it("between start and result makes it unknown: never run again blindly, for as long as it takes", async () => {
    await killedWhileRunning();
    const command = ["k", ...sh("echo x >> log; echo $$ > pid; exec sleep 60")];
    for (let n = 0; n < 2; n += 1) {
      const again = await once(command);
      expect(again.code).toBe(125);
      expect(again.stderr).toMatch(/whether k happened is unknown: .*\n.*ralphd once --resolve k done.*retry/);
    }
    expect((await once(["k", "--window", "1ms", ...sh(APPEND)])).code).toBe(125);
    expect(count()).toBe(1);
  });

  it("is resolved by a person: done runs nothing, retry runs again", async () => {
    await killedWhileRunning();
    const below = await once(["--resolve", "k", "retry"], { env: { RALPHD_TOKEN: "t" } });
    expect(below.code).toBe(2);
    expect(below.stderr).toContain("this is for people");
    expect((await once(["--resolve", "k", "maybe"])).code).toBe(2);
    expect((await once(["--resolve", "other", "done"])).code).toBe(1);
    expect((await once(["--resolve", "k", "done"])).code).toBe(0);
    const after = await once(["k", ...sh("echo x >> log; echo $$ > pid; exec sleep 60")]);
    expect(after.code).toBe(0);
    expect(after.stderr).toContain("resolved as done by");
    expect(count()).toBe(1);
  });

  it("that a person calls a failure is run again", async () => {
    await killedWhileRunning();
    expect((await once(["--resolve", "k", "retry"])).code).toBe(0);
    expect((await once(["k", ...sh(APPEND)])).code).toBe(0);
    expect(count()).toBe(2);
  });

  it("of the command itself is unknown as well, with the signal as exit code", async () => {
    const first = await once(["k", ...sh("echo x >> log; kill -9 $$")]);
    expect(first.code).toBe(137);
    expect(first.stderr).toContain("the command was ended by SIGKILL");
    expect((await once(["k", ...sh("echo x >> log; kill -9 $$")])).code).toBe(125);
    expect(count()).toBe(1);
  });

  it("while others wait leaves them with the question and not with a second run", async () => {
    const call = start(["k", ...sh("echo x >> log; echo $$ > pid; exec sleep 60")]);
    await until(() => existsSync(join(dir, "pid")) && readFileSync(join(dir, "pid"), "utf8").endsWith("\n"));
    const waiting = once(["k", ...sh(APPEND)]);
    call.child.kill("SIGKILL");
    expect((await waiting).code).toBe(125);
    process.kill(Number(readFileSync(join(dir, "pid"), "utf8")), "SIGKILL");
    expect(count()).toBe(1);
  });

  it("that damaged the record is unknown too", async () => {
    await once(["k", ...sh(APPEND)]);
    const store = join(dir, ".git/ralphd/once");
    writeFileSync(join(store, readdirSync(store)[0] ?? "", "entry.json"), '{"version":1,"ke');
    expect((await once(["k", ...sh(APPEND)])).code).toBe(125);
    expect(count()).toBe(1);
  });
});

it("passes all output through and keeps a bounded part of it", async () => {
  const command = sh("head -c 3000000 /dev/zero | tr '\\0' 'a'; echo END");
  expect((await once(["k", ...command])).stdout).toHaveLength(3_000_004);
  const second = await once(["k", ...command]);
  expect(second.stdout.length).toBeLessThan(300_000);
  expect(second.stdout).toMatch(/bytes left out[\s\S]*END\n$/);
});

it("does not wait for what the command left running", async () => {
  const started = performance.now();
  expect((await once(["k", ...sh("sleep 30 & echo $! > pid; echo done")])).stdout).toBe("done\n");
  expect(performance.now() - started).toBeLessThan(25_000);
  process.kill(Number(readFileSync(join(dir, "pid"), "utf8")), "SIGKILL");
});
