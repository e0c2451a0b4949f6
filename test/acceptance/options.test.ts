/** Where settings come from, levels, `init`, and the small switches. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, ofType, scratch, write } from "./harness.js";

const TWO = { "PLAN.md": "- [ ] one\n- [ ] two\n" };

describe("options", () => {
  it("CF-01 precedence is flag, environment, front matter, repository, user, preset, default; `config` names each origin", async () => {
    const place = scratch({
      "PLAN.md": "---\nlimits: { tokens: 300k }\n---\n- [ ] one\n- [ ] two\n",
      ".ralph/config.yaml": "limits: { tokens: 200k, iteration: 20m }\npreset: bugfix\n",
    });
    write(join(place.home, "config/ralphd/config.yaml"), "limits: { iteration: 10m, idle: 3m }\n");
    const env = { RALPHD_MAX_COST: "7", RALPHD_MAX_TOKENS: "" };
    const shown = await place.run(["config", "--json"], { env });
    expect(shown.code).toBe(0);
    const text = JSON.stringify(JSON.parse(shown.stdout));
    for (const word of ["RALPHD_MAX_COST", "PLAN.md", ".ralph/config.yaml", "preset", "default"]) expect(text).toContain(word);
    const ran = await place.run(["run", "--dry-run", "-n", "2", ...agent(place, "tick")], { env: { ...env, RALPHD_MAX_ITERATIONS: "9" } });
    expect(ran.stderr).toMatch(/2 iterations, 300,?000 tokens, \$7\.00/);
    expect((await place.run(["config"], { env: { RALPHD_MAX_ITERATION: "3" } })).stderr).toContain("RALPHD_MAX_ITERATIONS");
  });

  it("`init` then `run` just works although nothing of it is committed", async () => {
    const place = scratch({}, { "package.json": '{"name":"x","scripts":{"test":"node -e 0"}}\n' });
    const made = await place.run(["init", "-y"]);
    expect(made.code).toBe(0);
    expect(place.has(".ralph/config.yaml")).toBe(true);
    expect(place.read("PLAN.md")).toContain("npm test");
    const fake = agent(place, "work; tick");
    const ran = await place.run(["run", "--trust", ...fake]);
    expect(ran.code).toBe(0);
    expect(await place.status()).toMatchObject({ status: "done", verified: true });
    const committed = place.git("ls-tree", "-r", "--name-only", "HEAD").split("\n");
    expect(committed).toEqual(expect.arrayContaining(["PLAN.md", ".ralph/config.yaml", "work-1.txt"]));
    expect(committed.filter((path) => path.startsWith(".ralph/state"))).toEqual([]);
    expect(place.git("status", "--porcelain")).toBe("");
    expect((await place.run(["init", "-y"])).code).toBe(0);
  });

  it("takes an agent's path from where it was typed", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" }, { "tools/agent.sh": "#!/bin/sh\ncat > /dev/null\nsed -i 's/\\[ \\]/[x]/' PLAN.md\n" });
    chmodSync(join(place.root, "tools/agent.sh"), 0o755);
    place.git("commit", "-qam", "executable");
    const ran = await place.run(["run", "-n", "2", "--", "./agent.sh"], { cwd: "tools" });
    expect(ran.code, ran.stderr).toBe(0);
    expect(place.read("PLAN.md")).toBe("- [x] one\n");
  });

  it("works from a subfolder with a plan named from there, and both spellings of a flag", async () => {
    const place = scratch({}, { "docs/todo.md": "- [ ] one\n", "docs/x.txt": "x\n" });
    const ran = await place.run(
      ["run", "todo.md", "--max-iterations=4", "--gate", "test -e docs/x.txt", "--gate=true", ...agent(place, "work; sed -i 's/\\[ \\]/[x]/' docs/todo.md")],
      { cwd: "docs" },
    );
    expect(ran.code).toBe(0);
    expect(ofType(place.journal(), "run.started")[0]).toMatchObject({
      plan: "docs/todo.md",
      branch: "ralph/todo",
      requiredGates: ["test-e-docs-x-txt", "true"],
    });
  });

  it.each(["off", "auto"])("--level 1 with --sandbox %s keeps nothing but the report: other changes are put back and saved under a ref", async (sandbox) => {
    const place = scratch(TWO);
    const fake = agent(place, "work; echo more >> README.md; mkdir -p .ralph; echo found $n >> .ralph/progress.md; tick");
    const ran = await place.run(["run", "--level", "1", `--sandbox=${sandbox}`, ...fake]);
    expect(ran.code).toBe(0);
    expect(place.prompt(1)).toContain("only reports");
    expect(place.read("README.md")).toBe("readme\n");
    expect(place.has("work-1.txt")).toBe(false);
    expect(place.git("diff", "--name-only", "main", "HEAD").split("\n").sort()).toEqual([".ralph/progress.md", "PLAN.md"]);
    const [saved] = ofType(place.journal(), "work.saved");
    expect(place.git("show", `${saved?.ref}:work-1.txt`)).toBe("1");
    if (sandbox === "off") expect(place.git("show", `${saved?.ref}:README.md`)).toContain("more");
  });

  it("--level 3 needs a gate and commits where it stands", async () => {
    const place = scratch(TWO);
    const refused = await place.run(["run", "--level", "3", ...agent(place, "work; tick")]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/needs a required, deterministic gate/);
    expect((await place.run(["run", "--level=3", "--gate", "true", ...agent(place, "work; tick")])).code).toBe(0);
    expect(place.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(place.git("show", "main:work-2.txt")).toBe("2");
  });

  it("--once runs one iteration; the next run goes on with the plan", async () => {
    const place = scratch(TWO);
    const fake = agent(place, "work; tick");
    const ran = await place.run(["run", "--once", ...fake]);
    expect(ran.code).toBe(3);
    expect(await place.status()).toMatchObject({ iteration: 1, reason: "iterations", tasks: { open: 1, done: 1 } });
    expect(ofType(place.journal(), "iteration.started").map((event) => event.mode)).toEqual(["work"]);
    expect((await place.run(["run", "--once", ...fake])).code).toBe(0);
  });

  it("--marker changes the word", async () => {
    const place = scratch();
    const ran = await place.run(["run", "do it", "--marker", "ALL  DONE", "--gate", "true", ...agent(place, "work; echo '<ralph>ALL DONE</ralph>'")]);
    expect(ran.code).toBe(0);
    expect((await place.status()).reason).toBe("marker");
  });
});
