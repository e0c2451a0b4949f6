/** The journal: durable appends, repair of a torn end, refusal of any other damage. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { foldAll } from "../../src/core/fold.js";
import { openJournal, type OpenedJournal } from "../../src/journal/journal.js";
import { DiskError } from "../../src/core/disk-error.js";
import { readJournal } from "../../src/journal/read.js";
import { cpuMicros } from "./cpu-time.js";
import { agentEnded, asLines, gate, iterationEnded, iterationStarted, RUN, started, timeline } from "./events.js";
import { scratch } from "./scratch.js";

function opened(path: string, run = RUN): OpenedJournal {
  const result = openJournal(path, run, { nowMs: () => Date.UTC(2026, 10, 30, 20, 11) });
  if ("problem" in result) throw new Error(`line ${result.problem.line}: ${result.problem.message}`);
  return result;
}

function problemOf(content: string): { line: number; message: string } {
  const path = join(scratch(), "journal.jsonl");
  writeFileSync(path, content);
  const result = openJournal(path, RUN);
  expect(readFileSync(path, "utf8")).toBe(content);
  if (!("problem" in result)) throw new Error("the damage was not noticed");
  return result.problem;
}

const goodLines = asLines(
  timeline([
    [0, started()],
    [1, iterationStarted()],
    [1, { type: "warning", message: "w" }],
  ]),
);

describe("appending", () => {
  it("writes one line an event with the envelope, and returns what a reader will read", () => {
    const path = join(scratch(), "journal.jsonl");
    const { journal, events } = opened(path);
    expect(events).toEqual([]);
    const written = [...journal.append(0, started()), ...journal.append(1, iterationStarted(), { type: "warning", message: "zwölf → 12" })];
    expect(readFileSync(path, "utf8")).toBe(asLines(written));
    expect(written[2]).toEqual({ type: "warning", message: "zwölf → 12", at: "2026-11-30T20:11:00.000Z", run: RUN, iteration: 1 });
    expect(opened(path).events).toEqual(written);
    expect(opened(path).repaired).toBe(false);
  });

  it("refuses to begin with anything but run.started", () => {
    const { journal } = opened(join(scratch(), "journal.jsonl"));
    expect(() => journal.append(0, { type: "warning", message: "early" })).toThrow("run.started");
  });

  it("goes on where an earlier process ended", () => {
    const path = join(scratch(), "journal.jsonl");
    const first = opened(path).journal;
    first.append(0, started());
    first.close();
    opened(path).journal.append(0, { type: "run.resumed", pid: 7 });
    expect(opened(path).events.map((event) => event.type)).toEqual(["run.started", "run.resumed"]);
  });
});

describe("a torn end", () => {
  it("ST-07 is repaired wherever the last line was cut, and its bytes are kept aside", () => {
    const lastStart = goodLines.trimEnd().lastIndexOf("\n") + 1;
    for (let cut = lastStart + 1; cut < goodLines.length - 1; cut += 7) {
      const path = join(scratch(), "journal.jsonl");
      writeFileSync(path, goodLines.slice(0, cut));
      const { journal, events, repaired } = opened(path);
      expect(repaired).toBe(true);
      expect(events).toHaveLength(2);
      expect(readFileSync(`${path}.torn`, "utf8")).toBe(`${goodLines.slice(lastStart, cut)}\n`);
      expect(readFileSync(path, "utf8")).toBe(goodLines.slice(0, lastStart));
      expect(journal.tampering()).toBeNull();
      journal.append(1, { type: "warning", message: "after" });
      expect(opened(path).events).toHaveLength(3);
    }
  });

  it("that lacks only its newline is completed", () => {
    const path = join(scratch(), "journal.jsonl");
    writeFileSync(path, goodLines.slice(0, -1));
    expect(opened(path)).toMatchObject({ repaired: true, events: [{}, {}, { message: "w" }] });
    expect(readFileSync(path, "utf8")).toBe(goodLines);
  });

  it("of zero bytes, as a power cut leaves it, is repaired", () => {
    const path = join(scratch(), "journal.jsonl");
    writeFileSync(path, `${goodLines}${"\0".repeat(100)}`);
    expect(opened(path)).toMatchObject({ repaired: true, events: [{}, {}, {}] });
  });

  it("is left alone by a reader that only looks", () => {
    const path = join(scratch(), "journal.jsonl");
    writeFileSync(path, `${goodLines}{"type":"warn`);
    expect(readJournal(path, RUN)).toMatchObject({ problem: null, events: [{}, {}, {}] });
    expect(readFileSync(path, "utf8")).toBe(`${goodLines}{"type":"warn`);
  });
});

describe("other damage stops with the line number and changes nothing", () => {
  const [line1 = "", line2 = "", line3 = ""] = goodLines.split("\n");
  const cases: [string, string, number, string][] = [
    ["ST-06 an unparsable line in the middle", `${line1}\niteration: 1\n${line3}\n`, 2, "not a journal event: iteration: 1"],
    ["ST-06 a hand-edited counter", `${line1}\n${line2.replace('"iteration":1', '"iteration":"1 "')}\n`, 2, "not a journal event"],
    ["an unparsable last line with its newline", `${goodLines}{"type":\n`, 4, "not a journal event"],
    ["ST-01 a line of another run", `${line1}\n${line2.replace(RUN, "20250101-0000")}\n`, 2, "belongs to run 20250101-0000"],
    ["ST-01 the journal of another run", goodLines.replaceAll(RUN, "20250101-0000"), 1, "belongs to run 20250101-0000"],
    ["a missing start", `${line2}\n${line3}\n`, 1, "begins with run.started"],
    ["a newer version", goodLines.replace('"journalVersion":1', '"journalVersion":9'), 1, "version 9"],
    ["a field of the wrong type", `${line1}\n${line2.replace('"mode":"work"', '"mode":"play"')}\n`, 2, "iteration.started: mode"],
    ["a lost field", `${line1}\n${line3.replace('"message":"w",', "")}\n`, 2, "warning: message"],
    ["an empty line", `${line1}\n\n${line2}\n`, 2, "not a journal event"],
    ["ST-05 a whole copy appended to itself, once its run differs", `${goodLines}${goodLines.replaceAll(RUN, "20250101-0000")}`, 4, "belongs to run"],
  ];
  it.each(cases)("%s", (_name, content, line, message) => {
    const problem = problemOf(content);
    expect(problem.line).toBe(line);
    expect(problem.message).toContain(message);
  });
});

describe("versions to come", () => {
  it("keeps and skips unknown types, and keeps unknown fields", () => {
    const path = join(scratch(), "journal.jsonl");
    const stranger = `{"type":"moon.phase","at":"2026-11-30T20:15:00.000Z","run":"${RUN}","iteration":1,"phase":"full"}\n`;
    const extended = goodLines.replace('"type":"warning"', '"type":"warning","severity":3');
    writeFileSync(path, `${extended}${stranger}`);
    const { events, repaired } = opened(path);
    expect(repaired).toBe(false);
    expect(events.map((event) => event.type)).toEqual(["run.started", "iteration.started", "warning"]);
    expect(events[2]).toHaveProperty("severity", 3);
    expect(readFileSync(path, "utf8")).toContain(stranger);
  });
});

describe("links", () => {
  it("SE-07 a symbolic link in the journal's place is refused, its target stays untouched", () => {
    const dir = scratch();
    const target = join(dir, "elsewhere");
    writeFileSync(target, goodLines);
    symlinkSync(target, join(dir, "journal.jsonl"));
    expect(() => openJournal(join(dir, "journal.jsonl"), RUN)).toThrow(DiskError);
    symlinkSync(join(dir, "nowhere"), join(dir, "dangling.jsonl"));
    expect(() => openJournal(join(dir, "dangling.jsonl"), RUN)).toThrow(DiskError);
    expect(existsSync(join(dir, "nowhere"))).toBe(false);
    expect(readFileSync(target, "utf8")).toBe(goodLines);
  });
});

describe("size", () => {
  it("reads work that grows with the journal, not with its square", () => {
    const perIteration = 6;
    const journalOf = (iterations: number): string => {
      const steps = Array.from(
        { length: iterations },
        (_, index) =>
          [
            index + 1,
            iterationStarted(),
            agentEnded(),
            { type: "gate.verdict", ...gate(), moment: "claim", task: null } as const,
            { type: "iteration.judged", class: "progress", tree: "5".repeat(40), parent: null, commit: true } as const,
            { type: "commit.created", commit: "6".repeat(40), tree: "5".repeat(40), parent: null, files: 1 } as const,
            iterationEnded(),
          ] as const,
      );
      const path = join(scratch(), "journal.jsonl");
      writeFileSync(path, asLines(timeline([[0, started()], ...steps])));
      return path;
    };
    const read = (path: string, iterations: number): void => {
      const { journal, events } = opened(path);
      journal.close();
      expect(events).toHaveLength(1 + iterations * perIteration);
      expect(foldAll(events)?.iteration).toBe(iterations);
    };
    const [small, large] = [journalOf(300), journalOf(3_000)];
    const ratio = cpuMicros(() => read(large, 3_000)) / cpuMicros(() => read(small, 300));
    // Ten times the lines; a square would be a hundred.
    expect(ratio).toBeLessThan(50);
  });
});
