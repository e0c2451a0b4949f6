/** Descendants are looked for among ids that they can have, and among all when that can't be told. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { descendantIds, forkCount } from "../../../src/agents/process/pid-window.js";

const linux = process.platform === "linux";
const idCount = linux ? Number(readFileSync("/proc/sys/kernel/pid_max", "utf8")) : 0;

it.runIf(linux)("counts every process that is made", async () => {
  const before = forkCount() ?? Number.NaN;
  await once(spawn("true"), "exit");
  expect(forkCount()).toBeGreaterThan(before);
});

it.runIf(linux)("leaves out lower ids only while ids can not have begun again at the bottom", () => {
  const forks = forkCount() ?? 0;
  const low = descendantIds(1_000, forks);
  expect([999, 1_000, 1_001].map((pid) => low?.(pid))).toEqual([false, true, true]);
  expect(descendantIds(idCount - 10, forks)).toBeNull();
  expect(descendantIds(1_000, forks - idCount)).toBeNull();
});

it("looks among all without a leader or a count", () => {
  expect(descendantIds(null, forkCount())).toBeNull();
  expect(descendantIds(1_000, null)).toBeNull();
});
