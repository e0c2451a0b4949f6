/** How long it takes from SIGTERM to the driver until nothing of the run is left. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, atMost, median } from "./figure.js";
import { MAIN, scratchRepository } from "./scratch.js";

const ROUNDS = 5;
const GRACE_MS = 1_000;
/** A `sleep` in a session of its own: neither the agent's group nor its session reaches it. */
const WITH_CHILD = "#!/bin/sh\nsetsid sleep 600 &\necho $! > ../pids\necho $$ >> ../pids\nmv ../pids ../ready\nwait\n";
const STUBBORN = "#!/bin/sh\ntrap '' TERM\necho $$ > ../pids\nmv ../pids ../ready\nwhile :; do sleep 1; done\n";

export const ending: Benchmark = {
  name: "ending",
  method: `${ROUNDS} rounds: SIGTERM to \`ralphd run\` while its agent works, until driver, agent and child are gone (looked at every millisecond). The grace between SIGTERM and SIGKILL is set to ${GRACE_MS} ms.`,
  async run() {
    const [child, stubborn]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      child.push(await timeToEnd(WITH_CHILD));
      stubborn.push(await timeToEnd(STUBBORN));
    }
    return [
      atMost("agent with a child in a session of its own", median(child), "ms", GRACE_MS),
      atMost("agent that ignores SIGTERM", median(stubborn), "ms", 2 * GRACE_MS),
    ];
  },
};

async function timeToEnd(agent: string): Promise<number> {
  const scratch = scratchRepository(agent, (root) => writeFileSync(join(root, ".gitignore"), ".ralph/\n"));
  const args = [MAIN, "run", "work", "--quiet", "--sandbox", "off", "--", "./agent.sh"];
  const driver = spawn(process.execPath, args, { cwd: scratch.root, env: { ...scratch.env, RALPHD_KILL_GRACE: `${GRACE_MS}ms` }, stdio: "ignore" });
  const ready = join(scratch.root, "../ready");
  await until(() => existsSync(ready));
  const pids = [...readFileSync(ready, "utf8").split("\n").filter((line) => line !== "").map(Number), driver.pid ?? 0];
  const startedMs = performance.now();
  driver.kill("SIGTERM");
  await until(() => pids.every((pid) => !isAlive(pid)));
  const ms = performance.now() - startedMs;
  scratch.dispose();
  return ms;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // Gone, which is what is waited for.
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
