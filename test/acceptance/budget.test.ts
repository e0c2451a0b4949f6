/** Budgets hold while an agent runs; what nobody reported is unknown and never zero. */
import { describe, expect, it } from "vitest";
import { agent, ofType, scratch } from "./harness.js";

const TEN = { "PLAN.md": Array.from({ length: 10 }, (_, i) => `- [ ] task ${i + 1}\n`).join("") };
const say = (value: object): string => `printf '%s\\n' '${JSON.stringify(value)}'`;
const usage = (inputTokens: number, costUsd: number | null): string =>
  say({ type: "usage", scope: "delta", inputTokens, cachedInputTokens: 0, outputTokens: 0, costUsd });
const finished = say({ type: "finished", ok: true, text: "ok" });

describe("budget", () => {
  it("BC-01 unknown cost is said at the start, shown as unknown, and other caps hold", async () => {
    const place = scratch(TEN);
    const ran = await place.run(["run", "--max-cost", "5", "-n", "2", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/reports no cost, so --max-cost can't hold/);
    const status = await place.status();
    expect(status).toMatchObject({ reason: "iterations", usage: { costUsd: null, inputTokens: null, outputTokens: null } });
    expect(place.read(".ralph/state/report.md")).toMatch(/cost[^\n]*unknown/i);
    expect(place.git("log", "-1", "--format=%(trailers:key=Ralphd-Cost,valueonly)")).toContain("unknown");
    expect((await place.run(["status"])).stdout).toMatch(/cost unknown/);
  });

  it("BC-01 BC-02 an agent that stops reporting does not reset what is known", async () => {
    const place = scratch(TEN);
    const fake = agent(place, `work; tick; [ $n = 1 ] && { ${usage(1000, 0.25)}; }; [ $n = 2 ] && { ${usage(500, null)}; exec sleep 600; }; ${finished}`);
    const ran = await place.run(["run", "--agent-output", "events", "-n", "3", "--iteration-timeout", "1500ms", ...fake]);
    expect(ran.code).toBe(3);
    expect(await place.status()).toMatchObject({ usage: { inputTokens: 1500, costUsd: 0.25 } });
    expect(ofType(place.journal(), "iteration.ended").map((event) => event.usage.costMicroUsd)).toEqual([250_000, null, null]);
  });

  it("BC-06 an iteration that explodes is ended while it runs, for tokens and for cost", async () => {
    for (const flag of ["--max-tokens=100k", "--max-cost=1.1"]) {
      const place = scratch(TEN);
      const fake = agent(place, `work; while :; do ${usage(20_000, 0.3)}; sleep 0.05; done`);
      const ran = await place.run(["run", "--agent-output", "events", flag, ...fake]);
      expect(ran.code).toBe(3);
      const status = await place.status();
      expect(status).toMatchObject({ status: "capped", reason: flag.startsWith("--max-tokens") ? "tokens" : "cost", iteration: 1 });
      expect(status.usage.inputTokens).toBeLessThan(300_000);
      expect(place.git("show", "HEAD:work-1.txt")).toBe("1");
    }
  });

  it("BC-04 iterations, time and tokens cap the run; the last allowed iteration is the wrap-up", async () => {
    const place = scratch(TEN);
    const ran = await place.run(["run", "--max-iterations=3", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/10 open tasks and 3 iterations/);
    expect(ofType(place.journal(), "iteration.started").map((event) => event.mode)).toEqual(["work", "work", "wrapUp"]);
    expect(place.prompt(3)).toMatch(/wrap up/i);
    expect(await place.status()).toMatchObject({ status: "capped", reason: "iterations", tasks: { open: 7, done: 3 } });
    const timed = scratch(TEN);
    expect((await timed.run(["run", "--max-time", "1s", ...agent(timed, "work; sleep 30")])).code).toBe(3);
    expect((await timed.status()).reason).toBe("time");
  });

  it("a runaway iteration is ended before the reserve, and the wrap-up that the reserve pays is ended at the limit", async () => {
    const place = scratch(TEN);
    const fake = agent(place, `work; ${usage(19_000, null)}; [ $n = 1 ] && for i in 1 2 3 4; do ${usage(19_000, null)}; done; exec sleep 600`);
    expect((await place.run(["run", "--agent-output", "events", "--max-tokens=100k", ...fake])).code).toBe(3);
    expect(ofType(place.journal(), "iteration.started").map((event) => event.mode)).toEqual(["work", "wrapUp"]);
    expect(ofType(place.journal(), "agent.ended").map((event) => event.ending.exit)).toEqual(Array(2).fill({ kind: "stopped", cause: "budget" }));
    expect(await place.status()).toMatchObject({ status: "capped", reason: "tokens", usage: { inputTokens: 114_000 } });
  });

  it("tokens keep a reserve for one wrap-up", async () => {
    const place = scratch(TEN);
    const ran = await place.run(["run", "--agent-output", "events", "--max-tokens", "1000", ...agent(place, `work; tick; ${usage(300, 0.1)}; ${finished}`)]);
    expect(ran.code).toBe(3);
    expect(ofType(place.journal(), "iteration.started").map((event) => event.mode)).toEqual(["work", "work", "work", "wrapUp"]);
    expect(await place.status()).toMatchObject({ reason: "tokens", usage: { inputTokens: 1200 } });
  });

  it("a context that fills up is left for a fresh agent, not counted against it", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n", ".ralph/config.yaml": "context: { warn: 500, rotate: 1000 }\n" });
    const big = say({ type: "usage", scope: "delta", inputTokens: 10, cachedInputTokens: 1500, outputTokens: 1, costUsd: null, contextTokens: 1500 });
    const fake = agent(place, `work; tick; [ $n = 1 ] && { ${big}; exec sleep 600; }; ${finished}`);
    expect((await place.run(["run", "--agent-output", "events", ...fake])).code).toBe(0);
    expect(ofType(place.journal(), "agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "rotate" });
    expect(place.prompt(2)).toMatch(/rotate|context/);
  });

  it("an agent whose context fills up is told by the file that its prompt names, and the report says whether it looked", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n", ".ralph/config.yaml": "context: { warn: 500, rotate: 1000 }\n" });
    const full = say({ type: "usage", scope: "delta", inputTokens: 10, cachedInputTokens: 590, outputTokens: 1, costUsd: null, contextTokens: 600 });
    const look = say({ type: "toolCall", id: "1", name: "shell", command: "cat .ralph/state/note.md" });
    const wait = "i=0; while [ $i -lt 200 ] && ! [ -e .ralph/state/note.md ]; do sleep 0.05; i=$((i+1)); done";
    const fake = agent(
      place,
      `work; tick; [ $n = 1 ] && { ${full}; ${wait}; cp .ralph/state/note.md ../told; ${look}; }; [ $n = 2 ] && [ -e .ralph/state/note.md ] && touch ../stale; ${finished}`,
    );
    expect((await place.run(["run", "--agent-output", "events", ...fake])).code).toBe(0);
    expect(place.prompt(1)).toContain("`.ralph/state/note.md`");
    expect(place.read("../told")).toMatch(/600 tokens.*1000.*progress\.md/);
    expect(ofType(place.journal(), "agent.ended").map((event) => event.warned)).toEqual([
      { tokens: 600, estimated: false, channel: "file", delivered: true },
      undefined,
    ]);
    expect(place.has("../stale") || place.has(".ralph/state/note.md")).toBe(false);
    expect(place.read(".ralph/state/report.md")).toContain("Iteration 1: context at 600 tokens, told by a file, which it took in");
  });

  it("presets set their limits, flags win over them", async () => {
    const place = scratch(TEN);
    const ran = await place.run(["run", "--preset", "format", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/3 iterations, 20,?000 tokens/);
    expect((await place.status()).iteration).toBe(3);
    const more = scratch(TEN);
    expect((await more.run(["run", "--preset", "format", "-n", "12", ...agent(more, "work; tick")])).code).toBe(0);
  });
});
