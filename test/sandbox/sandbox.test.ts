/** The sandbox with real bubblewrap, real git and real processes; skipped where the kernel does not allow it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { listProcessesNow, withTokenNow } from "../../src/agents/process/process-table.js";
import { runCommand } from "../../src/agents/process/run-command.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { Settings } from "../../src/core/settings.js";
import { bubblewrapArgv, probeBubblewrap } from "../../src/sandbox/bubblewrap.js";
import { planMounts } from "../../src/sandbox/read-only.js";
import { chooseSandbox, sandboxWrap } from "../../src/sandbox/sandbox.js";

const works = (await probeBubblewrap(process.env)).kind === "works";
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

const template = makeTemplate();

function makeTemplate(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-sandbox-")));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Person");
  git("config", "user.email", "person@example.org");
  const files = {
    "PLAN.md": "- [ ] one\n",
    "check.sh": "true\n",
    ".ralph/config.yaml": "a: b\n",
    ".ralph/prompts/work.md": "work\n",
    ".ralph/guardrails/good.md": "---\ntrigger: a\nstatus: approved\n---\nDo b.\n",
    ".ralph/guardrails/new.md": "---\ntrigger: a\nstatus: draft\n---\nDo b.\n",
    ".github/workflows/ci.yml": "on: push\n",
    ".git/ralphd/runs/1/journal.jsonl": "{}\n",
    ".git/hooks/pre-commit": "#!/bin/sh\n",
  };
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  return root;
}

function put(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

interface Box {
  root: string;
  run(command: string, over?: { timeoutMs?: number; argv?: string[] }): ReturnType<typeof runCommand>;
  token: string;
}

function box(over: Partial<Settings> = {}, edits: string[] = []): Box {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-sandbox-")));
  folders.push(home);
  const root = join(home, "repo");
  execFileSync("cp", ["-a", template, root]);
  const gate = { ...DEFAULT_SETTINGS.gates[0], name: "t", kind: "run", run: "sh check.sh" } as unknown as Settings["gates"][number];
  const settings: Settings = { ...DEFAULT_SETTINGS, plan: "PLAN.md", gates: [gate], ...over };
  const gitDir = join(root, ".git");
  const wrap = sandboxWrap(
    planMounts({ root, gitDir, commonDir: gitDir, gitControl: [], personal: [], own: [join(home, "config/ralphd")] }, { settings, edits }),
  );
  const token = `box-${Math.random()}`;
  return {
    root,
    token,
    run: (command, { timeoutMs = 30_000, argv = ["sh", "-c", command] } = {}) =>
      runCommand({
        argv,
        cwd: root,
        env: { PATH: process.env["PATH"] ?? "" },
        timeoutMs,
        outputPath: null,
        signal: new AbortController().signal,
        token,
        killGraceMs: 2_000,
        wrap,
      }),
  };
}

describe.skipIf(!works)("inside the sandbox", () => {
  const frozen = [
    ".ralph/config.yaml",
    ".ralph/prompts/work.md",
    ".ralph/guardrails/good.md",
    ".github/workflows/ci.yml",
    "check.sh",
    ".git/config",
    ".git/hooks/pre-commit",
    ".git/ralphd/runs/1/journal.jsonl",
  ];

  it("frozen paths and the driver's truth can't be written, removed or replaced", async () => {
    const { run, root } = box();
    const before = frozen.map((path) => readFileSync(join(root, path), "utf8"));
    for (const path of frozen) {
      const { output } = await run(
        `echo x >> ${path} && echo WROTE; rm -f ${path} && echo REMOVED; mv -f PLAN.md ${path} 2>&1 && echo REPLACED; ln -f PLAN.md ${path} 2>&1 && echo LINKED; chmod 777 ${path} 2>&1 && echo CHMOD; true`,
      );
      expect(output.match(/WROTE|REMOVED|REPLACED|LINKED|CHMOD/g), path).toBeNull();
    }
    expect(frozen.map((path) => readFileSync(join(root, path), "utf8"))).toEqual(before);
  });

  it("nothing new appears beside frozen files", async () => {
    const { run, root } = box();
    await run("echo x > .git/ralphd/inbox.json; echo x > .git/hooks/post-commit; echo x > .github/workflows/more.yml; git config alias.x y");
    for (const path of [".git/ralphd/inbox.json", ".git/hooks/post-commit", ".github/workflows/more.yml"])
      expect(existsSync(join(root, path)), path).toBe(false);
    expect(readFileSync(join(root, ".git/config"), "utf8")).not.toContain("alias");
  });

  it("the person's folders of ralphd can't be filled by others, also where nobody had made them yet", async () => {
    const { run, root } = box();
    const { output } = await run("echo 'hooks: {}' > ../config/ralphd/config.yaml; mkdir -p ../config/ralphd/deeper; mv ../config/ralphd ../config/mine; true");
    expect(output.match(/Read-only file system|Device or resource busy/g)).toHaveLength(3);
    expect(readdirSync(join(root, "../config/ralphd"))).toEqual([]);
  });

  it("the repository and its git directory can't be moved away and replaced by a copy", async () => {
    const { run, root } = box();
    const { output } = await run(`mv .git .git2 && echo MOVED; cd / && mv ${root} ${root}2 && echo MOVED; cd ${root} && mv .ralph .ralph2 && echo MOVED; true`);
    expect(output).not.toContain("MOVED");
  });

  it("neither remounting nor unmounting opens them, as root or in a namespace of one's own", async () => {
    const { run, root } = box();
    await run(
      "umount .git/ralphd; mount -o remount,rw,bind .git/ralphd; unshare -Urm sh -c 'umount .git/ralphd; mount -o remount,rw,bind .git/ralphd; echo x > .git/ralphd/x'; echo x > .git/ralphd/x",
    );
    expect(existsSync(join(root, ".git/ralphd/x"))).toBe(false);
  });

  it("work, ticks, notes, drafts and commits go on as ever", async () => {
    const { run, root } = box();
    const { exit, output } = await run(
      "set -e; sed -i 's/\\[ \\]/[x]/' PLAN.md; echo note >> .ralph/progress.md; echo more >> .ralph/guardrails/new.md; mkdir src; echo 1 > src/a; git add -A; git commit -qm work --no-verify; git switch -qc side; git log --format=%s",
    );
    expect([exit, output]).toEqual([{ kind: "exited", code: 0 }, "work\nstart\n"]);
    expect(readFileSync(join(root, "src/a"), "utf8")).toBe("1\n");
  });

  it("a CI folder that a task's edits may open stays writable", async () => {
    const { run, root } = box({}, [".github/workflows/ci.yml"]);
    await run("echo more >> .github/workflows/ci.yml");
    expect(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8")).toContain("more");
  });

  it("a link in place of a frozen path does not freeze what it points to", async () => {
    const { run, root } = box();
    rmSync(join(root, ".github"), { recursive: true });
    mkdirSync(join(root, "elsewhere/workflows"), { recursive: true });
    symlinkSync("elsewhere", join(root, ".github"));
    await run("echo x > elsewhere/workflows/a");
    expect(existsSync(join(root, "elsewhere/workflows/a"))).toBe(true);
  });

  it("at level 1 nothing that stands can be written but the loop's folder and the plan, which editors may replace", async () => {
    const { run, root } = box({ level: 1, plan: "PLAN.md" });
    await run(
      "echo x >> check.sh; rm check.sh; echo x > .github/new; echo x > added; git commit -qm x --allow-empty; echo x >> .ralph/config.yaml; echo ok > .ralph/report.md; echo '- [x] one' > PLAN.md; sed -i 's/one/two/' PLAN.md",
    );
    // What is added beside the plan is the driver's to put back.
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" })).toBe(" M PLAN.md\n?? .ralph/report.md\n?? added\n");
    expect(readFileSync(join(root, "PLAN.md"), "utf8")).toBe("- [x] two\n");
    expect(execFileSync("git", ["log", "--format=%s"], { cwd: root, encoding: "utf8" })).toBe("start\n");
  });
});

describe.skipIf(!works)("processes in the sandbox", () => {
  it("end with the command, also when they left group, session and environment", async () => {
    const { run, root } = box();
    await run("env -i setsid sleep 600 & env -i setsid sh -c 'sleep 601 &' ; sleep 0.1");
    const left = listProcessesNow().filter(({ pid }) => /sleep.60[01]/.test(commandLine(pid)));
    expect(left.filter(({ pid }) => linkOf(pid) === root)).toEqual([]);
  });

  it("carry the token where the driver can see it", async () => {
    const { run, token } = box();
    const running = run("sleep 600", { timeoutMs: 1_500 });
    let seen: number[] = [];
    for (let tries = 0; seen.length === 0 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen = withTokenNow(
        listProcessesNow().map((entry) => entry.pid),
        token,
      ).filter((pid) => commandLine(pid).startsWith("sleep"));
    }
    expect(seen).toHaveLength(1);
    expect((await running).exit).toEqual({ kind: "timedOut" });
  });

  it("get SIGTERM and their grace before the end", async () => {
    const { run, root } = box();
    const { exit } = await run("trap 'echo tidied > tidy; exit 0' TERM; sleep 600 & wait", { timeoutMs: 500 });
    expect([exit, readFileSync(join(root, "tidy"), "utf8")]).toEqual([{ kind: "timedOut" }, "tidied\n"]);
  });

  it("neither see nor reach the driver", async () => {
    const { run } = box();
    const { output } = await run(`kill -0 ${process.pid} 2>/dev/null && echo REACHED; kill -9 1; echo alive`);
    expect(output).toBe("alive\n");
  });

  it("end as they would outside: code, signal, a missing program, a missing interpreter", async () => {
    const { run, root } = box();
    expect((await run("exit 7")).exit).toEqual({ kind: "exited", code: 7 });
    expect((await run("kill -9 $$")).exit).toEqual({ kind: "signalled", signal: "SIGKILL" });
    expect((await run("", { argv: ["no-such-program"] })).exit).toMatchObject({ kind: "cannotStart" });
    writeFileSync(join(root, "odd"), "#!/no/such/interpreter\n", { mode: 0o755 });
    expect((await run("", { argv: ["./odd"] })).exit).toMatchObject({ kind: "cannotStart" });
  });

  it("can open their standard streams again", async () => {
    const { run } = box();
    expect((await run("echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin")).output).toBe("out\nerr\n");
  });
});

describe("the choice", () => {
  const failing = async () => ({ kind: "fails" as const, why: "no namespaces" });
  const working = async () => ({ kind: "works" as const, version: "bubblewrap 1" });

  it("auto takes what works and says which it is", async () => {
    expect(await chooseSandbox("auto", {}, working)).toMatchObject({ kind: "kernel", note: expect.stringContaining("bubblewrap 1") });
    expect(await chooseSandbox("auto", {}, failing)).toMatchObject({ kind: "compared", note: expect.stringContaining("no namespaces") });
  });

  it("on refuses with the way out, off asks nobody", async () => {
    expect(await chooseSandbox("on", {}, failing)).toMatchObject({ kind: "refused", message: expect.stringContaining("--sandbox auto") });
    expect(await chooseSandbox("off", {}, working)).toMatchObject({ kind: "compared" });
  });

  it("a machine without bubblewrap or another system is told what is missing", async () => {
    expect(await probeBubblewrap({ PATH: "/nowhere" }, "linux")).toMatchObject({ kind: "fails", why: expect.stringContaining("apt-get install bubblewrap") });
    expect(await probeBubblewrap(process.env, "darwin")).toMatchObject({ kind: "fails" });
  });

  it("mounts stay few whatever the size of the tree", () => {
    const root = "/r";
    const plan = planMounts(
      { root, gitDir: "/r/.git", commonDir: "/r/.git", gitControl: [], personal: [], own: [] },
      { settings: { ...DEFAULT_SETTINGS, freeze: ["tests/**/*.ts"] }, edits: [] },
    );
    expect(bubblewrapArgv(["true"], root, plan()).length).toBeLessThan(60);
  });
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // Gone meanwhile.
    return "";
  }
}

function linkOf(pid: number): string {
  try {
    return realpathSync(`/proc/${pid}/cwd`);
  } catch {
    // Gone meanwhile.
    return "";
  }
}
