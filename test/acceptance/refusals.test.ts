/** What can't work is refused in words before anything starts: exit 2, no journal, no branch, no agent. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, PROGRAM, type Ran, type RunOptions, type Scratch, scratch, script, until, write } from "./harness.js";

async function refused(place: Scratch, args: string[], options?: RunOptions): Promise<string> {
  const ran: Ran = await place.run(args, options);
  expect(ran.stderr).toContain("Nothing was started.");
  expect(ran.code).toBe(2);
  expect(ran.stdout).toBe("");
  expect(place.journal()).toEqual([]);
  expect(place.git("branch", "--format=%(refname:short)")).toBe("main");
  return ran.stderr;
}

const PLAN = { "PLAN.md": "- [ ] one\n" };

describe("bad input", () => {
  it("names the way out where there is no repository", async () => {
    const place = scratch(PLAN);
    const bare = join(place.home, "plain");
    mkdirSync(bare);
    write(join(bare, "PLAN.md"), "- [ ] one\n");
    const ran = await place.run(["run", ...agent(place, "tick")], { cwd: "../plain" });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/git init/);
    expect((await place.run(["status"], { cwd: "../plain" })).code).toBe(2);
  });

  it("names ways out when there is no plan, and when a named plan is missing", async () => {
    const place = scratch();
    expect(await refused(place, ["run", ...agent(place, "tick")])).toMatch(/No plan was found|no objective/);
    expect(await refused(place, ["run", "docs/missing.md", ...agent(place, "tick")])).toContain("docs/missing.md");
    expect(await refused(place, ["run", "", ...agent(place, "tick")])).toContain("objective is empty");
  });

  it("TP-09 refuses a plan without a task before the first spawn", async () => {
    const place = scratch({ "PLAN.md": "# Plan\n\nprose only\n", "empty.md": "" });
    place.git("add", "empty.md");
    place.git("commit", "-qm", "empty");
    const marked = agent(place, "touch ../spawned");
    expect(await refused(place, ["run", ...marked])).toMatch(/PLAN\.md has no task/);
    expect(await refused(place, ["run", "empty.md", ...marked])).toMatch(/empty\.md has no task/);
    expect(place.has("../spawned")).toBe(false);
  });

  it("TP-03 refuses a plan whose fence is never closed", async () => {
    const place = scratch({ "PLAN.md": "- [x] a\n```\nfoo\n- [ ] b\n" });
    const text = await refused(place, ["run", ...agent(place, "tick")]);
    expect(text).toMatch(/PLAN\.md:2/);
    expect(text).toMatch(/fence/i);
  });

  it("CF-01 names the nearest of an unknown flag, key, command and value", async () => {
    const place = scratch({ ...PLAN, ".ralph/config.yaml": "max_runtme: 8h\n" });
    expect(await refused(place, ["run", "--max-iteration", "3"])).toContain("--max-iterations");
    expect(await refused(place, ["run", "--max-iteration=3"])).toContain("--max-iterations");
    expect(await refused(place, ["runn"])).toMatch(/unknown command|run/);
    expect(await refused(place, ["run", ...agent(place, "tick")])).toMatch(/config\.yaml:1:1.*max_runtme/s);
    place.put(".ralph/config.yaml", "limits:\n  iteratons: 4\n");
    expect(await refused(place, ["run", ...agent(place, "tick")])).toMatch(/config\.yaml:2:3.*iteratons.*iterations/s);
    place.put(".ralph/config.yaml", "");
    expect(await refused(place, ["run", "--preset", "bugfux", ...agent(place, "tick")])).toContain("bugfix");
    expect(await refused(place, ["run", "--agent", "cluade"])).toContain("claude");
  });

  it("BC-04 CD-09 refuses values out of range, zero as unlimited, and an empty marker", async () => {
    const place = scratch(PLAN);
    const fake = agent(place, "tick");
    expect(await refused(place, ["run", "--max-iterations", "0", ...fake])).toContain("unlimited");
    expect(await refused(place, ["run", "-n", "-3", ...fake])).toMatch(/-n|max-iterations/);
    expect(await refused(place, ["run", "--max-cost=0", ...fake])).toContain("unlimited");
    expect(await refused(place, ["run", "--max-time", "unlimited", ...fake])).toContain("12h");
    expect(await refused(place, ["run", "--level", "4", ...fake])).toMatch(/1 to 3/);
    expect(await refused(place, ["run", "--marker", "", ...fake])).toMatch(/marker/);
    expect(await refused(place, ["run", "--idle-timeout", "10", ...fake])).toContain("10s");
    expect(await refused(place, ["run", "-n"])).toMatch(/argument missing/);
  });

  it("tells line and column of a config that is no YAML, and of a gate that does not exist", async () => {
    const place = scratch({ ...PLAN, ".ralph/config.yaml": "limits:\n  tokens: [1\n" });
    expect(await refused(place, ["run", ...agent(place, "tick")])).toMatch(/config\.yaml:\d+:\d+/);
    place.put(".ralph/config.yaml", "");
    place.put("PLAN.md", "- [ ] one <!-- gate: helth -->\n");
    expect(await refused(place, ["run", "--gate", "true", ...agent(place, "tick")])).toMatch(/PLAN\.md:1.*helth/s);
  });

  it("says what to install or where to log in when the agent can't run", async () => {
    const place = scratch(PLAN);
    expect(await refused(place, ["run", "--", "./no-such-agent"])).toContain("no-such-agent");
    place.put("../noexec", "#!/bin/sh\n");
    expect(await refused(place, ["run", "--", join(place.home, "noexec")])).toMatch(/execut/);
    const empty = { PATH: "/usr/bin:/bin", HOME: place.home, ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" };
    expect(await refused(place, ["run", "--agent", "claude"], { env: empty })).toMatch(/install/i);
    expect(await refused(place, ["run", "--agent", "anthropic"], { env: empty })).toContain("ANTHROPIC_API_KEY");
    expect(await refused(place, ["run"], { env: empty })).toMatch(/no agent is installed and logged in/);
  });

  it("GT-11 refuses a dirty tree with the way out, and does not take the plan or line endings for dirt", async () => {
    const place = scratch({ ...PLAN, "README.md": "mine\n", "new.txt": "mine\n" }, { "crlf.txt": "a\r\n" });
    const text = await refused(place, ["run", ...agent(place, "tick")]);
    for (const word of ["README.md", "new.txt", "--worktree", "--allow-dirty"]) expect(text).toContain(word);
    expect(text).not.toMatch(/^ {2}PLAN\.md/m);
    place.put("README.md", "readme\n");
    place.git("clean", "-q", "-f", "new.txt");
    place.git("config", "core.autocrlf", "true");
    expect((await place.run(["run", ...agent(place, "tick")])).code).toBe(0);
  });

  it("CC-01 refuses a second run in the same tree and names the owner", async () => {
    const place = scratch(PLAN);
    const first = place.start(["run", ...agent(place, "touch ../up; while [ ! -e ../go ]; do sleep 0.05; done; tick")]);
    await until(() => place.has("../up"));
    const second = await place.run(["run", ...agent(place, "tick")]);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(String(first.child.pid));
    expect(second.stderr).toMatch(/ralphd stop/);
    expect((await place.status()).status).toBe("running");
    write(join(place.home, "go"), "");
    expect((await first.ended).code).toBe(0);
  });

  it("PH-22 refuses a run that an agent starts", async () => {
    const place = scratch(PLAN);
    const nested = script(
      place,
      `#!/bin/sh\n"${process.execPath}" "$PROGRAM" run -- true > ../nested.out 2>&1\necho $? > ../nested.code\n"${process.execPath}" "$PROGRAM" stop >> ../nested.out 2>&1\nsed -i 's/\\[ \\]/[x]/' PLAN.md\n`,
    );
    const ran = await place.run(["run", ...nested], { env: { PROGRAM } });
    expect(ran.code).toBe(0);
    expect(place.read("../nested.code").trim()).toBe("2");
    expect(place.read("../nested.out")).toContain("inside iteration 1");
    expect(place.read("../nested.out")).toContain("this is for people");
    expect(place.journal().filter((event) => event.type === "control.requested")).toEqual([]);
  });
});
