/** `ralphd stop`: a request in the inbox of a living run; refused below an agent. */
import { describe, expect, it } from "vitest";
import { runStop, type StopOptions } from "../../src/cli/stop.js";
import { readRequests } from "../../src/workspace/inbox.js";
import { RUN } from "../journal/events.js";
import { stuckRun } from "../report/runs.js";
import { killed, listening, live, place, record, type Place, type Said } from "./recorded.js";

async function stop(where: Place, options: Partial<StopOptions> = {}): Promise<Said & { code: number }> {
  const said = listening();
  return { ...said, code: await runStop({ ...where, now: false, json: false, env: {}, waitMs: 0, ...said, ...options }) };
}

function running(): Place {
  const where = place();
  record(where, stuckRun.slice(0, -1));
  live(where);
  return where;
}

describe("stop", () => {
  it.each([
    [false, "stops after its iteration"],
    [true, "ends its agent now"],
  ])("asks the run (now: %s) and says what happens next", async (now, sentence) => {
    const where = running();
    const { code, stdout } = await stop(where, { now });
    expect(code).toBe(0);
    expect(stdout).toEqual([expect.stringContaining(`Run ${RUN} ${sentence}`)]);
    expect(readRequests(where.truthDir).requests).toMatchObject([{ kind: "stop", now, by: expect.stringMatching(/./) }]);
  });

  it("TO-05 prints JSON alone when asked", async () => {
    const { stdout } = await stop(running(), { json: true });
    expect(JSON.parse(stdout.join("\n"))).toEqual({ run: RUN, pid: process.pid, stop: "after_iteration", taken: false });
  });

  it.each(["RALPHD_TOKEN", "RALPHD_RUN"])("is refused below an agent (%s)", async (name) => {
    const where = running();
    const { code, stderr } = await stop(where, { env: { [name]: "x" } });
    expect(code).toBe(2);
    expect(stderr).toEqual([expect.stringContaining("for people")]);
    expect(readRequests(where.truthDir).requests).toEqual([]);
  });

  it("leaves no request behind for a run to come when nothing runs", async () => {
    const where = place();
    record(where, stuckRun);
    expect(await stop(where)).toMatchObject({ code: 1, stderr: [expect.stringContaining("no run is going on")] });
    killed(where);
    expect(await stop(where)).toMatchObject({ code: 1, stderr: [expect.stringContaining("interrupted")] });
    expect(readRequests(where.truthDir).requests).toEqual([]);
  });
});
