/** gutter_command and the repeat rule: what must trip and what must not. */
import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/brakes/types.js";
import { watch } from "../../../src/core/brakes/watch.js";
import { afterTaskDone, BOUNDS, EMPTY_WATCH } from "../../../src/core/brakes/watch-state.js";
import { gateFingerprint } from "../../../src/core/gate-output/fingerprint.js";
import { readOutput } from "../../../src/core/gate-output/read.js";
import { outcomeSignature } from "../../../src/core/signature.js";
import { failing, passing, play, SETTINGS, tool, write } from "./actions.js";

const SUMMARY = "ℹ tests 9\nℹ suites 0\nℹ pass 7\nℹ fail 2\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 80.1";
/** Shows a part of the output, and the exit code of the command. */
const TAIL = "set -o pipefail; npm test | tail";
const edit = (n: number): Action => write(`src/f${n}.ts`, `${n}`, `${n + 1}`, n);

describe("must trip", () => {
  const cases: [string, Action[], number][] = [
    ["SD-02 same command, same output, no change", Array<Action>(3).fill(failing("npm test", "TypeError: x is not a function")), 3],
    [
      "SD-03 same error, other temporary path and duration",
      [failing("npm test", "ENOENT /tmp/a1b2/x (1.23s)"), failing("npm test", "ENOENT /tmp/c3d4/x (1.31s)"), failing("npm test", "ENOENT /tmp/e5/x (9s)")],
      3,
    ],
    [
      "SD-04 three spellings of one command",
      [failing("npm test", "2 failing"), failing("npm test 2>&1 | tail -5", "2 failing"), failing("cd x && npm test", "2 failing")],
      3,
    ],
    [
      "SD-04 a tail of the same output, its exit code hidden by the pipe",
      [
        failing("npm test", `Error: boom\nlog\n${SUMMARY}`),
        { ...passing("npm test 2>&1 | tail -7"), output: SUMMARY.split("\n").slice(-7).join("\n") } as Action,
        failing("npm test", `Error: boom\nlog\n${SUMMARY}`),
      ],
      3,
    ],
    [
      "SD-01 same failure although files were edited in between",
      [failing("npm test", "2 failing"), edit(1), failing("npm test", "2 failing"), edit(2), failing("npm test", "2 failing")],
      5,
    ],
    [
      "other failing commands in between",
      [failing("npm test", "a"), failing("tsc", "b"), failing("npm test", "a"), failing("tsc", "c"), failing("npm test", "a")],
      5,
    ],
    [
      "a tail of the same output, its exit code kept",
      [failing("npm test", "Error: boom\nlog\n2 failing"), failing(`${TAIL} -1`, "2 failing"), failing("npm test", "Error: boom\nlog\n2 failing")],
      3,
    ],
    [
      "the same output twice, its exit code hidden but once",
      [failing("npm test", SUMMARY), { ...passing("npm test || true"), output: SUMMARY } as Action, failing("npm test", SUMMARY)],
      3,
    ],
    [
      "a command that was not found in between",
      [failing("npm test", "a"), failing("npm test", "a"), failing("npm test", "sh: 1: npm: not found", 127), failing("npm test", "a")],
      4,
    ],
    ["an agent that reports no exit codes", Array<Action>(3).fill(failing("make", "Error: no rule", null)), 3],
    ["the same successful command in a row without a change", Array<Action>(3).fill(passing("npm run build")), 3],
    [
      "the same build with reads in between",
      [passing("npm run build"), tool("Read", { path: "a" }), passing("npm run build"), passing("git status"), passing("cd x && npm run build")],
      5,
    ],
    ["the same tool call in a row", Array<Action>(3).fill(tool("create_issue", { title: "x" })), 3],
    ["the same content written in a row", Array<Action>(3).fill(write("a.ts", "same", "same")), 3],
  ];
  it.each(cases)("%s", (_name, actions, at) => {
    expect(play(actions).hitAt).toBe(at);
  });

  it("SD-21 a repeat says how often the action came, which one it was and what to do", () => {
    expect(play(Array<Action>(3).fill(passing("npm run build"))).hit).toMatchObject({
      reason: "gutter_command",
      summary: "The same action came 3 times in a row without a change in between (2 repeats, threshold 2): npm run build",
      signature: "npm run build",
      advice: expect.stringContaining("say in the task what should follow it"),
    });
  });

  it("SD-20 each fresh agent fails the same command once: the state outlives iterations", () => {
    let state = EMPTY_WATCH;
    const hits = [1, 2, 3].map((n) => {
      for (const action of [edit(n), failing("npm test", "Error: still broken")]) {
        const result = watch(JSON.parse(JSON.stringify(state)) as typeof state, action, SETTINGS, []);
        state = result.state;
      }
      return state.hit?.reason ?? null;
    });
    expect(hits).toEqual([null, null, "gutter_command"]);
  });

  it("match: command counts by command alone", () => {
    const settings = { ...SETTINGS, gutterCommand: { count: 3, match: "command" as const } };
    const outcomes = ["9 failing", "6 failing", "2 failing"].map((output) => failing("npm test", output));
    expect(play(outcomes, { settings })).toMatchObject({ hitAt: 3, hit: { summary: "`npm test` failed 3 times (threshold 3): 2 failing" } });
    expect(play(Array<Action>(3).fill(failing("npm test", "2 failing"))).hit?.summary).toBe(
      "`npm test` failed 3 times in the same way (threshold 3): 2 failing",
    );
    expect(play([...outcomes.slice(0, 2), passing("npm test"), ...outcomes.slice(0, 2)], { settings }).hitAt).toBeNull();
  });
});

it("remembers the latest failing commands, within bounds", () => {
  const { commands } = play(Array.from({ length: BOUNDS.commands + 8 }, (_, n) => failing(`make target${n}`, "no"))).state;
  expect(commands.map(({ signature }) => signature)).toEqual(Array.from({ length: BOUNDS.commands }, (_, n) => `make target${n + 8}`));
});

describe("must not trip", () => {
  const cases: [string, Action[]][] = [
    [
      "SD-01 test-driven work: the same command, ever fewer failures",
      ["9 failing", "6 failing", "2 failing", "1 failing"].flatMap((output, n) => [failing("npm test", output), edit(n)]),
    ],
    ["an output that another one ends with", ["Error: a\n1 failing", "1 failing", "Error: b\n1 failing"].map((output) => failing("npm test", output))],
    [
      "a tail between two outputs that end alike",
      [failing("npm test", "Error: a\n1 failing"), failing(`${TAIL} -1`, "1 failing"), failing("npm test", "Error: b\n1 failing")],
    ],
    [
      "a tail before two outputs that end alike",
      [failing(`${TAIL} -1`, "1 failing"), failing("npm test", "Error: a\n1 failing"), failing("npm test", "Error: b\n1 failing")],
    ],
    [
      "a tail before two longer ones that end alike",
      [failing(`${TAIL} -1`, "1 failing"), failing(`${TAIL} -2`, "Error: a\n1 failing"), failing(`${TAIL} -2`, "Error: b\n1 failing")],
    ],
    ["another outcome in between", ["a", "a", "b", "a", "a"].map((output) => failing("npm test", output))],
    ["a success in between", [failing("npm test", "a"), failing("npm test", "a"), passing("npm test"), failing("npm test", "a"), failing("npm test", "a")]],
    ["SD-10 a batch of renames by one tool", Array.from({ length: 12 }, (_, n) => tool("move", { path: `a${n}.ts`, to: `b${n}.ts` }))],
    ["SD-10 a batch of renames in the shell", Array.from({ length: 12 }, (_, n) => passing(`git mv a${n}.ts b${n}.ts`, ""))],
    ["grep that finds nothing", Array<Action>(5).fill(failing("grep -rn foo src", "", 1))],
    ["diff, test and pgrep that say no", [1, 2, 3, 4].flatMap(() => [failing("diff a b", "<x"), failing("test -f x", ""), failing("pgrep node", "")])],
    ["command not found", Array<Action>(5).fill(failing("vitest run", "sh: 1: vitest: not found", 127))],
    ["polling that is not ready yet", Array<Action>(6).fill(failing("curl -sf http://localhost:3000/health", "", 7))],
    ["waiting", Array<Action>(6).fill(passing("sleep 30", ""))],
    ["watching a pipeline", Array<Action>(6).fill(passing("gh run watch 123", "in progress"))],
    ["reading one file again and again", Array<Action>(6).fill(tool("Read", { path: "a.ts" }))],
    ["git status again and again", Array<Action>(6).fill(passing("git status", "clean"))],
    ["a status command whose answer changes", [1, 2, 3, 4].map((n) => passing("./deploy-status", `${n} of 9`))],
    ["several views of one passing run", ["| tail -5", "| tail -50", "| head -20"].map((view, n) => passing(`npm test ${view}`, `line ${n}`))],
    ["the same test run after each edit", [1, 2, 3, 4].flatMap((n) => [passing("npm test"), edit(n)])],
    ["two commands in turn", [1, 2, 3, 4].flatMap(() => [passing("npm run build"), passing("npm run lint")])],
    ["masked failures without any proof", Array<Action>(2).fill(passing("npm test | tail -1", "npm error path /x"))],
  ];
  it.each(cases)("%s", (_name, actions) => {
    expect(play(actions).hit).toBeNull();
  });

  it("failures of the baseline, given as outcome or as gate fingerprint", () => {
    const output = `✖ failing tests:\n\n✖ old bug (1.1ms)\n  Error: known\n\n${SUMMARY}`;
    const { failing: names, firstError } = readOutput(output);
    const actions = Array<Action>(5).fill(failing("npm test", output));
    expect(play(actions, { baseline: [outcomeSignature(output, 1)] }).hit).toBeNull();
    expect(play(actions, { baseline: [gateFingerprint(names, firstError)] }).hit).toBeNull();
    expect(play(actions, { baseline: [outcomeSignature("other", 1)] }).hitAt).toBe(3);
    // The first error alone is too little to know an old failure by.
    const nameless = readOutput("make: *** No rule to make target 'x'.  Stop.");
    const made = Array<Action>(3).fill(failing("make x", "make: *** No rule to make target 'x'.  Stop."));
    expect(nameless.failing).toEqual([]);
    expect(play(made, { baseline: [gateFingerprint(nameless.failing, nameless.firstError)] }).hitAt).toBe(3);
    // Where the command alone counts, an old failure in between is no success.
    const settings = { ...SETTINGS, gutterCommand: { count: 3, match: "command" as const } };
    const mixed = [failing("npm test", "new"), failing("npm test", output), failing("npm test", "newer"), failing("npm test", "newest")];
    expect(play(mixed, { settings, baseline: [outcomeSignature(output, 1)] }).hitAt).toBe(4);
    expect(
      play([...mixed.slice(0, 2), ...mixed.slice(0, 1)], {
        settings: { ...SETTINGS, gutterCommand: { count: 2, match: "outcome" } },
        baseline: [outcomeSignature(output, 1)],
      }).hit,
    ).toBeNull();
  });

  it("SD-11 several tasks done in a row: a finished task starts every count again", () => {
    let state = EMPTY_WATCH;
    for (let task = 0; task < 5; task += 1) {
      for (const action of [failing("npm test", "red"), write("src/index.ts", `${task}`, `${task + 1}`, task), passing("npm run build")]) {
        const result = watch(state, action, SETTINGS, []);
        expect(result.hit).toBeNull();
        state = result.state;
      }
      state = afterTaskDone(state);
    }
  });
});

describe("the drafted sign", () => {
  it("comes once, one failure before the hit, and names command, error and count", () => {
    const played = play(Array<Action>(2).fill(failing("cd x && npm test", "log\nTypeError: x is not a function\nmore")));
    expect(played.signs).toBe(1);
    expect(played.sign?.trigger).toContain("npm test");
    expect(played.sign?.instruction).toContain("TypeError: x is not a function");
    expect(played.sign?.instruction).toContain("2 times");
    expect(played.sign?.signature).toBe("npm test");
  });

  it("follows the threshold", () => {
    const settings = { ...SETTINGS, gutterCommand: { count: 5, match: "outcome" as const } };
    const actions = Array<Action>(4).fill(failing("npm test", "red"));
    expect(play(actions.slice(0, 3), { settings }).signs).toBe(0);
    expect(play(actions, { settings }).signs).toBe(1);
  });
});
