/** What a killed writer and a full disk leave behind; real processes and a real small file system. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openJournal } from "../../src/journal/journal.js";
import { createRun, openRun } from "../../src/journal/run-store.js";
import { compiled } from "./compiled.js";
import { RUN, started } from "./events.js";
import { scratch } from "./scratch.js";

/** Starts a process that imports the compiled journal; `body` is its program. */
function program(body: string): string {
  const journal = compiled("src/journal/journal.ts");
  const store = compiled("src/journal/run-store.ts");
  const path = join(scratch(), "writer.mjs");
  writeFileSync(
    path,
    `import { openJournal } from ${JSON.stringify(journal)};
     import { openRun } from ${JSON.stringify(store)};
     const [truth, run] = process.argv.slice(2);
     const store = openRun(truth, run);
     const { journal } = openJournal(store.journalPath, run);
     ${body}`,
  );
  return path;
}

describe("a writer that is killed", () => {
  it("ST-07 leaves a readable journal and whole files, every time", async () => {
    const truth = scratch();
    const store = createRun(truth, RUN);
    const first = openJournal(store.journalPath, RUN);
    if ("problem" in first) throw new Error(first.problem.message);
    first.journal.append(0, started());
    first.journal.close();
    const path = program(`
      for (let n = 1; ; n++) {
        journal.append(n, { type: "warning", message: "x".repeat(20_000) + n }, { type: "run.resumed", pid: n });
        store.files.write("iterations/0001/verdicts.json", JSON.stringify({ n, pad: "y".repeat(50_000) }));
        if (n === 3) process.stdout.write("working\\n");
      }`);
    let known = 1;
    for (let round = 0; round < 8; round++) {
      const writer = spawn(process.execPath, [path, truth, RUN], { stdio: ["ignore", "pipe", "inherit"] });
      await once(writer.stdout, "data");
      // A different number of further writes each time, so that the kill falls at different places.
      for (let spin = 0; spin < round * 3; spin++) await new Promise((resolve) => setImmediate(resolve));
      writer.kill("SIGKILL");
      await once(writer, "exit");
      const again = openJournal(store.journalPath, RUN);
      if ("problem" in again) throw new Error(`line ${again.problem.line}: ${again.problem.message}`);
      again.journal.close();
      expect(again.events.length).toBeGreaterThanOrEqual(known + 6);
      known = again.events.length;
      const verdicts: unknown = JSON.parse(openRun(truth, RUN)?.files.read("iterations/0001/verdicts.json") ?? "lost");
      expect(verdicts).toHaveProperty("pad");
    }
  });
});

/** A file system of 256 KiB; null where this user may not mount one. */
function tinyDisk(): string | null {
  const dir = join(scratch(), "tiny");
  mkdirSync(dir);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", dir]).status !== 0) return null;
  onTestFinished(() => void execFileSync("umount", ["-l", dir]));
  return dir;
}

const FILL = `
  let written = 0;
  try {
    for (;;) { journal.append(1, { type: "warning", message: "z".repeat(9_000) }); written++; }
  } catch (error) {
    let after = "worked";
    try { journal.append(1, { type: "warning", message: "w".repeat(9_000) }); } catch (second) { after = second.name; }
    console.log(JSON.stringify({ name: error.name, code: error.code, message: error.message, written, after, tampering: journal.tampering() }));
  }`;

function fillUp(truth: string, launch: (script: string) => string): void {
  const store = createRun(truth, RUN);
  const first = openJournal(store.journalPath, RUN);
  if ("problem" in first) throw new Error(first.problem.message);
  first.journal.append(0, started());
  first.journal.close();
  const said: unknown = JSON.parse(launch(program(FILL)));
  expect(said).toMatchObject({ name: "DiskError", after: "DiskError", tampering: null });
  const again = openJournal(store.journalPath, RUN);
  if ("problem" in again) throw new Error(again.problem.message);
  // Everything acknowledged is there, and no half line is.
  expect(said).toMatchObject({ written: again.events.length - 1, message: expect.stringContaining(store.journalPath) });
  expect(again.repaired).toBe(false);
}

describe("a full disk", () => {
  it("ST-13 is a DiskError that names the file, and the journal ends with a whole line", (context) => {
    const truth = tinyDisk();
    if (truth === null) return context.skip("mounting is not permitted here");
    fillUp(truth, (script) => execFileSync(process.execPath, [script, truth, RUN], { encoding: "utf8" }));
  });

  it("ST-13 a file size limit is one as well", () => {
    const truth = scratch();
    fillUp(truth, (script) => execFileSync("sh", ["-c", `ulimit -f 64; exec "$@"`, "sh", process.execPath, script, truth, RUN], { encoding: "utf8" }));
  });

  it("ST-13 keeps the earlier content of a file that cannot be replaced, and leaves no temporary file", (context) => {
    const truth = tinyDisk();
    if (truth === null) return context.skip("mounting is not permitted here");
    const { files, dir } = createRun(truth, RUN);
    files.write("iterations/0001/prompt.md", "first");
    expect(() => files.write("iterations/0001/prompt.md", "p".repeat(600_000))).toThrow("no space is left");
    expect(files.read("iterations/0001/prompt.md")).toBe("first");
    expect(readdirSync(dirname(join(dir, "iterations/0001/prompt.md")))).toEqual(["prompt.md"]);
  });
});
