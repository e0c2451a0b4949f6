/** How long it takes from SIGTERM to the driver until nothing of the run is left. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, atMost, median, plain } from "./figure.js";
import { MAIN, scratchRepository } from "./scratch.js";

const ROUNDS = 5;
const GRACE_MS = 1_000;
/** A `sleep` in a session of its own: neither the agent's group nor its session reaches it. */
const WITH_CHILD = "#!/bin/sh\nsetsid sleep 600 &\necho $! > ../pids\necho $$ >> ../pids\nmv ../pids ../ready\nwait\n";
const STUBBORN = "#!/bin/sh\ntrap '' TERM\necho $$ > ../pids\nmv ../pids ../ready\nwhile :; do sleep 1; done\n";

export const ending: Benchmark = {
  name: "ending",
  method: `${ROUNDS} rounds: SIGTERM to \`ralphd run\` while its agent works, until agent and child are gone, and until the driver is (looked at every millisecond). The grace between SIGTERM and SIGKILL is set to ${GRACE_MS} ms.`,
  async run() {
    const child: Ended[] = [];
    const stubborn: Ended[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      child.push(await timeToEnd(WITH_CHILD));
      stubborn.push(await timeToEnd(STUBBORN));
    }
    return [
      atMost("agent with a child in a session of its own: both gone", median(child.map(({ treeMs }) => treeMs)), "ms", GRACE_MS),
      plain("the same, until the driver has judged, committed and reported", median(child.map(({ driverMs }) => driverMs)), "ms"),
      atMost("agent that ignores SIGTERM: gone", median(stubborn.map(({ treeMs }) => treeMs)), "ms", 2 * GRACE_MS),
      plain("the same, until the driver has judged, committed and reported", median(stubborn.map(({ driverMs }) => driverMs)), "ms"),
    ];
  },
};

interface Ended {
  /** From the signal until agent and child are gone. */
  treeMs: number;
  driverMs: number;
}

async function timeToEnd(agent: string): Promise<Ended> {
  const scratch = scratchRepository(agent, (root) => {
    mkdirSync(join(root, ".ralph"));
    writeFileSync(join(root, ".ralph/config.yaml"), `killGrace: ${GRACE_MS}ms\n`);
  });
  const args = [MAIN, "run", "work", "--quiet", "--sandbox", "off", "--", "./agent.sh"];
  const driver = spawn(process.execPath, args, { cwd: scratch.root, env: scratch.env, stdio: "ignore" });
  const ready = join(scratch.root, "../ready");
  await until(() => existsSync(ready));
  const pids = readFileSync(ready, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
  const startedMs = performance.now();
  driver.kill("SIGTERM");
  await until(() => !pids.some(isAlive));
  const treeMs = performance.now() - startedMs;
  await until(() => driver.exitCode !== null);
  const driverMs = performance.now() - startedMs;
  scratch.dispose();
  return { treeMs, driverMs };
}

/** A zombie has ended; its parent has only not looked yet. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    // Gone, which is what is waited for.
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
