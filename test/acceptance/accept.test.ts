/** Taking a run's branch in, from outside: what is shown, what is refused, and what stays as it was. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, type Scratch, scratch, write } from "./harness.js";

const PLAN = "- [ ] write the work file\n";
const GATED = { "PLAN.md": PLAN, ".ralph/config.yaml": "gates:\n  - name: has-work\n    run: test -f work-1.txt\n" };

async function finished(files: Record<string, string> = GATED, body = "work; tick"): Promise<Scratch> {
  const place = scratch(files);
  await place.run(["run", "--trust", "--quiet", "-n", "2", ...agent(place, body)]);
  return place;
}

/** Everything that a failed attempt must leave alone. */
function shape(place: Scratch): string {
  return [place.git("for-each-ref"), place.git("status", "--porcelain"), place.git("symbolic-ref", "HEAD"), place.git("worktree", "list")].join("\n");
}

describe("accept", () => {
  it("shows the evidence and merges a verified run into the branch it came from", async () => {
    const place = await finished();
    const { code, stdout } = await place.run(["accept"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/done \(all_tasks_checked\), verified[\s\S]*gate has-work: pass[\s\S]*main is at/)]);
    expect(place.git("show", "main:work-1.txt")).toBe("1");
    expect(place.git("log", "-1", "--format=%P", "main").split(" ")).toHaveLength(2);
    expect((await place.run(["accept"])).stdout).toContain("has everything");
  });

  it("takes what a second run added to the work of a first one to where the first one began", async () => {
    const place = scratch(GATED);
    place.git("switch", "-q", "-c", "develop");
    await place.run(["run", "--trust", "--quiet", "-n", "1", ...agent(place, "echo half > half.txt")]);
    const second = await place.run(["run", "--trust", "-n", "1", ...agent(place, "work; tick")]);
    expect([second.code, place.git("branch", "--show-current")]).toEqual([0, "ralph/plan-2"]);
    // What git's own log says of HEAD is an agent's to write; the journal is not.
    write(join(place.root, ".git/logs/HEAD"), "");
    expect(await place.run(["accept"])).toMatchObject({ code: 0, stdout: expect.stringContaining("develop is at") });
    expect([place.git("show", "develop:half.txt"), place.git("show", "develop:work-1.txt")]).toEqual(["half", "1"]);
    // It has nothing to do any more, and still says how to take the work in.
    const third = await place.run(["run", "--trust", ...agent(place, "true")]);
    expect([third.code, third.stdout]).toEqual([0, expect.stringContaining("ralphd accept")]);
  });

  it("takes the work of a worktree to the branch that this was made from", async () => {
    const place = scratch({}, GATED);
    place.git("switch", "-q", "-c", "develop");
    const ran = await place.run(["run", "--trust", "--worktree", "-n", "2", ...agent(place, "work; tick")]);
    expect(ran.code, ran.stderr).toBe(0);
    const [worktree = ""] = readdirSync(join(place.home, "repo.ralphd"));
    const accepted = await place.run(["accept"], { cwd: join("../repo.ralphd", worktree) });
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("develop is at") });
  });

  it("says when the merged tree is not the judged one", async () => {
    const place = await finished();
    place.git("checkout", "-q", "main");
    place.put("other.txt", "x\n");
    place.git("add", "other.txt");
    place.git("commit", "-qm", "other");
    const { code, stdout } = await place.run(["accept"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("not the one that was judged")]);
    expect(place.has("work-1.txt")).toBe(true);
  });

  it("WT-01 a conflict leaves branches, files, index and worktrees as they were, and says so", async () => {
    const place = await finished();
    place.git("checkout", "-q", "main");
    place.put("work-1.txt", "mine\n");
    place.git("add", "work-1.txt");
    place.git("commit", "-qm", "mine");
    for (const way of [[], ["--squash"], ["--rebase"]]) {
      const before = shape(place);
      const { code, stderr } = await place.run(["accept", ...way]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("conflict in work-1.txt. Nothing was changed")]);
      expect(shape(place)).toBe(before);
    }
  });

  it("a refusing hook of the person leaves everything as it was", async () => {
    const place = await finished();
    write(join(place.root, ".git/hooks/pre-merge-commit"), "#!/bin/sh\necho not today >&2; exit 1\n");
    chmodSync(join(place.root, ".git/hooks/pre-merge-commit"), 0o755);
    const before = shape(place);
    expect(await place.run(["accept"])).toMatchObject({ code: 1, stderr: expect.stringContaining("not today") });
    expect(shape(place)).toBe(before);
  });

  it("squashes into one commit, on request without the loop's files", async () => {
    const place = await finished();
    expect((await place.run(["accept", "--squash", "--without-loop-files"])).code).toBe(0);
    expect(place.git("ls-tree", "-r", "--name-only", "main")).toBe("README.md\nwork-1.txt");
    expect(place.git("rev-list", "--count", "main")).toBe("2");
    expect(await place.run(["accept", "--without-loop-files"])).toMatchObject({ code: 2 });
  });

  it("rebases the run's commits and leaves its branch alone", async () => {
    const place = await finished();
    const tip = place.git("rev-parse", "ralph/plan");
    place.git("checkout", "-q", "main");
    place.git("commit", "-qm", "other", "--allow-empty");
    expect((await place.run(["accept", "--rebase"])).code).toBe(0);
    expect(place.git("log", "-1", "--format=%s", "main")).toBe("write the work file");
    expect(place.git("rev-list", "--merges", "--count", "main")).toBe("0");
    expect(place.git("rev-parse", "ralph/plan")).toBe(tip);
  });

  it("refuses what is not verified, unless told; a branch that moved after its proof is not", async () => {
    const place = await finished({ "PLAN.md": PLAN });
    expect(await place.run(["accept"])).toMatchObject({ code: 2, stderr: expect.stringContaining("not verified") });
    expect((await place.run(["accept", "--unverified"])).code).toBe(0);
    const moved = await finished();
    moved.git("commit", "-q", "--allow-empty", "-m", "later");
    expect(await moved.run(["accept"])).toMatchObject({ code: 2, stderr: expect.stringContaining("stands on") });
  });

  it("shows open questions, and changes nothing in a dry run", async () => {
    const place = await finished(GATED, "echo '<ralph>BLOCKED: which port?</ralph>'");
    const before = shape(place);
    const { code, stdout } = await place.run(["accept", "--unverified", "--dry-run"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("which port?")]);
    expect(shape(place)).toBe(before);
  });

  it("refuses a dirty working tree, a run below an agent, and a run without a branch of its own", async () => {
    const place = await finished();
    place.put("mine.txt", "x\n");
    expect(await place.run(["accept"])).toMatchObject({ code: 2, stderr: expect.stringContaining("mine.txt") });
    expect(await place.run(["accept"], { env: { RALPHD_RUN: "x" } })).toMatchObject({ code: 2, stderr: expect.stringContaining("for people") });
    expect(await scratch().run(["accept"])).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing to accept") });
  });

  it("pushes without force: a remote that went its own way stays", async () => {
    const place = await finished();
    const remote = join(place.home, "remote.git");
    place.git("init", "-q", "--bare", remote);
    place.git("remote", "add", "origin", remote);
    place.git("push", "-q", "origin", "main");
    expect((await place.run(["accept", "--push"])).code).toBe(0);
    expect(place.git("ls-remote", "origin", "main").split("\t")[0]).toBe(place.git("rev-parse", "main"));
    const foreign = place.git("commit-tree", "-m", "foreign", place.git("rev-parse", "main^{tree}"));
    place.git("push", "-q", "-f", "origin", `${foreign}:refs/heads/main`);
    expect((await place.run(["accept", "--push"])).code).toBe(1);
    expect(place.git("ls-remote", "origin", "main").split("\t")[0]).toBe(foreign);
  });

  it("opens a pull request by gh, with the evidence as its text", async () => {
    const place = await finished();
    const remote = join(place.home, "remote.git");
    place.git("init", "-q", "--bare", remote);
    place.git("remote", "add", "origin", remote);
    mkdirSync(join(place.home, "bin"));
    write(join(place.home, "bin/gh"), `#!/bin/sh\necho "$@" > ${place.home}/gh.args\ncat > ${place.home}/gh.body\necho https://example.org/pr/1\n`);
    chmodSync(join(place.home, "bin/gh"), 0o755);
    const { code, stdout } = await place.run(["accept", "--pr"], { env: { PATH: `${join(place.home, "bin")}:${process.env["PATH"]}` } });
    expect([code, stdout]).toEqual([0, expect.stringContaining("https://example.org/pr/1")]);
    expect(place.read("../gh.args")).toContain("pr create --head ralph/plan --base main");
    expect(place.read("../gh.body")).toContain("gate has-work: pass");
    expect(place.git("log", "-1", "--format=%s", "main")).toBe("start");
    // A second call, one after a call that died on the way, and one after a person has looked.
    const again = (): ReturnType<Scratch["run"]> => place.run(["accept", "--pr"], { env: { PATH: `${join(place.home, "bin")}:${process.env["PATH"]}` } });
    write(join(place.home, "gh.args"), "not called");
    expect(await again()).toMatchObject({ code: 0, stdout: expect.stringMatching(/opened at .* already: https:\/\/example\.org\/pr\/1\. Nothing was done/) });
    expect(place.read("../gh.args")).toBe("not called");
    const writes = join(place.root, ".git/ralphd/writes");
    const record =
      readdirSync(writes)
        .map((name) => join(writes, name, "entry.json"))
        .find((path) => readFileSync(path, "utf8").includes("pull-request:")) ?? "";
    write(record, readFileSync(record, "utf8").replace('"state": "done"', '"state": "pending"'));
    const unknown = await again();
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/unknown: the call that started it ended.*It is not opened again/) });
    expect(place.read("../gh.args")).not.toContain("pr create");
    const key = /--resolve (\S+) done/.exec(unknown.stderr)?.[1] ?? "";
    expect((await place.run(["once", "--resolve", key, "retry"])).code).toBe(0);
    expect((await again()).code).toBe(0);
    expect(place.read("../gh.args")).toContain("pr create");
  });

  it("looks at the remote when a push ended without an answer, instead of pushing blindly", async () => {
    const place = await finished();
    const remote = join(place.home, "remote.git");
    place.git("init", "-q", "--bare", remote);
    place.git("remote", "add", "origin", remote);
    expect((await place.run(["accept", "--push"])).stdout).toContain("Pushed main to origin");
    const [name = ""] = readdirSync(join(place.root, ".git/ralphd/writes"));
    const record = join(place.root, ".git/ralphd/writes", name, "entry.json");
    const left = (): void => write(record, readFileSync(record, "utf8").replace('"state": "done"', '"state": "pending"'));
    left();
    expect(await place.run(["accept", "--push"])).toMatchObject({ code: 0, stdout: expect.stringContaining("at this commit already") });
    left();
    place.git("--git-dir", remote, "update-ref", "-d", "refs/heads/main");
    expect(await place.run(["accept", "--push"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Pushed main to origin") });
    left();
    place.git("remote", "set-url", "--push", "origin", remote);
    renameSync(remote, `${remote}.away`);
    expect(await place.run(["accept", "--push"])).toMatchObject({ code: 1, stderr: expect.stringContaining("the remote can't be asked. Nothing was pushed") });
  });
});
