/** A whole run tells people how it ended, on every way out, and calls their hooks. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, ofType, type Scratch, scratch, until, write } from "./harness.js";

const ONE = { "PLAN.md": "- [ ] one\n" };

/** The person's own configuration tells a command that appends to a file beside the repository. */
function telling(files: Record<string, string>, more = ""): Scratch {
  const place = scratch(files);
  const config = readFileSync(join(place.home, "config/ralphd/config.yaml"), "utf8");
  write(join(place.home, "config/ralphd/config.yaml"), `${config}notify:\n  - argv: [sh, -c, "cat >> ../told; echo >> ../told"]\n${more}`);
  return place;
}

const told = (place: Scratch): { kind: string; text: string }[] =>
  place.has("../told")
    ? place
        .read("../told")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { kind: string; text: string })
    : [];

describe("notifications of a run", () => {
  it("tells done, and leaves the final status in the heartbeat", async () => {
    const place = telling(ONE);
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    expect(told(place)).toMatchObject([{ kind: "done" }]);
    expect(JSON.parse(place.read(".git/ralphd/heartbeat"))).toMatchObject({ iteration: 1, status: "done", noProgressSince: expect.stringMatching(/^20/) });
  });

  it("NT-02 tells a run that SIGTERM ended", async () => {
    const place = telling(ONE);
    const running = place.start(["run", ...agent(place, "touch ../up; sleep 60")]);
    await until(() => place.has("../up"));
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(130);
    expect(told(place)).toMatchObject([{ kind: "stopped" }]);
  });

  it("NT-02 tells a run whose journal can no longer be written", async () => {
    const place = telling(ONE);
    const body =
      "run=$(ls -d .git/ralphd/runs/*); mv $run/journal.jsonl ../journal; mkdir $run/journal.jsonl; rm -rf $run/iterations; touch $run/iterations; work; tick";
    const ran = await place.run(["run", "--sandbox", "off", ...agent(place, body)]);
    expect(ran.code).not.toBe(0);
    expect(told(place)).toHaveLength(1);
  });

  it("NT-02 tells a run that dies of a bug nobody caught", async () => {
    const place = telling(ONE);
    const bug = join(place.home, "bug.mjs");
    write(
      bug,
      `import { existsSync } from "node:fs";
      if (process.argv[2] === "run") setInterval(() => { if (existsSync(${JSON.stringify(join(place.home, "up"))})) throw new Error("nobody caught this"); }, 20).unref();`,
    );
    const ran = await place.run(["run", ...agent(place, `touch ${join(place.home, "up")}; sleep 60`)], { env: { NODE_OPTIONS: `--import ${bug}` } });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("internal error: Error: nobody caught this") });
    expect(told(place)).toMatchObject([{ text: expect.stringContaining("nobody caught this") }]);
  });

  it("NT-01 a receiver that hangs or is missing delays the end by seconds and is a warning in the journal", async () => {
    const place = telling(ONE, "  - argv: [sleep, '600']\n  - argv: [no-such-notifier]\n");
    const ran = await place.run(["run", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    const warnings = ofType(place.journal(), "warning").map((event) => event.message);
    expect(warnings).toEqual(
      expect.arrayContaining([expect.stringMatching(/sleep was not waited for/), expect.stringMatching(/no-such-notifier could not be started/)]),
    );
    expect((await place.status()).status).toBe("done");
  });

  it("asks for trust before it sends what a repository's own file says", async () => {
    const place = scratch({ ...ONE, ".ralph/config.yaml": "notify:\n  - url: https://example.org/collect\nhooks:\n  onStop: touch ../stopped\n" });
    const ran = await place.run(["run", ...agent(place, "work; tick")]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/notification: POST https:\/\/example\.org\/collect[\s\S]*hook onStop/) });
  });
});

describe("hooks", () => {
  it("calls each with its event on stdin and an agent's environment, and outlives those that fail", async () => {
    const hooks = ["onStart", "onIterationStart", "onIterationEnd", "onStop"].map(
      (name) => `  ${name}: cat >> ../hooks; echo "$RALPHD_RUN" > ../hook-env; echo said by ${name}${name === "onIterationEnd" ? "; exit 7" : ""}`,
    );
    const place = telling({ "PLAN.md": "- [ ] one\n- [ ] two\n" }, `hooks:\n${hooks.join("\n")}\n`);
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    const events = place
      .read("../hooks")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; iteration: number; class: string | null; status: string | null });
    expect(events.map(({ event, iteration }) => `${event} ${iteration}`)).toEqual([
      "onStart 0",
      "onIterationStart 1",
      "onIterationEnd 1",
      "onIterationStart 2",
      "onIterationEnd 2",
      "onStop 2",
    ]);
    expect(events[2]).toMatchObject({ class: "progress", task: "one", status: null });
    expect(events.at(-1)).toMatchObject({ status: "done", reason: "all_tasks_checked" });
    expect(place.read("../hook-env").trim()).toBe((await place.status()).run);
    expect(ofType(place.journal(), "warning").map((event) => event.message)).toContainEqual(
      expect.stringMatching(/hook onIterationEnd exited 7; its output is hooks\/0001-onIterationEnd\.log/),
    );
    expect(readFileSync(join(place.runDir(), "hooks/0001-onIterationEnd.log"), "utf8")).toBe("said by onIterationEnd\n");
  });

  it("ends a hook that takes too long", async () => {
    const place = telling(ONE, "hooks:\n  onIterationStart: { argv: [sleep, '600'], timeout: 200ms }\n");
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    expect(ofType(place.journal(), "warning")[0]?.message).toMatch(/hook onIterationStart took longer than 0\.2 s/);
    expect(existsSync(join(place.runDir(), "hooks/0001-onIterationStart.log"))).toBe(true);
  });
});
