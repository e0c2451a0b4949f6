/** Nothing but an observed state ends a run as done: words only ask for verification. */
import { describe, expect, it } from "vitest";
import { agent, leftovers, ofType, scratch, script } from "./harness.js";

const PLAN = { "PLAN.md": "- [ ] one\n" };
const THREE = { "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n" };
const MARKER = "<ralph>COMPLETE</ralph>";
const event = (value: object): string => `printf '%s\\n' '${JSON.stringify(value)}'`;

describe("completion", () => {
  it("CD-01 an echoed prompt is no claim, even when the prompt ends with the marker", async () => {
    const place = scratch({ ...PLAN, ".ralph/prompts/work.md": `{{task}} {{feedback}} {{progress}} {{iteration}} {{left}}\n\n${MARKER}\n` });
    const ran = await place.run(["run", ...script(place, "#!/bin/sh\ncat\n")]);
    expect(place.prompt(1)).toMatch(/<ralph>COMPLETE<\/ralph>\n$/);
    expect(ran.code).toBe(4);
    expect(ofType(place.journal(), "agent.ended").map((ended) => ended.claims.complete)).not.toContain(true);
    expect(ofType(place.journal(), "run.proved")).toEqual([]);
  });

  it("CD-04 CD-05 CD-07 CD-10 counts the exact marker alone on a line, and tells the next agent of near misses", async () => {
    const place = scratch({ ".ralph/config.yaml": "brakes: { noProgress: 99 }\n" });
    const texts = [
      `I will not say ${MARKER} yet.`,
      `Later I print\n\`\`\`\n${MARKER}\n\`\`\``,
      `\`${MARKER}\``,
      "COMPLETE",
      `**${MARKER}**`,
      `1. ${MARKER}`,
      "## Changelog\n- all tasks complete\n- done, finished, COMPLETED; everything is done",
      "<ralph>DONE</ralph>",
    ];
    const lines = texts.map((text, i) => `${i + 1}) cat <<'E'\n${JSON.stringify({ type: "text", text })}\nE\n;;`).join("\n");
    const ran = await place.run([
      "run",
      "do it",
      "--agent-output",
      "events",
      "-n",
      String(texts.length),
      ...agent(place, `case $n in\n${lines}\nesac\n${event({ type: "finished", ok: true, text: null })}`),
    ]);
    expect(ran.code).toBe(3);
    const ended = ofType(place.journal(), "agent.ended");
    expect(ended).toHaveLength(texts.length);
    expect(ended.map((item) => item.claims.complete)).not.toContain(true);
    expect(place.prompt(6)).toMatch(/looked like a marker.*\*\*<ralph>COMPLETE<\/ralph>\*\*/s);
    expect(ofType(place.journal(), "run.refused")).toEqual([]);
  });

  it("CD-13 CD-17 CD-16 PH-03 hears a marker in pieces, late, and from an agent that then stays", async () => {
    const place = scratch();
    const fake = agent(place, `work; printf 'done\\n<promise>COMP'; sleep 0.1; printf 'LETE</promise>\\n\\n'; sleep 0.4`);
    expect((await place.run(["run", "do it", "--gate", "test -e work-1.txt", ...fake])).code).toBe(0);
    expect(await place.status()).toMatchObject({ status: "done", reason: "marker", verified: true, iteration: 1 });
    const other = scratch(PLAN);
    const stays = agent(other, `work; tick; ${event({ type: "finished", ok: true, text: `ok\n${MARKER}` })}; exec sleep 600`);
    const ran = await other.run(["run", "--agent-output=events", ...stays]);
    expect(ran.code).toBe(0);
    expect(ofType(other.journal(), "agent.ended")[0]).toMatchObject({ claims: { complete: true }, ending: { exit: { kind: "stopped", cause: "settled" } } });
    expect(leftovers(other)).toEqual([]);
    expect(other.git("show", "--stat", "HEAD")).toContain("work-1.txt");
  });

  it("CD-14 a marker with open tasks is refused and fed back, the third time it escalates", async () => {
    const place = scratch(THREE);
    const ran = await place.run(["run", ...agent(place, `work; echo '${MARKER}'`)]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "disagreement", iteration: 3, verified: false });
    expect(place.prompt(2)).toMatch(/3 task\(s\) are still open/);
  });

  it("CD-14 a marker whose gate fails is refused with the gate's output in the next prompt", async () => {
    const place = scratch();
    const ran = await place.run(["run", "do it", "--gate", "echo the-reason; exit 3", ...agent(place, `work; echo '${MARKER}'`)]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "disagreement", iteration: 3, gates: [{ verdict: "fail" }] });
    expect(place.prompt(2)).toContain("the-reason");
  });

  it("CD-15 all tasks ticked is enough without a marker; --require-gate then escalates", async () => {
    const place = scratch(PLAN);
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    expect(await place.status()).toMatchObject({ status: "done", reason: "all_tasks_checked", verified: false, iteration: 1, tasks: { open: 0, done: 1 } });
    const strict = scratch(PLAN);
    expect((await strict.run(["run", "--require-gate", ...agent(strict, "work; tick")])).code).toBe(4);
    expect((await strict.status()).reason).toBe("unverified");
  });

  it("CD-18 silence is never success", async () => {
    const place = scratch(PLAN);
    expect((await place.run(["run", ...script(place, "#!/bin/sh\nexit 0\n")])).code).toBe(4);
    expect(await place.status()).toMatchObject({ status: "escalated", reason: "no_progress", iteration: 2 });
    expect(ofType(place.journal(), "iteration.ended").map((item) => item.class)).toEqual(["no_op", "no_op"]);
  });

  it("CD-19 a plan that is ticked already ends without an agent; a red gate hands it to one", async () => {
    const place = scratch({ "PLAN.md": "- [x] one\n" });
    const fake = agent(place, "touch ../spawned; work");
    expect((await place.run(["run", "--gate", "true", ...fake])).code).toBe(0);
    expect(place.has("../spawned")).toBe(false);
    expect(await place.status()).toMatchObject({ status: "done", verified: true, iteration: 0 });
    const red = scratch({ "PLAN.md": "- [x] one\n" });
    expect((await red.run(["run", "--gate", "test -e work-1.txt", ...agent(red, "work")])).code).toBe(0);
    expect(await red.status()).toMatchObject({ status: "done", verified: true, iteration: 1 });
  });
});
