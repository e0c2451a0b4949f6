/** Another agent goes on while the first waits for its limit, and everything says which one made what. */
import { expect, it } from "vitest";
import { agent, ofType, type Scratch, scratch, until, write } from "./harness.js";

const OK = `echo '{"type":"finished","ok":true,"text":null}'`;
/** Works once, meets a limit that lasts an hour, and works again after that. */
const LIMITED = `[ -e ../limited ] || [ $n = 1 ] || { touch ../limited; echo '{"type":"limit","kind":"account","resumeAtMs":'$(($(date +%s) + 3600))'000,"message":"weekly limit"}'; exit 1; }; work; tick; ${OK}`;
/** Holds its first iteration until it may go on. */
const SECOND = `touch ../second-up; while [ ! -e ../second-go ]; do sleep 0.05; done; work; tick; ${OK}`;

function define(place: Scratch, agents: Record<string, string>): void {
  const lines = Object.entries(agents).map(
    ([name, body]) => `  ${name}: { argv: [${JSON.stringify(agent(place, body)[1])}], output: events, envSet: { WHO: ${name} } }`,
  );
  write(`${place.home}/config/ralphd/config.yaml`, `sandbox: off\nsettleGrace: 300ms\nkillGrace: 500ms\nagents:\n${lines.join("\n")}\n`);
}

it("goes on with the next agent, says so everywhere, and tries the first again when asked", async () => {
  const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n" });
  define(place, { first: `echo $WHO > ../who; ${LIMITED}`, second: SECOND });
  const running = place.start(["run", "--agent", "first", "--fallback", "second"]);
  await until(() => place.has("../second-up"));
  expect(place.read("../who")).toBe("first\n");
  expect(await place.status()).toMatchObject({ agent: "second", resting: [{ agent: "first", class: "account", why: "weekly limit" }] });
  expect((await place.run(["status"])).stdout).toMatch(/agent: second; first rests until .* \(account\): weekly limit/);
  expect((await place.run(["resume"])).stdout).toMatch(/tries its first agent again after iteration 3/);
  place.put("../second-go", "");
  const ran = await running.ended;
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/second goes on instead of first \(account\): weekly limit/);
  const events = place.journal();
  expect(ofType(events, "iteration.started").map((event) => event.agent)).toEqual(["first", "first", "second", "first"]);
  expect(ofType(events, "agent.switched")).toMatchObject([
    { from: "first", to: "second", class: "account" },
    { from: "second", to: "first", class: "person" },
  ]);
  expect(place.git("log", "--reverse", "--format=%(trailers:key=Ralphd-Agent,valueonly,separator=%x2C)").trim().split("\n").filter(Boolean)).toEqual([
    "first",
    "second",
    "first",
  ]);
  expect(place.read(".ralph/state/report.md")).toMatch(/second went on instead of first \(account, until/);
  expect(await place.status()).toMatchObject({ status: "done", iteration: 4 });
});

it("refuses a stand-in that is not there, before anything starts", async () => {
  const place = scratch({ "PLAN.md": "- [ ] one\n" });
  define(place, { first: OK });
  const ran = await place.run(["run", "--agent", "first", "--fallback", "codex"], { env: { RALPHD_CODEX_PATH: "/nowhere/codex" } });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/fallback codex: .*not.*\n?.*leave it out of fallback/s) });
  expect(place.journal()).toEqual([]);
});
