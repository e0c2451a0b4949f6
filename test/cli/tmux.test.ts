/** The real program in a real terminal: what a person sees at 40, 80 and 200 columns, and what is left behind. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { PROGRAM, type Scratch, scratch, script, until } from "../acceptance/harness.js";
import { endRuns, isAlive } from "./alive.js";
import { HAS_TMUX, type Screen, terminal } from "./screen/tmux.js";

const PLAN = { "PLAN.md": "- [ ] `truncate` never cuts a word in half\n- [ ] 漢字 in titles\n" };

/** Says what it does, holds until it may go on, works and ticks. */
const AGENT = `#!/bin/sh
cat > /dev/null
n=$RALPHD_ITERATION
echo '{"type":"usage","scope":"total","inputTokens":3000,"cachedInputTokens":0,"outputTokens":400,"costUsd":0.02,"contextTokens":56000}'
echo '{"type":"toolCall","id":"1","name":"bash","input":{},"command":"node --test test/truncate.test.js"}'
while [ ! -e ../go-$n ] && [ -e PLAN.md ]; do sleep 0.05; done
echo "$n" > "work-$n.txt"
sed -i '0,/- \\[ \\]/s//- [x]/' PLAN.md
echo '{"type":"finished","ok":true,"text":"done"}'
`;

const screens: Screen[] = [];
const places: Scratch[] = [];
afterEach(async () => {
  await endRuns(places.splice(0));
  for (const screen of screens.splice(0)) screen.close();
});

function planned(): Scratch {
  const place = scratch(PLAN);
  places.push(place);
  return place;
}

function shown(place: Scratch, args: string[], columns: number, env: Record<string, string> = {}): Screen {
  const screen = terminal(place, [process.execPath, PROGRAM, ...args], { columns, env });
  screens.push(screen);
  return screen;
}

function run(columns: number, env: Record<string, string> = {}): { place: Scratch; screen: Screen } {
  const place = planned();
  const args = ["run", "--gate", "true", "--agent-output", "events", ...script(place, AGENT)];
  return { place, screen: shown(place, args, columns, env) };
}

/** A whole run: what is seen of its first iteration, of the second, and when it is over. */
async function watched(columns: number, expected: string[]): Promise<void> {
  const { place, screen } = run(columns);
  const rows = await screen.see(WORKING);
  // A counter of seconds may already follow the command, and then takes its room.
  const seen = rows.map((row) => row.replace(/…?, \d+ s$/, ""));
  for (const line of expected)
    expect(
      seen.some((row) => row === line || (row.startsWith("now") && line.startsWith(row.trimEnd()))),
      `${line}\n${rows.join("\n")}`,
    ).toBe(true);
  expect(rows.filter((row) => /^─+$/.test(row))).toEqual(["─".repeat(Math.min(columns - 1, 40))]);
  expect(rows.some((row) => /^iteration 1 of 20/.test(row))).toBe(true);
  expect(screen.cursorIsVisible()).toBe(false);
  place.put("../go-1", "");
  expect((await screen.see(/^task +漢字 in titles$/m)).join("\n")).toMatch(/1 box ticked, 0 proved/);
  place.put("../go-2", "");
  expect(await screen.exit()).toBe(0);
  expect(screen.cursorIsVisible()).toBe(true);
  const all = screen.all();
  const words = all.replace(/\s+/g, " ");
  expect(words).toContain("#2 iteration 2 of 20: 漢字 in titles");
  expect(words).toContain("Done and verified. No open task is left");
  // Of the block nothing is left, however often it was drawn.
  expect(count(all, /^─+$/m)).toBe(0);
  expect(count(all, /now {5}/)).toBe(0);
  expect(count(all, /Done and verified/)).toBe(1);
}

const WORKING = /now +\$ node --test/;
const count = (text: string, pattern: RegExp): number => text.match(new RegExp(pattern, `${pattern.flags}g`))?.length ?? 0;

describe.skipIf(!HAS_TMUX)("a run in a terminal (needs tmux: apt-get install tmux)", () => {
  it("at 40, 80 and 200 columns", async () => {
    await Promise.all([
      watched(40, [
        "now     $ node --test test/truncate.te…",
        "used    context yellow 70 %",
        "        3,400 tokens · cost $0.0200",
        "        11 h 59 min left",
        "        1 commit on ralph/plan",
      ]),
      watched(80, [
        "task    `truncate` never cuts a word in half",
        "now     $ node --test test/truncate.test.js",
        "used    context yellow 70 % · 3,400 tokens · cost $0.0200 · 11 h 59 min left",
      ]),
      watched(200, ["now     $ node --test test/truncate.test.js", "used    context yellow 70 % · 3,400 tokens · cost $0.0200 · 11 h 59 min left"]),
    ]);
  });

  it("follows the terminal's size, and leaves no trace of the old one", async () => {
    const { place, screen } = run(100);
    await screen.see(WORKING);
    const { pid } = JSON.parse(place.read(".git/ralphd/lock")) as { pid: number };
    const widths: [number, RegExp][] = [
      [50, /^ {8}cost .* left$/m],
      [120, /^used .* left$/m],
      [60, /^ {8}\S+ h \d+ min left$/m],
      [30, /^ {8}cost \$0\.0200$/m],
    ];
    for (const [columns, pattern] of widths) {
      // Held meanwhile: what is on its way while the terminal changes its size, no program can take back.
      process.kill(pid, "SIGSTOP");
      for (let turn = 0; turn < 3; turn++) screen.rows();
      await screen.resize(columns);
      process.kill(pid, "SIGCONT");
      await screen.see(pattern);
      const rows = screen.rows().join("\n");
      expect([count(rows, /^─+$/m), count(rows, /^iteration 1 of 20/m), count(rows, /^now {5}/m)], rows).toEqual([1, 1, 1]);
    }
    place.put("../go-1", "");
    place.put("../go-2", "");
    expect(await screen.exit()).toBe(0);
    expect(count(screen.all(), /─{20,}/)).toBe(0);
  });

  it("PH-15 answers Ctrl-C in view; the second one stops at once, and the cursor is back", async () => {
    const { screen } = run(80);
    await screen.see(WORKING);
    screen.keys("C-c");
    await screen.see(/^Stopping after this iteration\. Press Ctrl-C again to stop now\.$/m);
    screen.keys("C-c");
    expect(await screen.exit()).toBe(130);
    expect(screen.all()).toMatch(/Stopped, not done\./);
    expect(screen.cursorIsVisible()).toBe(true);
  });

  it("TO-03 gives the cursor back after SIGTERM and SIGQUIT", async () => {
    const end = async (signal: NodeJS.Signals, code: number): Promise<void> => {
      const { place, screen } = run(80);
      await screen.see(WORKING);
      expect(screen.cursorIsVisible()).toBe(false);
      process.kill((await place.status()).pid ?? 0, signal);
      expect(await screen.exit()).toBe(code);
      expect(screen.cursorIsVisible()).toBe(true);
    };
    await Promise.all([end("SIGTERM", 130), end("SIGQUIT", 131)]);
  });

  it("gives the terminal back while it is suspended, and takes it again", async () => {
    const { place, screen } = run(80);
    await screen.see(WORKING);
    const pid = (await place.status()).pid ?? 0;
    process.kill(pid, "SIGTSTP");
    await until(() => screen.cursorIsVisible() && !WORKING.test(screen.rows().join("\n")));
    process.kill(pid, "SIGCONT");
    await screen.see(WORKING);
    expect(screen.cursorIsVisible()).toBe(false);
  });

  it("draws no block with CI set, and no colours with NO_COLOR", async () => {
    const ci = run(80, { CI: "true" });
    const grey = run(80, { NO_COLOR: "1" });
    await ci.screen.see(/\$ node --test/);
    expect(ci.screen.rows().join("\n")).not.toMatch(/─|now {5}/);
    expect(ci.screen.cursorIsVisible()).toBe(true);
    await grey.screen.see(WORKING);
    expect(grey.screen.painted()).not.toMatch(/\u001b\[[\d;]*m/);
    const bright = run(80);
    await bright.screen.see(WORKING);
    expect(bright.screen.painted()).toMatch(/\u001b\[33m(\u001b\[49m)?context yellow 70 %/);
  });

  it("attaches to a run in the background, and leaves it running on Ctrl-C", async () => {
    const place = planned();
    const started = await place.run(["run", "--detach", "--json", "--gate", "true", "--agent-output", "events", ...script(place, AGENT)]);
    const { pid, run: id } = JSON.parse(started.stdout) as { pid: number; run: string };
    const first = shown(place, ["attach"], 80);
    expect((await first.see(WORKING)).join("\n")).toMatch(/iteration 1 of 20: `truncate` never cuts a word in half[\s\S]*context yellow 70 % · 3,400 tokens/);
    first.keys("C-c");
    expect(await first.exit()).toBe(0);
    expect(first.all()).toContain(`You left; run ${id} goes on.`);
    expect(first.cursorIsVisible()).toBe(true);
    expect(isAlive(pid)).toBe(true);
    const second = shown(place, ["attach"], 80);
    await second.see(WORKING);
    place.put("../go-1", "");
    place.put("../go-2", "");
    expect(await second.exit()).toBe(0);
    expect(second.all()).toMatch(/Done and verified\./);
  });

  it("PH-23 a closed terminal ends neither a run in the background nor one in the foreground", async () => {
    const place = planned();
    const agent = script(place, AGENT);
    const screen = shown(place, ["run", "--detach", "--gate", "true", "--agent-output", "events", ...agent], 80);
    expect(await screen.exit()).toBe(0);
    expect(screen.all()).toMatch(/goes on in the background, as process \d+/);
    const { pid } = await place.status();
    screen.close();
    place.put("../go-1", "");
    await until(() => place.has("work-1.txt"));
    expect(isAlive(pid ?? 0)).toBe(true);
    place.put("../go-2", "");
    await until(() => !isAlive(pid ?? 0));
    expect((await place.status()).status).toBe("done");
    expect(readFileSync(join(place.runDir(), "driver.log"), "utf8")).toMatch(/Done and verified\./);

    const other = run(80);
    await other.screen.see(WORKING);
    const foreground = (await other.place.status()).pid ?? 0;
    other.screen.close();
    other.place.put("../go-1", "");
    other.place.put("../go-2", "");
    await until(() => !isAlive(foreground));
    expect((await other.place.status()).status).toBe("done");
  });
});
