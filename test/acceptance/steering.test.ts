/** People steer a running loop from another process: pause, resume, skip, note, budget; an agent can't. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { agent, ofType, PROGRAM, type Running, type Scratch, scratch, until } from "./harness.js";

const THREE = { "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n" };
/** Each iteration waits until it may go on, and says when it has begun. */
const HOLD = "touch ../up-$n; while [ ! -e ../go-$n ]; do sleep 0.05; done; work; tick";

async function held(files: Record<string, string> = THREE, body = HOLD, flags: string[] = []): Promise<{ place: Scratch; running: Running; fake: string[] }> {
  const place = scratch(files);
  const fake = agent(place, body);
  const running = place.start(["run", ...flags, ...fake]);
  await until(() => place.has("../up-1"));
  return { place, running, fake };
}

const ends = (place: Scratch): number => ofType(place.journal(), "iteration.ended").length;

describe("pause and resume", () => {
  it("holds after the running iteration, says so, counts no active time, and goes on", async () => {
    const { place, running } = await held();
    const asked = await place.run(["pause"]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/pauses when iteration 1 is over/) });
    expect(await place.status()).toMatchObject({ status: "running", reason: null });
    place.put("../go-1", "");
    await until(() => ends(place) === 1);
    expect(await place.status()).toMatchObject({ status: "waiting", reason: "paused", iteration: 1 });
    expect((await place.run(["status"])).stdout).toMatch(/a person paused it[\s\S]*`ralphd resume`/);
    place.put("../go-2", "");
    place.put("../go-3", "");
    const pausedAt = Date.now();
    await until(() => Date.now() - pausedAt > 600);
    expect(place.has("../up-2")).toBe(false);
    expect(JSON.parse((await place.run(["resume", "--json"])).stdout)).toMatchObject({ pid: running.child.pid, resume: "paused", taken: true });
    expect((await running.ended).code).toBe(0);
    const events = place.journal();
    const [paused] = ofType(events, "run.paused");
    const [unpaused] = ofType(events, "run.unpaused");
    const heldMs = Date.parse(unpaused?.at ?? "") - Date.parse(ofType(events, "iteration.ended")[0]?.at ?? "");
    const span = Date.parse(events.at(-1)?.at ?? "") - Date.parse(events[0]?.at ?? "");
    expect(paused?.by).toMatch(/\(no terminal, process \d+\)$/);
    expect((await place.status()).activeMs ?? Number.NaN).toBeLessThanOrEqual(span - heldMs);
  });

  it("RL-18 resume during a wait for a limit tries again at once", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const limit = `if [ $n = 1 ]; then echo '{"type":"limit","kind":"account","resumeAtMs":'$(($(date +%s) + 3600))'000,"message":"come back later"}'; exit 1; fi; work; tick; echo '{"type":"finished","ok":true,"text":null}'`;
    const running = place.start(["run", "--agent-output", "events", ...agent(place, limit)]);
    await until(() => ofType(place.journal(), "wait.started").length === 1);
    expect(await place.status()).toMatchObject({ status: "waiting", reason: null });
    const asked = await place.run(["resume"]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/come back later. It tries again now/) });
    expect((await running.ended).code).toBe(0);
    expect(ofType(place.journal(), "wait.ended")).toHaveLength(1);
    expect(ofType(place.journal(), "control.requested")).toMatchObject([{ request: "resume", detail: "try now instead of waiting" }]);
  });

  it("refuses to resume what is not held", async () => {
    const { place } = await held();
    expect(await place.run(["resume"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/neither paused nor waiting/) });
  });
});

describe("skip", () => {
  it("parks the task that is meant and goes on with the next", async () => {
    const { place, running } = await held();
    expect(await place.run(["skip", "TW"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/"two" parked/) });
    for (const n of [1, 2]) place.put(`../go-${n}`, "");
    // The fake agent ticks the first open box; the second iteration is given the third task.
    await until(() => place.has("../up-2"));
    expect(place.prompt(2)).toMatch(/Your task: three/);
    await place.run(["stop", "--now"]);
    await running.ended;
    expect(ofType(place.journal(), "task.parked")).toMatchObject([{ task: "two", question: expect.stringMatching(/^Skipped by .*process \d+/) }]);
  });

  it("names what fits when nothing or too much does, and asks the loop for nothing", async () => {
    const { place } = await held();
    expect(await place.run(["skip", "four"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/no task is "four"[\s\S]*1\. one[\s\S]*3\. three/) });
    expect(await place.run(["skip", "o"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/fits several[\s\S]*1\. one[\s\S]*2\. two/) });
    expect(ofType(place.journal(), "control.requested")).toEqual([]);
  });
});

describe("note", () => {
  const QUIET = "touch ../up-$n; while [ ! -e ../go-$n ]; do sleep 0.05; done; work; tick";
  const ANSWERS = `${QUIET}; mkdir -p .ralph; echo "answer $n" >> .ralph/progress.md`;

  it.each([
    ["is shown once more when it was not answered", QUIET, [false, true, true, false]],
    ["is shown once when it was answered", ANSWERS, [false, true, false, false]],
  ])("B-11 %s", async (_, body, shown) => {
    const plan = { "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n- [ ] four\n" };
    const { place, running } = await held(plan, body);
    expect(await place.run(["note", "mind", "the tests"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/iteration after 1.*answer it in .ralph\/progress.md/),
    });
    for (const n of [1, 2, 3, 4]) place.put(`../go-${n}`, "");
    expect((await running.ended).code).toBe(0);
    const prompts = [1, 2, 3, 4].map((n) => place.prompt(n));
    expect(prompts.map((prompt) => prompt.includes("mind the tests"))).toEqual(shown);
    expect(prompts[1]).toMatch(/A person left a note; answer it in .ralph\/progress.md: mind the tests/);
  });
});

describe("budget", () => {
  it("raises the limits of the running loop, with who and when in the journal", async () => {
    const { place, running } = await held(THREE, HOLD, ["-n", "2"]);
    const asked = await place.run(["budget", "--add-iterations", "1", "--add-time", "1h"]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 iterations more \(3 iterations in all\), 1 h more \(13 h in all\)/) });
    for (const n of [1, 2, 3]) place.put(`../go-${n}`, "");
    expect((await running.ended).code).toBe(0);
    expect(ofType(place.journal(), "limits.raised")).toMatchObject([{ iterations: 1, timeMs: 3_600_000, tokens: 0, by: expect.stringMatching(/process \d+/) }]);
  });

  it("does not bring a capped run back, and says how to go on", async () => {
    const { place, running } = await held(THREE, HOLD, ["-n", "1"]);
    place.put("../go-1", "");
    expect((await running.ended).code).toBe(3);
    expect(await place.run(["budget", "--add-iterations", "5"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not bring it back\. Start again.*--max-iterations/),
    });
    expect(ofType(place.journal(), "limits.raised")).toEqual([]);
  });

  it("refuses amounts that are none, and limits that the run has not", async () => {
    const { place } = await held();
    const refused: [string[], number, RegExp][] = [
      [["--add-tokens", "100k"], 1, /no limit that --add-tokens could raise/],
      [["--add-cost", "none"], 2, /not an amount of US dollars/],
      [["--add-cost", "unlimited"], 2, /only possible when a run starts/],
      [[], 2, /say what to add/],
    ];
    for (const [flags, code, message] of refused) {
      expect(await place.run(["budget", ...flags])).toMatchObject({ code, stderr: expect.stringMatching(message) });
    }
  });
});

describe("an agent and the controls of its own run", () => {
  const commands = [["pause"], ["resume"], ["skip", "two"], ["note", "hello"], ["budget", "--add-iterations", "9"], ["stop"]];

  it("refuses every control below an agent, also with a cleared environment", async () => {
    const lines = commands.flatMap((command, index) => [
      `${process.execPath} ${PROGRAM} ${command.join(" ")} > ../said-${index} 2>&1; echo $? > ../code-${index}`,
      `env -i PATH="$PATH" ${process.execPath} ${PROGRAM} ${command.join(" ")} > ../bare-said-${index} 2>&1; echo $? > ../bare-code-${index}`,
    ]);
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    expect((await place.run(["run", ...agent(place, [...lines, "work", "tick"].join("\n"))])).code).toBe(0);
    for (const index of commands.keys()) {
      expect(place.read(`../said-${index}`)).toMatch(/RALPHD_TOKEN is set/);
      expect(place.read(`../bare-said-${index}`)).toMatch(/process \d+ above it carries RALPHD_TOKEN/);
      expect([place.read(`../code-${index}`), place.read(`../bare-code-${index}`)]).toEqual(["2\n", "2\n"]);
    }
    expect(ofType(place.journal(), "limits.raised")).toEqual([]);
  });

  it("refuses a request that an agent put into the inbox by hand, and names it", async () => {
    const forge = `
inbox=.git/ralphd/inbox; mkdir -p $inbox
echo '{"kind":"budget","add":{"iterations":1000},"by":"root"}' > $inbox/000000000000001-a.json
start=$(cut -d' ' -f22 /proc/$$/stat)
echo '{"kind":"budget","add":{"iterations":1000},"from":{"pid":'$$',"start":"'$start'","user":"root","tty":"/dev/pts/0","at":"2026-01-01T00:00:00Z"}}' > $inbox/000000000000002-b.json
i=0; while [ -e $inbox/000000000000002-b.json ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i+1)); done
work; tick`;
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    expect((await place.run(["run", ...agent(place, forge)])).code).toBe(0);
    expect(ofType(place.journal(), "limits.raised")).toEqual([]);
    expect(ofType(place.journal(), "warning").map((event) => event.message)).toEqual([
      expect.stringMatching(/a request to budget was refused: it came from below an agent \(root .*carries RALPHD_TOKEN/),
      expect.stringMatching(/set aside as 000000000000001-a\.json\.invalid: it names no sender/),
    ]);
  });

  it("says what to do when nothing runs", async () => {
    const place = scratch(THREE);
    for (const command of commands) {
      expect(await place.run(command)).toMatchObject({ code: 1, stderr: expect.stringMatching(/no run is going on.*`ralphd run/) });
    }
    expect(spawnSync("ls", [".git/ralphd/inbox"], { cwd: place.root }).status).not.toBe(0);
  });
});
