/** The built program and the real Claude Code work off a plan; only the model's answers are recorded. */
import { readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordingInput } from "../src/agents/replay/recording.js";
import { openScene } from "./scene.js";

type Iteration = RecordingInput["iterations"][number];
type Turn = Iteration["turns"][number];

const NAMES = ["add", "clamp", "reverse"] as const;
const RIGHT: Record<(typeof NAMES)[number], string> = {
  add: "export const add = (a, b) => a + b;\n",
  clamp: "export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));\n",
  reverse: 'export const reverse = (text) => [...text].reverse().join("");\n',
};
const TESTS: Record<(typeof NAMES)[number], string> = {
  add: "assert.equal(add(2, 3), 5);",
  clamp: "assert.equal(clamp(9, 1, 5), 5); assert.equal(clamp(-9, 1, 5), 1);",
  reverse: 'assert.equal(reverse("añb"), "bña");',
};

const FILES = {
  "package.json": '{ "type": "module" }\n',
  ...Object.fromEntries(NAMES.map((name) => [`src/${name}.js`, `export const ${name} = () => undefined;\n`])),
  ...Object.fromEntries(
    NAMES.map((name) => [
      `test/${name}.test.js`,
      `import assert from "node:assert";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.js";\ntest("${name}", () => { ${TESTS[name]} });\n`,
    ]),
  ),
};

const PLAN = `---
gates:
  - { name: tests, run: node --test, retries: 0 }
${NAMES.map((name) => `  - { name: ${name}, run: node --test test/${name}.test.js, for: tasks, retries: 0 }`).join("\n")}
---
# Small functions

${NAMES.map((name) => `- [ ] \`${name}\` works <!-- gate: ${name} -->`).join("\n")}
`;

/** Reads first: the CLI refuses to edit what it has not read. */
function work(name: (typeof NAMES)[number], source: string, last: string): Iteration {
  const turns: Turn[] = [
    { text: "First the plan and the code.", calls: [{ read: { path: "PLAN.md" } }, { read: { path: `src/${name}.js` } }] },
    { calls: [{ write: { path: `src/${name}.js`, content: source } }, { bash: { command: `node --test test/${name}.test.js >/dev/null; echo ended` } }] },
    { calls: [{ edit: { path: "PLAN.md", old: `- [ ] \`${name}\``, new: `- [x] \`${name}\`` } }] },
    { text: last },
  ];
  return { turns };
}

describe("a plan of three tasks", () => {
  it("is worked off to `done`, verified, although one tick was a lie", async ({ task }) => {
    const before = ownHome();
    const scene = await openScene({
      files: FILES,
      plan: PLAN,
      iterations: [
        work("add", RIGHT.add, "`add` adds."),
        work("clamp", "export const clamp = (x) => x;\n", "`clamp` clamps, I am sure.\n\n<ralph>COMPLETE</ralph>"),
        work("clamp", RIGHT.clamp, "Now `clamp` clamps."),
        work("reverse", RIGHT.reverse, "All done.\n\n<ralph>COMPLETE</ralph>"),
      ],
    });
    const { code, stdout, stderr } = await scene.run();
    expect(`${stdout}${stderr}`).toContain("done (all_tasks_checked, verified)");
    expect(code).toBe(0);

    expect(scene.read("PLAN.md")).toBe(PLAN.replaceAll("- [ ]", "- [x]"));
    for (const name of NAMES) expect(scene.read(`src/${name}.js`)).toBe(RIGHT[name]);
    expect(scene.git("status", "--porcelain")).toBe("");
    expect(scene.git("branch", "--show-current").trim()).toBe("ralph/plan");
    expect(
      trailers(
        scene.git(
          "log",
          "--reverse",
          "--format=%(trailers:key=Ralphd-Iteration,valueonly,separator=) %(trailers:key=Ralphd-Gates,valueonly,separator=)",
          "main..HEAD",
        ),
      ),
    ).toEqual(["0 none", "1 pass", "2 fail", "3 pass", "4 pass"]);

    expect(scene.events("iteration.ended").map((event) => event.class)).toEqual(["progress", "progress", "progress", "progress"]);
    expect(scene.events("task.unticked").map((event) => `${event.iteration} ${event.gate}`)).toEqual(["2 clamp"]);
    expect(scene.events("run.stopped")).toMatchObject([{ status: "done", verified: true }]);
    for (const { usage, ending } of scene.events("agent.ended")) {
      expect(ending).toMatchObject({ exit: { kind: "exited", code: 0 }, finishedOk: true, error: null });
      expect(ending.toolCalls).toBe(5);
      for (const tokens of [usage.inputTokens, usage.outputTokens]) expect(tokens).toBeGreaterThan(0);
    }
    expect(scene.read(".ralph/state/report.md")).toContain("`clamp` works");

    // Each iteration began a conversation of its own, with the prompt and nothing from before.
    const fresh = scene.server.requests.filter(({ kind, body }) => kind === "turn" && !JSON.stringify(body).includes('"role":"assistant"'));
    expect(fresh).toHaveLength(4);
    expect(scene.leftovers()).toEqual([]);
    expect(ownHome()).toEqual(before);
    task.meta.outcome = `exit ${code}, 4 iterations, ${scene.events("commit.created").length} commits, ${totalTokens(scene.events("agent.ended"))} tokens`;
  });
});

describe("a context that fills up", () => {
  it("is said to Claude Code within its turn, and the journal says that it arrived", async ({ task }) => {
    const scene = await openScene({
      files: { "a.txt": "a\n" },
      plan: "- [ ] write b\n",
      iterations: [
        {
          turns: [
            { calls: [{ bash: { command: "sleep 1" } }], usage: { input: 71_000, output: 10 } },
            { calls: [{ write: { path: "b.txt", content: "b\n" } }], usage: { input: 71_500, output: 10 } },
            { calls: [{ bash: { command: "sed -i 's/\\[ \\]/[x]/' PLAN.md" } }], usage: { input: 72_000, output: 10 } },
            { text: "Written.", usage: { input: 72_500, output: 10 } },
          ],
        },
      ],
    });
    const { code } = await scene.run();
    expect(code).toBe(0);
    expect(scene.events("agent.ended").map(({ warned, ending }) => ({ warned, ending }))).toMatchObject([
      { warned: { tokens: 71_000, estimated: false, channel: "message", delivered: true }, ending: { exit: { kind: "exited", code: 0 }, finishedOk: true } },
    ]);
    const told = scene.server.requests.filter(({ kind, body }) => kind === "turn" && JSON.stringify(body).includes("Note from the driver"));
    expect(told).toHaveLength(3);
    task.meta.outcome = "warned at 71,000 tokens; the next request carried the note";
  });
});

function trailers(log: string): string[] {
  return log
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function totalTokens(ended: { usage: { inputTokens: number | null; outputTokens: number | null } }[]): number {
  return ended.reduce((sum, { usage }) => sum + (usage.inputTokens ?? Number.NaN) + (usage.outputTokens ?? Number.NaN), 0);
}

/** What of the person's own HOME the CLI and we might write to, with sizes and times. */
function ownHome(): string[] {
  const stamp = (path: string): string[] => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    if (!stat.isDirectory()) return [`${path} ${stat.size} ${stat.mtimeMs}`];
    return [path, ...readdirSync(path).flatMap((name) => stamp(join(path, name)))];
  };
  return [".claude", ".claude.json", ".config/ralphd", ".gitconfig"].flatMap((name) => stamp(join(homedir(), name)));
}
