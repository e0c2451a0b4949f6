/** What the journal says when somebody else touches its file, and how it stays whole. */
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Journal } from "../../src/driver/ports.js";
import { openJournal } from "../../src/journal/journal.js";
import { readJournal } from "../../src/journal/read.js";
import { RUN, started } from "./events.js";
import { scratch } from "./scratch.js";

function begun(): { path: string; journal: Journal } {
  const path = join(scratch(), "journal.jsonl");
  const opened = openJournal(path, RUN);
  if ("problem" in opened) throw new Error(opened.problem.message);
  opened.journal.append(0, started(), { type: "warning", message: "one" });
  return { path, journal: opened.journal };
}

/** Repeats the change until the file system's clock has ticked, as it has after a real agent's first act. */
function untilStamped(path: string, change: () => void): void {
  const before = statSync(path, { bigint: true }).ctimeNs;
  do change();
  while (statSync(path, { bigint: true }).ctimeNs === before);
}

describe("tampering", () => {
  it("is silent about the journal's own writes, a copy, and changed stamps", () => {
    const { path, journal } = begun();
    expect(journal.tampering()).toBeNull();
    copyFileSync(path, `${path}.copy`);
    untilStamped(path, () => utimesSync(path, 1, 1));
    expect(journal.tampering()).toBeNull();
    journal.append(1, { type: "warning", message: "two" });
    expect(journal.tampering()).toBeNull();
  });

  it("names an alteration of the same length, although the time stamp was set back", () => {
    const { path, journal } = begun();
    const { atime, mtime } = statSync(path);
    untilStamped(path, () => {
      writeFileSync(path, readFileSync(path, "utf8").replace('"one"', '"ONE"'));
      utimesSync(path, atime, mtime);
    });
    expect(journal.tampering()).toContain("was altered");
    journal.append(1, { type: "warning", message: "two" });
    expect(journal.tampering()).toContain("was altered");
  });

  it("names a cut", () => {
    const { path, journal } = begun();
    truncateSync(path, 40);
    expect(journal.tampering()).toMatch(/was cut from \d+ to 40 bytes/);
  });

  it("names foreign lines, and the next append puts them aside", () => {
    const { path, journal } = begun();
    appendFileSync(path, '{"type":"run.stopped"');
    expect(journal.tampering()).toBe(`21 bytes were appended to ${path} by somebody else`);
    journal.append(1, { type: "warning", message: "two" });
    expect(readFileSync(`${path}.foreign`, "utf8")).toBe('{"type":"run.stopped"');
    expect(readJournal(path, RUN)).toMatchObject({ problem: null, events: [{}, { message: "one" }, { message: "two" }] });
  });

  it.each([
    ["deleted", (path: string) => rmSync(path), "was deleted"],
    [
      "replaced",
      (path: string) => {
        writeFileSync(`${path}.new`, readFileSync(path));
        renameSync(`${path}.new`, path);
      },
      "was replaced",
    ],
  ])("names a %s file; the next append brings the journal back whole", (_name, harm, message) => {
    const { path, journal } = begun();
    harm(path);
    journal.append(1, { type: "warning", message: "two" });
    expect(journal.tampering()).toContain(message);
    expect(journal.tampering()).toBeNull();
    journal.append(1, { type: "warning", message: "three" });
    expect(readJournal(path, RUN).events).toMatchObject([{}, { message: "one" }, { message: "two" }, { message: "three" }]);
  });

  it.each([
    ["cut", (path: string) => truncateSync(path, 0)],
    ["rewritten", (path: string) => writeFileSync(path, "{}\n".repeat(300))],
    ["removed with its folder", (path: string) => rmSync(join(path, ".."), { recursive: true })],
  ])("stands whole again with the next event after it was %s, and tells of it", (_, damage) => {
    const { path, journal } = begun();
    damage(path);
    journal.append(1, { type: "warning", message: "two" });
    expect(readJournal(path, RUN)).toMatchObject({ problem: null, events: [{ type: "run.started" }, { message: "one" }, { message: "two" }] });
    expect(journal.tampering()).toContain(path);
  });
});
