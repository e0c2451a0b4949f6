/** What the documentation says is what the program does: its commands, its links, its sentences about stops. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { build } from "../../src/cli/program.js";
import { userSchema } from "../../src/config/schema.js";
import { scratch, script } from "../acceptance/harness.js";
import { type Json, plainSchema } from "../config/editor-schema.js";
import { objection, type Shown, shownIn, shownInHelp } from "./commands.js";
import { namedSettings, troubleshootingPage } from "./troubleshooting.js";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGES = ["README.md", "state/README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)].filter((path) => path.endsWith(".md"));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const program = await build(() => undefined);

function helpTexts(command: Command): Shown[] {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return [...shownInHelp(`${command.name()} --help`, text), ...command.commands.flatMap(helpTexts)];
}

const SHOWN = [...PAGES.flatMap((path) => shownIn(path, read(path))), ...helpTexts(program)];

describe("the documentation", () => {
  it("shows only commands and flags that exist", () => {
    expect(SHOWN.length).toBeGreaterThan(80);
    const wrong = SHOWN.map((shown) => ({ where: shown.where, lacks: objection(shown, program) })).filter(({ lacks }) => lacks !== null);
    expect(wrong).toEqual([]);
  });

  it("would notice a wrong one", () => {
    const judged = ["ralphd ruin", "ralphd run --max-costs 5", "ralphd gates list extra", "ralphd replay", "ralphd status && ralphd note"].map((line) =>
      shownIn("page", `\`\`\`sh\n${line}\n\`\`\`\n`)
        .map((shown) => objection(shown, program))
        .filter((lacks) => lacks !== null),
    );
    expect(judged).toEqual([
      ["there is no command ruin"],
      ["run has no flag --max-costs"],
      ["extra is one argument too many"],
      ["iteration is missing"],
      ["text is missing"],
    ]);
  });

  it("links only to what is there", () => {
    const broken = PAGES.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, target = ""]) => ({ path, target }))
        .filter(({ target }) => !existsSync(join(ROOT, dirname(path), target))),
    );
    expect(broken).toEqual([]);
  });

  it("is linked from the README, page by page", () => {
    expect(PAGES.filter((path) => path !== "README.md" && !read("README.md").includes(`](${path})`))).toEqual([]);
  });

  it("explains every reason of a stop", async () => {
    await expect(troubleshootingPage()).toMatchFileSnapshot(join(ROOT, "docs/troubleshooting.md"));
    const root = plainSchema(userSchema);
    const has = (key: string): boolean => key.split(".").reduce<Json | undefined>((node, step) => node?.properties?.[step], root) !== undefined;
    expect(namedSettings().filter((key) => !has(key))).toEqual([]);
  });

  it("shows commands that read, and each of them runs", async () => {
    const place = scratch({ "PLAN.md": "---\ngates: [{ name: tests, run: 'true' }]\n---\n- [ ] one\n" });
    const agent = script(place, "#!/bin/sh\ncat > /dev/null\necho work > work.txt\nsed -i 's/- \\[ \\]/- [x]/' PLAN.md\n");
    expect(await place.run(["run", "--trust", ...agent])).toMatchObject({ code: 0 });
    // The rest would follow, open, change, need a person, an agent or a network, or name what only their reader has.
    const reading = new Set(["status", "logs", "report", "config", "why", "prompt", "agents", "gates list", "guardrails list", "completion"]);
    const runs = SHOWN.filter(({ words, whole }) => whole && (reading.has(words[0] ?? "") || reading.has(words.slice(0, 2).join(" ")))).map(
      ({ words }) => words,
    );
    // One form of each command, since each start costs.
    const tried = new Map(
      runs
        .filter((words) => !words.some((word) => ["-f", "--open", "--run", "--iteration", "night.md"].includes(word)))
        .map((words) => [words[0] ?? "", words]),
    );
    expect(tried.size).toBeGreaterThan(7);
    await Promise.all([...tried.values()].map(async (words) => expect({ words, ...(await place.run(words)) }).toMatchObject({ words, code: 0 })));
  });
});
