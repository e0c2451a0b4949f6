/** A person who stops a run while the agent's command works and another one has left its session. */
import { expect } from "vitest";
import type { Place } from "./place.js";
import { processesWith, until } from "./processes.js";

export const CALL_WITH_LEFTOVER = "echo half > half.txt; (setsid sleep 987 &) ; sleep 986";

/** SIGTERM once both sleep; nothing may be left, and the work stays. Returns what it came to. */
export async function terminate({ start, events, leftovers, root }: Place): Promise<string> {
  const program = start();
  const sleepers = () => processesWith(`PWD=${root}`).filter(({ command }) => /^sleep 98[67]$/.test(command));
  await until(() => sleepers().length === 2, "both sleeps of the agent");
  expect(leftovers().length).toBeGreaterThanOrEqual(3);
  const sentMs = performance.now();
  program.terminate();
  const { code, stdout } = await program.ended;
  const goneMs = performance.now() - sentMs;
  expect(leftovers()).toEqual([]);
  expect(sleepers()).toEqual([]);
  expect(code).toBe(130);
  expect(stdout).toContain("stopped (human)");
  expect(events("iteration.ended").map((event) => event.class)).toEqual(["progress"]);
  expect(events("agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "human" });
  return `exit ${code}, all gone ${Math.round(goneMs)} ms after the signal`;
}
