/** What agents and people do to the repository, and what stays of everyone's work. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, at, ofType, type Scratch, scratch, write } from "./harness.js";

const PLAN = { "PLAN.md": "- [ ] one\n" };
const TWO = { "PLAN.md": "- [ ] one\n- [ ] two\n" };
const files = (place: Scratch, commit = "HEAD"): string[] => place.git("ls-tree", "-r", "--name-only", commit).split("\n");
const classes = (place: Scratch): string[] => ofType(place.journal(), "iteration.ended").map((event) => event.class);

/** An executable hook of the user, there before the run. */
function hook(place: Scratch, name: string, body: string): void {
  write(join(place.root, ".git/hooks", name), `#!/bin/sh\n${body}\n`);
  place.git("update-index", "-q", "--refresh");
  // Git runs only executable hooks.
  place.git("-c", `alias.x=!chmod +x .git/hooks/${name}`, "x");
}

describe("git", () => {
  it("GT-01 GT-03 an agent that commits itself is at work, and its commits stay", async () => {
    const place = scratch(PLAN);
    place.git("config", "status.showUntrackedFiles", "no");
    const fake = agent(place, "work; [ $n -lt 4 ] && { git add work-$n.txt; git commit -qm agent-$n; }; true");
    const ran = await place.run(["run", "-n", "5", ...fake]);
    expect(ran.code).toBe(3);
    expect(classes(place)).toEqual(["progress", "progress", "progress", "progress", "progress"]);
    const subjects = place.git("log", "--format=%s", "main..HEAD");
    expect(subjects.match(/agent-\d/g)).toEqual(["agent-3", "agent-2", "agent-1"]);
    expect(files(place)).toEqual(expect.arrayContaining(["work-1.txt", "work-4.txt", "work-5.txt"]));
    const trailers = place.git("log", "--format=%(trailers:key=Ralphd-Iteration,valueonly,separator=)%(trailers:key=Ralphd-Gates,valueonly,separator=)", "-2");
    expect(trailers).toMatch(/^5none\n4none$/);
    expect(place.git("symbolic-ref", "--short", "HEAD")).toBe("ralph/plan");
    expect(place.git("status", "--porcelain", "-uall")).toBe("");
  });

  it("GT-04 GT-09 stale index.lock and a person's stash neither stop a run nor get lost", async () => {
    const place = scratch();
    place.put("README.md", "stashed\n");
    place.git("stash", "push", "-q", "-m", "mine");
    const before = place.git("stash", "list");
    place.put("PLAN.md", TWO["PLAN.md"]);
    write(join(place.root, ".git/index.lock"), "");
    place.git("-c", "alias.x=!touch -d '2 hours ago' .git/index.lock", "x");
    const ran = await place.run(["run", ...agent(place, "[ $n = 1 ] && exit 0; work; tick")]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("index.lock");
    expect(classes(place)[0]).toBe("no_op");
    expect(place.git("stash", "list")).toBe(before);
    expect(place.git("status", "--porcelain")).toBe("");
    expect(files(place)).toContain("work-3.txt");
  });

  it("GT-07 GT-24 HEAD detached before and during, amended and switched: nothing becomes unreachable", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n" });
    place.git("checkout", "-q", "--detach");
    const fake = agent(
      place,
      `work; tick
case $n in
1) git checkout -q --detach; git add work-1.txt; git commit -qm lost-1 ;;
2) git add work-2.txt; git commit -q --amend -m rewritten ;;
3) git add -A; git commit -qm before-3; git checkout -q -b other; echo x > other.txt; git add other.txt; git commit -qm on-other ;;
esac`,
    );
    const ran = await place.run(["run", ...fake]);
    expect(ran.code).toBe(0);
    expect(place.git("symbolic-ref", "--short", "HEAD")).toBe("ralph/plan");
    expect(files(place)).toEqual(expect.arrayContaining(["work-1.txt", "work-2.txt", "work-3.txt"]));
    const moved = ofType(place.journal(), "repo.moved")
      .map((event) => event.what)
      .join("\n");
    expect(moved).toMatch(/detached HEAD/);
    expect(moved).toMatch(/rewrote history/);
    for (const saved of ofType(place.journal(), "work.saved")) expect(place.git("rev-parse", saved.ref)).toBe(saved.commit);
    expect(place.git("log", "--all", "--format=%s")).toMatch(/lost-1/);
    expect(place.git("branch", "--list", "other")).toContain("other");
    expect(place.read(".ralph/state/report.md")).toContain("refs/ralphd/");
  });

  it("GT-12 GT-13 a commit hook that refuses is not bypassed: its words reach the next agent, the work stays", async () => {
    const place = scratch(TWO);
    hook(place, "pre-commit", "test ! -e work-1.txt || test -e work-2.txt || { seq 1 3000; echo 'hook says: second file missing'; no-such-tool; exit 1; }");
    const ran = await place.run(["run", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    expect(place.prompt(2)).toContain("hook says: second file missing");
    expect(place.prompt(2)).toContain("no-such-tool");
    expect(place.prompt(2).length).toBeLessThan(12_000);
    expect(place.prompt(2)).toMatch(/Whole output: \/\S+\/iterations\/0001\/hook\.log\./);
    expect(ofType(place.journal(), "commit.refused")).toHaveLength(1);
    expect(files(place)).toEqual(expect.arrayContaining(["work-1.txt", "work-2.txt"]));
  });

  it("a tick does not outlive a commit hook that spoils what its gate proved", async () => {
    const gate = "gates:\n  - name: good\n    run: grep -q good work.txt\n    for: tasks\n    retries: 0\n";
    const place = scratch({ "PLAN.md": `---\n${gate}---\n- [ ] one <!-- gate: good -->\n` });
    hook(place, "pre-commit", "test -e work.txt && sed -i s/good/bad/ work.txt && git add work.txt; true");
    const ran = await place.run(["run", "--trust", "-n", "1", ...agent(place, "echo good $n > work.txt; tick")]);
    expect(ran.code, ran.stderr).toBe(3);
    const facts = place.journal().filter((event) => ["task.proved", "task.unticked", "commit.created"].includes(event.type) && event.iteration === 1);
    expect(facts.map((event) => event.type)).toEqual(["task.proved", "task.unticked", "commit.created"]);
    expect(ofType(place.journal(), "task.unticked")[0]?.why).toContain("a commit hook changed the work, and then gate good failed");
    expect(place.git("show", "HEAD:PLAN.md")).toContain("- [ ] one");
    expect(place.git("show", "HEAD:work.txt")).toBe("bad 1");
    expect(place.git("log", "-1", "--format=%B")).not.toContain("Proved:");
  });

  it("GT-14 signing that fails keeps the work; `signCommits: false` goes around a program that asks", async () => {
    const place = scratch(PLAN);
    place.git("config", "commit.gpgSign", "true");
    place.git("config", "gpg.program", "false");
    const ran = await place.run(["run", "-n", "1", ...agent(place, "work; tick")]);
    expect([3, 4]).toContain(ran.code);
    expect(ran.stderr).toMatch(/sign/);
    expect(place.has("work-1.txt")).toBe(true);
    const asks = scratch({ ...PLAN, ".ralph/config.yaml": "signCommits: false\n" });
    write(join(asks.home, "gpg"), "#!/bin/sh\nsleep 600\n");
    asks.git("-c", "alias.x=!chmod +x ../gpg", "x");
    asks.git("config", "commit.gpgSign", "true");
    asks.git("config", "gpg.program", join(asks.home, "gpg"));
    expect((await asks.run(["run", ...agent(asks, "work; tick")])).code).toBe(0);
    expect(files(asks)).toContain("work-1.txt");
  });

  it("GT-16 a repository without commits is an empty start, also from a subfolder", async () => {
    const place = scratch();
    place.git("update-ref", "-d", "HEAD");
    place.git("rm", "-rq", "--cached", ".");
    place.git("-c", "alias.x=!rm README.md && mkdir -p sub/deep", "x");
    place.put("PLAN.md", PLAN["PLAN.md"]);
    const ran = await place.run(["run", ...agent(place, "pwd > ../where; work; tick")], { cwd: "sub/deep" });
    expect(ran.code).toBe(0);
    expect(place.read("../where").trim()).toBe(place.root);
    expect(files(place)).toEqual(["PLAN.md", "work-1.txt"]);
    const status = await place.run(["status", "--json"], { cwd: "sub/deep" });
    expect(JSON.parse(status.stdout)).toMatchObject({ status: "done", lastCommit: place.git("rev-parse", "HEAD") });
  });

  it("GT-17 GT-18 secrets, installed packages, huge files and nested repositories are not committed, and named", async () => {
    const place = scratch(PLAN);
    const fake = agent(
      place,
      `work; tick
echo KEY=abc > .env; mkdir -p node_modules/x; echo 1 > node_modules/x/i.js
head -c 80000000 /dev/zero > big.bin
git worktree add -q -b inner ./nested`,
    );
    const ran = await place.run(["run", ...fake]);
    expect(ran.code).toBe(0);
    expect(files(place)).toEqual(["PLAN.md", "README.md", "work-1.txt"]);
    const report = place.read(".ralph/state/report.md");
    for (const name of [".env", "node_modules", "big.bin", "nested"]) {
      expect(report).toContain(name);
      expect(place.has(name)).toBe(true);
    }
  });

  it("GT-22 commits that touch only the plan or the loop's own files are no progress", async () => {
    const place = scratch(PLAN);
    const ran = await place.run([
      "run",
      ...agent(place, "echo note $n >> PLAN.md; mkdir -p .ralph; echo $n >> .ralph/progress.md; git add -A; git commit -qm notes"),
    ]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "no_progress", iteration: 2 });
  });

  it("GT-11 --allow-dirty never touches the dirty paths, keeps what is staged, and leaves other work to the run", async () => {
    const place = scratch({}, { "mine.txt": "committed\n", "PLAN.md": PLAN["PLAN.md"] });
    place.put("mine.txt", "staged\n");
    place.git("add", "mine.txt");
    place.put("mine.txt", "edited\n");
    place.put("loose.txt", "loose\n");
    const ran = await place.run(["run", "--allow-dirty", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    expect(place.git("show", "HEAD:mine.txt")).toBe("committed");
    expect(place.git("show", ":mine.txt")).toBe("staged");
    expect(place.read("mine.txt")).toBe("edited\n");
    expect(files(place)).toEqual(["PLAN.md", "README.md", "mine.txt", "work-1.txt"]);
    expect(place.git("status", "--porcelain")).toBe("MM mine.txt\n?? loose.txt");
  });

  it("--allow-dirty keeps the agent's change to such a path as a patch and puts the person's version back", async () => {
    const place = scratch({ ...PLAN, "README.md": "my own edit\n" });
    const ran = await place.run(["run", "--allow-dirty", ...agent(place, "echo agent >> README.md; work; tick")]);
    expect(ran.code).toBe(0);
    expect(place.read("README.md")).toBe("my own edit\n");
    expect(place.git("show", "HEAD:README.md")).toBe("readme");
    const [put] = ofType(place.journal(), "path.restored");
    expect(put?.path).toBe("README.md");
    expect(readFileSync(join(place.runDir(), put?.keptAs ?? ""), "utf8")).toContain("agent");
  });

  it("--branch, --current-branch and --worktree decide where commits go; a taken branch is left alone", async () => {
    const place = scratch(PLAN);
    place.git("branch", "ralph/plan");
    const old = place.git("rev-parse", "ralph/plan");
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    expect((await place.status()).branch).toBe("ralph/plan-2");
    expect(place.git("rev-parse", "ralph/plan")).toBe(old);
    const named = scratch(PLAN);
    expect((await named.run(["run", "--branch=feature/x", ...agent(named, "work; tick")])).code).toBe(0);
    expect((await named.status()).branch).toBe("feature/x");
    const current = scratch(PLAN);
    expect((await current.run(["run", "--current-branch", ...agent(current, "work; tick")])).code).toBe(0);
    expect(current.git("log", "--format=%s", "main", "-1")).toBe("one");
  });

  it("--worktree works elsewhere and leaves the dirty tree as it is; a second run there is fine meanwhile", async () => {
    const place = scratch({ ...PLAN, "README.md": "dirty\n" });
    const ran = await place.run(["run", "--worktree", ...agent(place, "pwd > ../../where; work; tick")]);
    expect(ran.code).toBe(0);
    const [, path = ""] = /worktree (\S+)\./.exec(ran.stderr) ?? [];
    const tree = at(path, place.home);
    expect(await tree.status()).toMatchObject({ status: "done", branch: "ralph/plan" });
    expect(place.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(place.git("show", "ralph/plan:work-1.txt")).toBe("1");
    expect(place.git("status", "--porcelain")).toBe(" M README.md\n?? PLAN.md");
    expect(place.has("work-1.txt")).toBe(false);
  });
});
