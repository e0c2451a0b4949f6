/** The screen of files and pipes, and which of the screens is taken. */
import { describe, expect, it } from "vitest";
import { isWorthKeeping } from "../../../src/cli/screen/live.js";
import { createPlainScreen } from "../../../src/cli/screen/plain.js";
import { isInteractive } from "../../../src/cli/screen/screen.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import { foldAll } from "../../../src/core/fold.js";
import type { RunState } from "../../../src/core/run-state.js";
import { stuckRun } from "../../report/runs.js";

function shown(events = stuckRun): string[] {
  const lines: string[] = [];
  const screen = createPlainScreen({ write: (line) => lines.push(line), colour: false });
  screen.opened({ state: () => foldAll(stuckRun) as RunState, settings: DEFAULT_SETTINGS });
  events.forEach(screen.observer.journal);
  screen.observer.agent(1, { type: "toolCall", id: "1", name: "bash", input: {}, command: "npm\ntest \u001b[31m" });
  screen.say("a word of the program");
  screen.close();
  return lines;
}

describe("the plain screen", () => {
  it("stamps every line, and redraws nothing", () => {
    const lines = shown();
    expect(lines.every((line) => /^\d\d:\d\d:\d\d \S/.test(line))).toBe(true);
    expect(lines.join("\n")).not.toMatch(/[\u001b\r]/);
    expect(lines.at(-2)).toMatch(/ #1 {3}\$ npm test/);
    expect(lines.at(-1)).toMatch(/ a word of the program$/);
  });

  it("names tasks by their texts, and iterations within their limit", () => {
    const text = shown().join("\n");
    expect(text).toContain("#2 iteration 2 of 20: split the users | module");
    expect(text).toContain("#2 unticked split the users | module: 2 of 12 tests fail");
    expect(text).toContain("#3 ended: no progress, 0 files");
    expect(text).toContain("parked describe the <api>: Which of the two APIs?");
    expect(text).not.toMatch(/split-the-users-module|describe-the-api|get-health/);
  });

  it("names tasks of a continued run, whose start it has not seen", () => {
    expect(shown(stuckRun.slice(-6)).join("\n")).toContain("iteration 3 of 20: split the users | module");
  });
});

describe("the live screen", () => {
  it("lets an agent scroll by only when it ended in trouble", () => {
    const dropped = stuckRun.filter((event) => !isWorthKeeping(event)).map((event) => event.type);
    expect(new Set(dropped)).toEqual(new Set(["agent.ended", "run.stopped"]));
    const ended = stuckRun.find((event) => event.type === "agent.ended");
    if (ended?.type !== "agent.ended") throw new Error("no agent ended");
    expect(isWorthKeeping({ ...ended, ending: { ...ended.ending, exit: { kind: "stopped", cause: "idle" } } })).toBe(true);
  });

  it.each<[boolean | undefined, NodeJS.ProcessEnv, boolean]>([
    [true, { TERM: "xterm" }, true],
    [true, { TERM: "xterm", NO_COLOR: "1" }, true],
    [true, { TERM: "xterm", CI: "true" }, false],
    [true, { TERM: "dumb" }, false],
    [undefined, { TERM: "xterm" }, false],
  ])("terminal %s with %j: %s", (isTTY, env, live) => {
    expect(isInteractive(isTTY === undefined ? {} : { isTTY }, env)).toBe(live);
  });
});
