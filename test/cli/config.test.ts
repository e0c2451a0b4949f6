/** `ralphd config`: every value with its origin, in a form that can be written back, and problems as a run would refuse them. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ConfigOptions, runConfig } from "../../src/cli/config.js";
import { plainDuration, plainSettings } from "../../src/config/show.js";
import { parseDuration } from "../../src/config/values.js";
import { settled } from "../config/fixture.js";
import { caught, type Folder, folder, repository, type Said } from "./init-repository.js";

let repo: Folder;
beforeEach(() => {
  repo = repository();
});
afterEach(() => repo.remove());

const config = (options: Partial<ConfigOptions> = {}): Promise<Said> =>
  caught((io) => runConfig({ cwd: repo.path, plan: "PLAN.md", env: { XDG_CONFIG_HOME: join(repo.path, "user") }, ...io, ...options }));
const line = (said: Said, key: string): string | undefined => said.out.find((row) => row.startsWith(`${key} `))?.replace(/ +/g, " ");

it("CF-01 prints every effective value with where it came from", async () => {
  repo.write({
    "PLAN.md": "---\ngates:\n  - {name: tests, run: npm test, required: false}\n---\n- [ ] a\n",
    ".ralph/config.yaml": "max_cost: $2.50\nlimits: {time: 90m}\n",
    "user/ralphd/config.yaml": "limits: {time: 1h, idle: 45s}\n",
  });
  const said = await config({ env: { XDG_CONFIG_HOME: join(repo.path, "user"), RALPHD_AGENT: "claude", RALPHD_MODLE: "x" }, flags: { preset: "docs" } });
  expect(said.code).toBe(0);
  expect(line(said, "limits.cost")).toBe("limits.cost $2.5 [.ralph/config.yaml:1]");
  expect(line(said, "limits.time")).toBe("limits.time 90m [.ralph/config.yaml:2]");
  expect(line(said, "limits.idle")).toBe(`limits.idle 45s [${join(repo.path, "user/ralphd/config.yaml")}:1]`);
  expect(line(said, "limits.iterations")).toBe("limits.iterations 4 [preset docs]");
  expect(line(said, "limits.limitWait")).toBe("limits.limitWait 1d [default]");
  expect(line(said, "agent.kind")).toBe("agent.kind claude [RALPHD_AGENT]");
  expect(line(said, "agent.model")).toBe("agent.model none [default]");
  expect(line(said, "gates.tests")).toBe("gates.tests npm test (not required, timeout 10m, retries 1) [PLAN.md:3]");
  expect(said.err).toEqual(["ralphd: RALPHD_MODLE in the environment is no setting and has no effect; did you mean RALPHD_MODEL?"]);
});

it("shows a value and an origin for every setting there is", () => {
  const { settings, origins } = settled({ flags: { gate: ["make"] } });
  const shaping = ["preset", "baseline"]; // they show in the values that they shape
  expect([...plainSettings(settings).keys()].sort()).toEqual(
    Object.keys(origins)
      .filter((key) => !shaping.includes(key))
      .sort(),
  );
});

it.each([0, 1, 250, 1_000, 90_000, 5_400_000, 43_200_000, 86_400_000, 604_800_000])("shows %i ms as a duration that reads back", (ms) => {
  expect(parseDuration(plainDuration(ms))).toEqual({ kind: "value", value: ms });
});

it("names what is wrong and exits 2, for people and as JSON", async () => {
  repo.write({ "PLAN.md": "---\nsetup: ''\n---\n- [ ] a <!-- gate: x -->\n", ".ralph/config.yaml": "\nmax_runtme: 8h\n" });
  expect(await config()).toEqual({
    code: 2,
    out: [],
    err: ["ralphd: PLAN.md:2:1: setup: must not be empty: give a command", "ralphd: .ralph/config.yaml:2:1: unknown key max_runtme; did you mean max_runtime?"],
  });
  const json = await config({ json: true });
  expect(JSON.parse(json.out[0] ?? "")).toMatchObject({
    problems: [
      { file: "PLAN.md", line: 2, column: 1 },
      { file: ".ralph/config.yaml", line: 2, column: 1 },
    ],
  });
});

it("names a task's unknown gate", async () => {
  repo.write({ "PLAN.md": "---\ngates: [{name: health, run: x}]\n---\n- [ ] a\n- [ ] b <!-- gate: helth -->\n" });
  expect((await config()).err).toEqual(['ralphd: PLAN.md:5: task "b" names the unknown gate helth; did you mean health?']);
});

it("names a plan that can not be read", async () => {
  repo.write({ "PLAN.md": "- [ ] a\n```\n- [ ] b\n" });
  expect(await config()).toMatchObject({ code: 2, err: [expect.stringMatching(/^ralphd: PLAN\.md:2:/)] });
});

it("gives one JSON object on stdout", async () => {
  const said = await config({ json: true, plan: null });
  expect(said).toMatchObject({ code: 0, err: [] });
  expect(JSON.parse(said.out.join(""))).toMatchObject({
    root: repo.path,
    plan: null,
    warnings: [],
    values: { "limits.cost": { value: "unlimited", origin: "default" }, protect: { origin: "default" } },
  });
});

it("refuses outside of a repository", async () => {
  const outside = folder();
  try {
    expect(await config({ cwd: outside.path })).toMatchObject({ code: 2, out: [], err: [expect.stringContaining("git repository")] });
  } finally {
    outside.remove();
  }
});
