/** One owner at a time, and no lock outlives its owner. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "vite";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { acquireLock } from "../../src/workspace/lock.js";
import { readLock } from "../../src/workspace/lock-state.js";
import { bootId, processStart } from "../../src/workspace/process-identity.js";
import { scratchFolder } from "./scratch.js";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function owner(changes: Record<string, unknown> = {}) {
  const start = processStart(process.pid);
  return { pid: process.pid, start, boot: bootId(), run: "old", startedAt: "2026-11-30T20:00:00.000Z", host: hostname(), ...changes };
}

function lockedBy(content: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, "lock"), content);
  return folder;
}

describe("acquireLock", () => {
  it("CC-01 refuses a second starter and names the owner", () => {
    // The process that started this one lives as long as it does.
    const folder = lockedBy(JSON.stringify(owner({ pid: process.ppid, start: processStart(process.ppid) })));
    expect(acquireLock(folder, { run: "new" })).toMatchObject({ kind: "held", owner: { pid: process.ppid, run: "old", host: hostname() } });
    expect(readLock(folder)).toMatchObject({ kind: "held" });
  });

  it("is free again after the release", () => {
    const folder = scratchFolder();
    const lock = acquireLock(folder, { run: "r" });
    if (lock.kind !== "acquired") throw new Error("not acquired");
    expect(readLock(folder)).toMatchObject({ kind: "held", owner: { run: "r", pid: process.pid } });
    lock.release();
    lock.release();
    expect(readLock(folder)).toEqual({ kind: "free" });
  });

  it.each([
    ["ST-09 a recycled process number", { pid: process.ppid, start: "1" }, "belongs to another program"],
    ["ST-09 a process that is gone", { pid: 4_194_999 }, "is gone"],
    ["ST-09 an earlier boot", { boot: "00000000-0000-0000-0000-000000000000" }, "restart of the machine"],
  ])("takes over the lock of %s", (_name, changes, why) => {
    const folder = lockedBy(JSON.stringify(owner(changes)));
    expect(acquireLock(folder, { run: "new" })).toMatchObject({ kind: "acquired", tookOver: expect.stringContaining(why) });
    expect(readLock(folder)).toMatchObject({ kind: "held", owner: { run: "new" } });
  });

  it("ST-10 lets the owner take its lock again, and only the first release frees it", () => {
    const folder = scratchFolder();
    const first = acquireLock(folder, { run: "a" });
    const second = acquireLock(folder, { run: "b" });
    if (first.kind !== "acquired" || second.kind !== "acquired") throw new Error("not acquired");
    second.release();
    expect(readLock(folder)).toMatchObject({ kind: "held", owner: { run: "b" } });
    first.release();
    expect(readLock(folder)).toEqual({ kind: "free" });
  });

  it.each(["", "null", "{}", '{"pid":1'])("CC-02 ST-05 obeys a lock without owner (%j) only while it is young", (content) => {
    const folder = lockedBy(content);
    expect(acquireLock(folder, { run: "new" })).toEqual({ kind: "held", owner: null });
    const then = Date.now() / 1000 - 3_600;
    utimesSync(join(folder, "lock"), then, then);
    expect(acquireLock(folder, { run: "new" })).toMatchObject({ kind: "acquired", tookOver: expect.stringContaining("names no owner") });
  });

  it("CC-05 leaves a stale lock to the process that is taking it over", () => {
    const dead = JSON.stringify(owner({ pid: 4_194_999 }));
    const folder = lockedBy(dead);
    writeFileSync(join(folder, "lock.takeover"), JSON.stringify(owner({ pid: process.ppid, start: processStart(process.ppid) })));
    expect(acquireLock(folder, { run: "new" })).toMatchObject({ kind: "held" });
    expect(readFileSync(join(folder, "lock"), "utf8")).toBe(dead);
  });

  it("does not judge processes of another machine", () => {
    const folder = lockedBy(JSON.stringify(owner({ host: "elsewhere", pid: 4_194_999 })));
    expect(acquireLock(folder, { run: "new" })).toMatchObject({ kind: "held", owner: { host: "elsewhere" } });
  });
});

describe("ten starters at once", () => {
  let starter = "";
  let bundle = "";
  beforeAll(async () => {
    const result = await build({
      logLevel: "silent",
      configFile: false,
      build: { ssr: join(import.meta.dirname, "../../src/workspace/lock.ts"), write: false, minify: false },
    });
    bundle = "output" in result ? result.output[0].code : "";
    starter = `
      import { acquireLock } from "./lock.mjs";
      process.stdin.once("data", () => {
        console.log(acquireLock(process.argv[2], { run: String(process.pid) }).kind);
      });
      console.log("ready");`;
  });

  it.each(["free", "stale", "stale with a guard left behind"])("CC-05 give the lock to exactly one (%s)", async (before) => {
    const folder = scratchFolder();
    const dead = JSON.stringify(owner({ pid: 4_194_999 }));
    if (before !== "free") writeFileSync(join(folder, "lock"), dead);
    if (before.includes("guard")) writeFileSync(join(folder, "lock.takeover"), dead);
    const code = scratchFolder();
    // Dependencies resolve from the folder of the project.
    writeFileSync(join(code, "lock.mjs"), bundle.replaceAll('from "valibot"', `from ${JSON.stringify(import.meta.resolve("valibot"))}`));
    writeFileSync(join(code, "start.mjs"), starter);
    const started = await Promise.all(Array.from({ length: 10 }, () => startOne(join(code, "start.mjs"), folder)));
    for (const { child } of started) child.stdin?.write("go\n");
    const answers = await Promise.all(started.map(async ({ lines }) => (await lines.next()).value as string));
    expect(answers.filter((answer) => answer === "acquired")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "held")).toHaveLength(9);
    expect(JSON.parse(readFileSync(join(folder, "lock"), "utf8"))).toMatchObject({ host: hostname() });
  });
});

async function startOne(file: string, folder: string) {
  const child = spawn(process.execPath, [file, folder], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  await once(child, "spawn");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return { child, lines };
}
