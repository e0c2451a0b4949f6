/** The driver runs the checks itself: what they refuse is not done, whatever the agent says. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, at, ofType, scratch } from "./harness.js";

const front = (yaml: string, tasks: string): string => `---\n${yaml}\n---\n${tasks}`;

describe("gates", () => {
  it("a ticked task whose gate fails is unticked with the output in the next prompt; its proof is in the report", async () => {
    const plan = front(
      "gates:\n  - { name: health, run: 'cat answer || { echo no-answer-yet; exit 1; }', for: tasks }",
      "- [ ] answer <!-- gate: health -->\n- [ ] other\n",
    );
    const place = scratch({ "PLAN.md": plan });
    const ran = await place.run(["run", "--trust", ...agent(place, "work; [ $n = 2 ] && echo 42 > answer; tick")]);
    expect(ran.code).toBe(0);
    expect(place.prompt(2)).toMatch(/no-answer-yet/);
    expect(place.prompt(2)).toMatch(/"answer" was unticked/);
    const events = place.journal();
    expect(ofType(events, "task.unticked")).toMatchObject([{ iteration: 1, task: "answer", gate: "health" }]);
    expect(ofType(events, "task.proved")).toMatchObject([{ iteration: 2, task: "answer", gates: ["health"] }]);
    expect(place.git("show", "HEAD~2:PLAN.md")).toContain("- [ ] answer");
    expect(await place.status()).toMatchObject({ status: "done", verified: true, iteration: 3, gates: [{ name: "health", verdict: "pass" }] });
    const report = place.read(".ralph/state/report.md");
    for (const word of ["answer", "health", "pass"]) expect(report).toContain(word);
    expect((await place.run(["report"])).stdout).toContain("health");
    const verdicts = JSON.parse(place.read(`.git/ralphd/runs/${(await place.status()).run}/iterations/0001/verdicts.json`));
    expect(verdicts).toMatchObject([{ name: "health", verdict: "fail", exitCode: 1 }]);
  });

  it("with `setup:` done is decided in a clean worktree: an ignored file proves nothing", async () => {
    const plan = front(
      "setup: touch ready\ngates:\n  - { name: built, run: 'test -e out/built && test -e ready -o -e .git/HEAD', retries: 0 }",
      "- [ ] build\n",
    );
    const place = scratch({ "PLAN.md": plan }, { ".gitignore": "out/\nready\n" });
    const fake = agent(place, "work; mkdir -p out; touch out/built; tick; [ $n = 2 ] && git add -f out/built; true");
    const ran = await place.run(["run", "--trust", ...fake]);
    expect(ran.code).toBe(4);
    const refusals = ofType(place.journal(), "run.refused").map((event) => event.why);
    expect(refusals[0]).toMatch(/clean worktree/);
    expect(place.prompt(2)).toMatch(/clean worktree/);
    expect(place.git("worktree", "list").split("\n")).toHaveLength(1);
    const good = scratch(
      { "PLAN.md": front("setup: mkdir out && touch out/built\ngates:\n  - { name: built, run: 'test -e out/built' }", "- [ ] build\n") },
      { ".gitignore": "out/\n" },
    );
    expect((await good.run(["run", "--trust", ...agent(good, "work; mkdir -p out; touch out/built; tick")])).code).toBe(0);
    expect(ofType(good.journal(), "run.proved")).toMatchObject([{ clean: true, gates: ["built"] }]);
  });

  it("VG-01 VG-02 a gate that hangs, waits for a key, is killed or runs nothing is a fail, and its children end", async () => {
    const gates = [
      "{ name: hangs, run: 'sleep 600', timeout: 500ms, retries: 0 }",
      "{ name: asks, run: 'read answer && exit 0', retries: 0 }",
      "{ name: killed, run: 'kill -9 $$', retries: 0 }",
      "{ name: ci, run: 'test \"$CI\" = true && ! test -t 0' }",
    ];
    const place = scratch({ "PLAN.md": front(`gates:\n${gates.map((gate) => `  - ${gate}`).join("\n")}`, "- [ ] one\n") });
    const ran = await place.run(["run", "--trust", "-n", "1", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(3);
    const status = await place.status();
    expect(Object.fromEntries(status.gates.map((gate) => [gate.name, gate.verdict]))).toEqual({ hangs: "fail", asks: "fail", killed: "fail", ci: "pass" });
    for (const gate of status.gates) expect(gate.reason).toMatch(/\w/);
  });

  it("what gates write is not committed; files they change are put back; flaky is said", async () => {
    const gate = "echo log >> gate.log; echo changed > README.md; test -e second || { touch second; exit 1; }";
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    place.git("config", "core.excludesFile", "/dev/null");
    const ran = await place.run(["run", "--gate", gate, ...agent(place, "rm -f second; work; tick")]);
    expect(ran.code).toBe(0);
    expect(place.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual(["PLAN.md", "README.md", "work-1.txt"]);
    expect(place.read("README.md")).toBe("readme\n");
    expect(place.has("gate.log")).toBe(true);
    expect(ofType(place.journal(), "gate.verdict").some((event) => event.flaky)).toBe(true);
    expect(place.read(".ralph/state/report.md")).toMatch(/flaky/);
  });

  it("a gate that was red at the start must become green; `baseline: allow` refuses only new failures", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const ran = await place.run(["run", "--gate", "test -e fixed", ...agent(place, "work; [ $n = 2 ] && touch fixed; tick")]);
    expect(ran.code).toBe(0);
    expect(ofType(place.journal(), "gate.verdict")[0]).toMatchObject({ moment: "baseline", verdict: "fail" });
    expect((await place.status()).iteration).toBe(2);
    expect(place.git("log", "--reverse", "--format=%(trailers:key=Ralphd-Gates,valueonly,separator=)", "main..HEAD").split("\n").slice(1)).toEqual([
      "fail",
      "pass",
    ]);
    const old = "FAILED tests/test_a.py::test_old - assert 1 == 2\n";
    const allow = scratch(
      { "PLAN.md": front("gates:\n  - { name: lint, run: 'python -m pytest 2>/dev/null; cat out; exit 1', baseline: allow, retries: 0 }", "- [ ] one\n") },
      { out: `${old}=== 1 failed, 2 passed in 0.10s ===\n` },
    );
    const worse = `printf '${old.trim()}\\nFAILED tests/test_a.py::test_new - boom\\n=== 2 failed, 1 passed in 0.10s ===\\n' > out`;
    const fake = agent(allow, `work; tick; [ $n = 1 ] && { ${worse}; } || git show main:out > out`);
    expect((await allow.run(["run", "--trust", ...fake])).code).toBe(0);
    expect(await allow.status()).toMatchObject({ iteration: 2, verified: true });
    expect(allow.prompt(2)).toContain("test_new");
  });

  it("commands of a repository's own config are shown and run only with --trust, once by content", async () => {
    const place = scratch({ "PLAN.md": front("gates:\n  - { name: t, run: touch ../ran }", "- [ ] one\n- [ ] two\n") });
    const fake = agent(place, "work; tick");
    const refused = await place.run(["run", ...fake]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/touch \.\.\/ran/);
    expect(refused.stderr).toMatch(/--trust/);
    expect(place.has("../ran")).toBe(false);
    expect(place.journal()).toEqual([]);
    expect((await place.run(["run", "--trust", "--once", ...fake])).code).not.toBe(2);
    expect((await place.run(["run", ...fake])).code).not.toBe(2);
    expect(at(place.root, place.home).has("../ran")).toBe(true);
  });

  it("starts no program that a plan names as an agent before it is confirmed, not even for its version", async () => {
    const spy = "#!/bin/sh\necho x >> ../spied\necho 1.2.3\n";
    const place = scratch({ "PLAN.md": front("agent: { kind: codex, argv: [./spy] }\nfallback: [{ kind: gemini, argv: [./spy] }]", "- [ ] one\n"), spy });
    chmodSync(join(place.root, "spy"), 0o755);
    place.git("add", "-A");
    place.git("commit", "-qm", "spy");
    const env = { CODEX_API_KEY: "k", GEMINI_API_KEY: "k" };
    const dry = await place.run(["run", "--dry-run"], { env });
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringMatching(/agent: codex: \.\/spy was not started to look[\s\S]*fallback: gemini: \.\/spy was not started/),
    ]);
    const refused = await place.run(["run"], { env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/agent: \.\/spy[\s\S]*--trust/)]);
    await place.run(["agents"], { env });
    await place.run(["doctor"], { env });
    expect(place.has("../spied")).toBe(false);
    await place.run(["run", "--trust", "--once"], { env });
    expect(place.has("../spied")).toBe(true);
  });
});
