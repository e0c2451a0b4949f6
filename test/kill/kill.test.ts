/** The real program, real git, real agents: killed at random moments, then started again by the same command. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { random } from "../sim/random.js";
import { agent, ofType, type Scratch, scratch } from "../acceptance/harness.js";

/** 8 belong to the suite; `npm run test:kill` does a thousand. */
const KILLS = Number(process.env["KILLS"] ?? "8");
const SEED = Number(process.env["KILL_SEED"] ?? "1");
/** Longer than an undisturbed run takes, so that every phase is met. */
const MAX_DELAY_MS = 2_500;
const SIGNALS: readonly NodeJS.Signals[] = ["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"];

const PLAN = `---
gates:
  - name: all
    run: test -f work-1.txt
    retries: 0
---
- [ ] one
- [ ] two
- [ ] three
`;

it(`survives ${KILLS} kills: nothing lost, doubled or left running`, async () => {
  const rng = random(SEED);
  for (let n = 1; n <= KILLS; n++) {
    const place = scratch({ "PLAN.md": PLAN });
    const args = ["run", "--trust", "-n", "12", ...agent(place, "work; echo note >> .ralph/progress.md; tick; sleep 0.05 & sleep 0.03")];
    const kills = 1 + rng.below(3);
    for (let kill = 0; kill < kills; kill++) await killAfter(place, args, { delayMs: rng.below(MAX_DELAY_MS), signal: rng.pick(SIGNALS) });
    const last = await place.run(args);
    const label = `seed ${SEED}, case ${n}: ${last.stderr.slice(-600)}`;
    expect(last.code, label).toBe(0);
    expect(problems(place), label).toEqual([]);
  }
}, Math.max(120_000, KILLS * 20_000));

async function killAfter(place: Scratch, args: string[], how: { delayMs: number; signal: NodeJS.Signals }): Promise<void> {
  const running = place.start(args);
  const timer = setTimeout(() => running.child.kill(how.signal), how.delayMs);
  await running.ended;
  clearTimeout(timer);
}

function problems(place: Scratch): string[] {
  const wrong: string[] = [];
  const events = place.journal();
  for (const type of ["iteration.started", "agent.ended", "iteration.ended"] as const) {
    const seen = ofType(events, type).map((event) => event.iteration);
    if (new Set(seen).size !== seen.length) wrong.push(`${type} twice: ${seen.join(" ")}`);
  }
  const counts = (type: JournalEvent["type"]): number => events.filter((event) => event.type === type).length;
  if (counts("iteration.started") !== counts("iteration.ended")) wrong.push("an iteration has no end");
  const trailers = place.git("log", "--format=%(trailers:key=Ralphd-Iteration,valueonly,separator=)", "main..HEAD").split("\n").filter(Boolean);
  if (new Set(trailers).size !== trailers.length) wrong.push(`an iteration stands twice on the branch: ${trailers.join(" ")}`);
  const branch = new Set(place.git("rev-list", "HEAD").split("\n"));
  for (const event of ofType(events, "commit.created")) if (!branch.has(event.commit)) wrong.push(`commit ${event.commit} is not on the branch`);
  if (place.git("status", "--porcelain") !== "") wrong.push(`left in the tree: ${place.git("status", "--porcelain")}`);
  if (place.read("README.md") !== "readme\n") wrong.push("a file of the user changed");
  return [...wrong, ...leftovers(place).map((command) => `still running: ${command}`)];
}

/** Processes that carry a token of this run. Elsewhere than on Linux there is nothing to look into. */
function leftovers(place: Scratch): string[] {
  const run = place.journal()[0]?.run;
  const found: string[] = [];
  for (const pid of process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : []) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      const ours = environment.split("\0").includes(`RALPHD_RUN=${run}`) && environment.includes(place.home);
      if (ours) found.push(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}
