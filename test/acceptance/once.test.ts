/** Writes of agents across iterations: the record outlives them, in the sandbox and without it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agent, PROGRAM, scratch } from "./harness.js";

it.each(["auto", "off"])("R-154 R-158 a notification that every iteration sends is sent once (sandbox %s)", async (sandbox) => {
  const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n" });
  const log = join(place.home, "sent");
  const send = `"${process.execPath}" "${PROGRAM}" once notify-release-1 -- sh -c 'echo sent >> "${log}"' || touch failed-$n`;
  const ran = await place.run(["run", "--sandbox", sandbox, ...agent(place, `work; ${send}; tick`)]);
  expect(ran.code).toBe(0);
  expect(readFileSync(log, "utf8")).toBe("sent\n");
  expect(place.has("failed-1") || place.has("failed-2")).toBe(false);
  expect(await place.status()).toMatchObject({ iteration: 2 });
});
