/** Which paths are frozen, and what a gate's command drags in. */
import { describe, expect, it } from "vitest";
import { frozenKind, gateFiles } from "../../../src/core/guard/frozen.js";
import { judgeSign } from "../../../src/core/guard/signs.js";

describe("frozenKind", () => {
  const rules = { freeze: ["vitest.config.*"], gateFiles: { files: ["check.sh"], packages: [] } };
  it.each<[string, string | null]>([
    [".ralph/config.yaml", "config"],
    [".ralph/prompts/work.md", "prompt"],
    [".ralph/guardrails/imports.md", "sign"],
    [".ralph/guardrails/notes/x.md", null],
    [".ralph/progress.md", null],
    ["check.sh", "gateScript"],
    ["vitest.config.ts", "freeze"],
    ["tsconfig.json", null],
    [".github/workflows/ci.yml", "ci"],
    [".github/CODEOWNERS", null],
    [".gitlab-ci.yml", "ci"],
    ["Jenkinsfile", "ci"],
    [".circleci/config.yml", "ci"],
    ["azure-pipelines.yml", "ci"],
    [".buildkite/pipeline.yml", "ci"],
    ["docs/Jenkinsfile", null],
    ["PLAN.md", null],
  ])("%s is %s", (path, kind) => {
    expect(frozenKind(path, rules)).toBe(kind);
  });
});

describe("gateFiles", () => {
  const files: Record<string, string> = {
    "package.json": JSON.stringify({ scripts: { test: "sh scripts/run.sh && npm --prefix web test", lint: "eslint ." } }),
    "web/package.json": JSON.stringify({ scripts: { test: "node build/check.mjs" } }),
    "scripts/run.sh": "",
    "ci/check":
      "#!/usr/bin/env bash\nset -e\n# ./ci/old.sh\nif [ -f go.mod ]; then ./ci/go.sh; fi\nsource ci/lib.sh \\\n  --fast\nnpm --prefix web test\nnode src/cli.mjs --version\nsh test/all.sh",
    "ci/go.sh": "make vet && ./ci/check",
    "ci/lib.sh": "run() { sh ci/deep.sh; }",
    "ci/deep.sh": "",
    "ci/old.sh": "",
    "ci/compiled": "\u007fELF\0\n./ci/old.sh\n",
    "ci/long.sh": `${Array.from({ length: 2_100 }, (_, n) => `echo ${n}`).join("\n")}\n./ci/go.sh\n`,
    "ci/tool": "#!/usr/bin/env node\nsh('./ci/old.sh')\n./ci/old.sh\n",
    "src/cli.mjs": "",
    "web/build/check.mjs": "",
    "test/all.mjs": "",
    "test/all.sh": "",
    Makefile: "",
  };
  const find = (...commands: string[]) => gateFiles({ commands, protect: ["test/**"], read: (path) => files[path] ?? null });

  it("finds nothing in a package.json that doesn't exist", () => {
    expect(find("npm --prefix nowhere test")).toEqual({ files: [], packages: [] });
  });

  it("follows package scripts to the files that they run", () => {
    const found = find("npm test");
    const settings = [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml"];
    expect(found.files).toEqual(["scripts/run.sh", "web/build/check.mjs", ...settings, ...settings.map((name) => `web/${name}`)].sort());
    expect(found.packages.map(({ path, scripts }) => [path, scripts.map((one) => one.name)])).toEqual([
      ["package.json", ["posttest", "pretest", "test"]],
      ["web/package.json", ["posttest", "pretest", "test"]],
    ]);
  });

  it("follows shell scripts to the scripts, packages and task files that they call, and leaves the programs that they try out to the work", () => {
    const found = find("./ci/check");
    const settings = [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml"].map((name) => `web/${name}`);
    const scripts = ["ci/check", "ci/deep.sh", "ci/go.sh", "ci/lib.sh", "test/all.sh"];
    expect(found.files).toEqual(["GNUmakefile", "Makefile", "makefile", ...scripts, "web/build/check.mjs", ...settings].sort());
    expect(found.packages.map(({ path }) => path)).toEqual(["web/package.json"]);
    expect(find("./ci/tool").files).toEqual(["ci/tool"]);
    expect(find("./ci/compiled").files).toEqual(["ci/compiled"]);
  });

  it("follows no script that is named behind two thousand other commands", () => {
    expect(find("./ci/long.sh").files).toEqual(["ci/go.sh", "ci/long.sh"]);
  });

  it("takes a protected script for a test that can grow, but not a shell script", () => {
    expect(find("node test/all.mjs", "sh test/all.sh").files).toEqual(["test/all.sh"]);
  });

  it("freezes all names of a task file once one exists, and none before", () => {
    expect(find("make test").files).toEqual(["GNUmakefile", "Makefile", "makefile"]);
    expect(find("just test").files).toEqual([]);
  });

  it("leaves what does not exist yet to the agent", () => {
    expect(find("./later.sh", "npm run later")).toEqual({ files: [], packages: [] });
  });
});

describe("judgeSign", () => {
  const sign = (status: string, text = "Look twice.") => `---\ntrigger: adding an import\nowner: me\nstatus: ${status}\n---\n${text}\n`;

  it.each<[string, string | null, string | null]>([
    ["a new draft", null, sign("draft")],
    ["a changed draft", sign("draft"), sign("draft", "Look again.")],
    ["a removed draft", sign("draft"), null],
    ["an untouched approved sign", sign("approved"), sign("approved")],
    ["a file that is no sign", null, "status: approved"],
    ["a word in the text", null, sign("draft", "status: approved")],
  ])("lets %s be", (_, before, after) => {
    expect(judgeSign(before, after)).toEqual({ kind: "ok" });
  });

  it.each<[string, string | null]>([
    ["changed", sign("approved", "Never mind.")],
    ["demoted", sign("draft")],
    ["removed", null],
  ])("brings an approved sign back that was %s", (_, after) => {
    expect(judgeSign(sign("approved"), after)).toMatchObject({ kind: "restore", content: sign("approved") });
  });

  it.each(["approved", '"approved"', "'approved'", "!!str approved", "approved # by me"])("turns `status: %s` of the agent's own back to draft", (status) => {
    expect(judgeSign(sign("draft"), sign(status))).toMatchObject({ kind: "restore", content: sign(status.replace("approved", "draft")) });
    expect(judgeSign(null, sign(status).replaceAll("\n", "\r\n"))).toMatchObject({ kind: "restore" });
  });
});
