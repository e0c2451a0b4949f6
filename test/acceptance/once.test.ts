/** Writes of agents across iterations: the record outlives them, in the sandbox and without it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entryDir } from "../../src/once/entry.js";
import { scopeStore } from "../../src/once/scope.js";
import { agent, PROGRAM, scratch, write } from "./harness.js";

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

it.each(["on", "off"])("a gate believes no record of a write that an agent made or forged (sandbox %s)", async (sandbox) => {
  const place = scratch({});
  const log = join(place.home, "asked");
  const gate = join(place.home, "smoke.sh");
  write(gate, `"${process.execPath}" "${PROGRAM}" once smoke-1 -- sh -c 'echo asked >> "${log}"; test -f never'\n`);
  write(join(place.root, "PLAN.md"), `---\ngates:\n  - name: smoke\n    run: sh ${gate}\n    retries: 0\n---\n- [ ] one\n`);
  const git = join(place.root, ".git");
  const record = JSON.stringify({
    version: 1,
    key: "smoke-1",
    ordinal: 1,
    argv: [],
    cwd: "",
    startedAtMs: Date.now(),
    windowMs: 9e15,
    state: "done",
    note: null,
    exitCode: 0,
  });
  const stores = [join(git, "ralphd/once"), ...(sandbox === "on" ? [scopeStore(git, "gate smoke")] : [])];
  const forge = stores.map((store) => entryDir(store, "smoke-1", 1)).map((dir) => `mkdir -p ${dir} && printf '%s' '${record}' > ${dir}/entry.json || true`);
  const ran = await place.run(["run", "--trust", "-n", "1", "--sandbox", sandbox, ...agent(place, `${forge.join("; ")}; work; tick`)]);
  expect(ran.code, ran.stderr).toBe(3);
  expect(existsSync(join(entryDir(stores[0] ?? "", "smoke-1", 1), "entry.json"))).toBe(true);
  // At the start; then the record of that, which is the gate's own, stands for the window.
  expect(readFileSync(log, "utf8")).toBe("asked\n");
  expect(place.journal().findLast((event) => event.type === "gate.verdict")).toMatchObject({ iteration: 1, verdict: "fail", exitCode: 1 });
});
