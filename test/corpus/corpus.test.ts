/** How well the gutter brakes tell being stuck from being busy; the goal is all of the one and none of the other. */
import { expect, it } from "vitest";
import { play } from "../core/brakes/actions.js";
import { type Trace, traces } from "./traces.js";

const PER_KIND = 12;

it("ends every stuck trace with its brake, and no busy one", () => {
  const all = traces(PER_KIND);
  expect(all.length).toBeGreaterThanOrEqual(200);
  const wrong = all.filter((trace) => brakeOf(trace) !== trace.expected).map((trace) => `${trace.kind}: ${brakeOf(trace)} instead of ${trace.expected}`);
  if (process.env["BRAKES_TABLE"] !== undefined) process.stdout.write(table(all));
  expect([...new Set(wrong)]).toEqual([]);
});

function brakeOf(trace: Trace): string | null {
  return play(trace.actions).hit?.reason ?? null;
}

function table(all: Trace[]): string {
  const rows = (["gutter_command", "gutter_thrash", null] as const).map((label) => {
    const of = all.filter((trace) => trace.expected === label);
    const right = of.filter((trace) => brakeOf(trace) === label).length;
    const share = `${((100 * right) / of.length).toFixed(1)} %`;
    return label === null
      ? `busy traces let alone   ${right} of ${of.length}   false alarms ${of.length - right}`
      : `${label.padEnd(22)}  ${right} of ${of.length}   recall ${share}`;
  });
  return `${rows.join("\n")}\n`;
}
