/** What a command loads when it starts: libraries only where they are needed, and each command its own part of the program. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GROUPS } from "../../src/cli/command-groups.js";
import { build } from "../../src/cli/program.js";
import { shippedFile } from "../../src/shipped.js";
import { record } from "../cli/recorded.js";
import { scratch } from "../journal/scratch.js";
import { doneRun } from "../report/runs.js";
import { git } from "../workspace/scratch.js";

/** What parses configuration, Markdown and whatever people and models write. */
const HEAVY = ["zod", "@valibot/to-json-schema", "yaml", "mdast-util-from-markdown", "picomatch", "@anthropic-ai/sdk", "pino", "chokidar"];
/** The parts of the program that only a run needs; how programs are found, every command knows. */
const OF_RUNS = /^(?:driver|gates|sandbox|agents)\/(?!executable\.js$)/;

interface Loaded {
  code: number | null;
  packages: string[];
  /** Paths below dist/. */
  own: string[];
}

function loaded(cwd: string, ...argv: string[]): Loaded {
  const list = join(scratch(), "modules");
  const env = { PATH: process.env["PATH"], HOME: scratch(), MODULE_LIST: list };
  const preload = shippedFile("test/program/list-modules.mjs");
  const { status } = spawnSync(process.execPath, ["--import", preload, shippedFile("dist/main.js"), ...argv], { cwd, env });
  const urls = existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : [];
  const named = (pattern: RegExp): string[] => [...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []))].sort();
  return { code: status, packages: named(/node_modules\/((?:@[^/]+\/)?[^/]+)/), own: named(/\/dist\/(.*)$/).filter((path) => !path.includes("node_modules")) };
}

/** A repository with a finished run; `plan` is the one that it worked off. */
function finished(plan: string | null): string {
  const root = scratch();
  git(root, "init", "--quiet");
  mkdirSync(join(root, ".git/ralphd"));
  record(
    { root, truthDir: join(root, ".git/ralphd") },
    doneRun.map((event) => (event.type === "run.started" ? { ...event, plan } : event)),
  );
  if (plan !== null) writeFileSync(join(root, plan), "- [x] done\n");
  return root;
}

describe("starting", () => {
  it.each([
    ["--help", 0, ["--help"]],
    ["run --help", 0, ["run", "--help"]],
    ["status", 0, ["status"]],
    ["status --json", 0, ["status", "--json"]],
    ["note, with nothing running", 1, ["note", "use the fixtures"]],
    ["stop, with nothing running", 1, ["stop"]],
    ["once", 0, ["once", "a-key", "--", "true"]],
  ])("%s loads no parser and no part of a run", (_name, code, argv) => {
    const seen = loaded(finished(null), ...argv);
    expect(seen.code).toBe(code);
    expect(seen.own).toContain("main.js");
    expect(seen.packages.filter((name) => HEAVY.includes(name))).toEqual([]);
    expect(seen.own.filter((path) => OF_RUNS.test(path))).toEqual([]);
  });

  it("status loads the Markdown parser for a run with a plan, and counts its tasks", () => {
    expect(loaded(finished("PLAN.md"), "status").packages).toContain("mdast-util-from-markdown");
  });

  it("a run that no terminal watches loads nothing that measures characters, and no library of other agents", () => {
    const root = scratch();
    git(root, "init", "--quiet");
    git(root, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--allow-empty", "--message", "start");
    writeFileSync(join(root, "PLAN.md"), "---\ngates: [{ name: a, run: 'true' }]\n---\n- [ ] one\n");
    const { code, packages } = loaded(root, "run", "--dry-run", "--trust", "PLAN.md", "--", "true");
    expect(code).toBe(0);
    expect(packages).toEqual(expect.arrayContaining(["valibot", "yaml"]));
    const elsewhere = ["string-width", "wrap-ansi", "zod", "@valibot/to-json-schema", "@anthropic-ai/sdk", "@agentclientprotocol/sdk"];
    expect(packages.filter((name) => elsewhere.includes(name))).toEqual([]);
  });

  it("--version loads nothing but the entry", () => {
    expect(loaded(finished(null), "--version").own).toEqual(["main.js", "run/last-words.js", "version.js"]);
  });
});

describe("a group of commands", () => {
  it.each(GROUPS.filter(({ commands }) => commands.length > 0).map((group) => [group.commands.join(", "), group] as const))(
    "declares %s and nothing else",
    async (_names, { commands }) => {
      const names = async (typed: string | null): Promise<string[]> => (await build(() => undefined, typed)).commands.map((command) => command.name());
      for (const name of commands) expect(await names(name)).toEqual(commands);
      expect(await names(null)).toEqual(expect.arrayContaining([...commands]));
    },
  );

  it("belongs to every command but the one that needs all", async () => {
    const all = (await build(() => undefined)).commands.map((command) => command.name());
    expect(all.filter((name) => !GROUPS.some(({ commands }) => commands.includes(name)))).toEqual(["completion"]);
  });
});
