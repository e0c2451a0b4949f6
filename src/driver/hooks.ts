/** Calls a person's hooks at the turns of the loop; whatever goes wrong in them is a warning and nothing more. */
import type { HookName } from "../core/notice.js";
import type { Driver } from "./driver.js";
import { hookToken } from "./driver.js";

export async function callHook(driver: Driver, name: HookName, iteration: number): Promise<void> {
  const { hooks } = driver.world;
  if (hooks?.has(name) !== true) return;
  driver.settled = null;
  const { state } = driver;
  const last = name === "onIterationStart" ? undefined : state.records.at(-1);
  const facts = {
    run: state.run,
    iteration,
    task: last?.task ?? null,
    class: last?.class ?? null,
    commit: last?.commit ?? null,
    branch: state.started.branch,
    status: state.stopped?.status ?? null,
    reason: state.stopped?.reason ?? null,
    summary: state.stopped?.summary ?? null,
  };
  const token = hookToken(driver.options.tokenSeed);
  const problem = await hooks.run(name, facts, { env: driver.env(iteration, token), token });
  if (problem !== null) driver.record({ type: "warning", message: problem });
}
