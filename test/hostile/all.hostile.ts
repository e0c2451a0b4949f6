/** Every hostile agent, once where comparison protects and once in the sandbox. */
import { afterAll, describe, expect, it } from "vitest";
import { probeBubblewrap } from "../../src/sandbox/bubblewrap.js";
import { HOSTILE_AGENTS, type HostileAgent } from "./agents.js";
import { attack, type Attacked, expectUnharmed, leftovers, type Protection } from "./attack.js";

const sandbox = (await probeBubblewrap(process.env)).kind === "works";
const table: string[] = [];
afterAll(() => console.log(["agent | protection | restored or refused | status", ...table].join("\n")));

describe.each<Protection>(sandbox ? ["compared", "kernel"] : ["compared"])("%s", (protection) => {
  it.for([...HOSTILE_AGENTS])("$name: $tries", async (hostile) => {
    const attacked = await attack(hostile, protection);
    note(hostile, protection, attacked);
    const left = leftovers(attacked.place);
    await expectUnharmed(attacked);
    if (protection === "kernel" || hostile.escapes !== true) expect(left, "processes left behind").toEqual([]);
    const lines = attacked.journal.map((event) => JSON.stringify(event)).join("\n");
    if (protection === "compared" && hostile.observed !== null) expect(lines).toMatch(hostile.observed);
    if (protection === "kernel" && hostile.kernel) expect(attacked.told).toMatch(/Read-only file system|Device or resource busy|Permission denied/);
  });
});

function note(hostile: HostileAgent, protection: Protection, { journal }: Attacked): void {
  const seen = journal.flatMap((event) =>
    event.type === "path.restored"
      ? [event.path]
      : event.type === "plan.restored"
        ? ["PLAN.md"]
        : event.type === "repo.moved"
          ? ["HEAD"]
          : event.type === "task.unticked"
            ? ["tick"]
            : [],
  );
  const stopped = journal.findLast((event) => event.type === "run.stopped");
  table.push(`${hostile.name} | ${protection} | ${[...new Set(seen)].join(", ") || "-"} | ${stopped?.status ?? "?"} (${stopped?.reason ?? "?"})`);
}
