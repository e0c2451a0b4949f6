/** Completion scripts in the shells themselves, and that the program's help can be learned from. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { completionScript } from "../../src/cli/completion/completion.js";
import { type Shell, WORDS } from "../../src/cli/completion/shape.js";
import { build } from "../../src/cli/program.js";
import { INPUTS } from "../../src/config/inputs.js";
import { kebabKey } from "../../src/config/keys.js";
import { runSchema } from "../../src/config/schema.js";
import { type Json, plainSchema } from "../config/editor-schema.js";

const program = await build(() => undefined);
const folder = mkdtempSync(join(tmpdir(), "ralphd-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function script(shell: Shell): string {
  const path = join(folder, `ralphd.${shell}`);
  writeFileSync(path, completionScript(shell, program));
  return path;
}

const has = (shell: Shell): boolean => spawnSync(shell, ["-c", "true"]).status === 0;
const told = (shell: Shell, code: string): string[] =>
  execFileSync(shell, [...(shell === "zsh" ? ["-f"] : []), "-c", code], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n");

/** Words before the cursor, and what must and must not be offered. */
const CASES: [typed: string[], offered: string[], not: string[]][] = [
  [["st"], ["status", "stop"], ["run"]],
  [["run", "--agent", "c"], ["claude", "codex"], ["gemini"]],
  [["run", "--max-"], ["--max-cost", "--max-limit-wait"], ["--json"]],
  [["gates", ""], ["list", "run", "test"], ["status"]],
  [["gates", "run", "--"], ["--plan", "--trust"], ["--max-cost"]],
  [["run", "--worktree", "--sandbox", "o"], ["on", "off"], ["auto"]],
  [["completion", ""], ["bash", "zsh", "fish"], ["run"]],
  [["init", "--import", "prd"], ["prd.json"], ["run"]],
  [["run", "--", "prd"], ["prd.json"], ["--agent"]],
];

function expectOffers(offers: string[][]): void {
  CASES.forEach(([typed, offered, not], index) => {
    expect(offers[index], typed.join(" ")).toEqual(expect.arrayContaining(offered));
    expect(
      offers[index]?.filter((word) => not.includes(word)),
      typed.join(" "),
    ).toEqual([]);
  });
}

describe("completion", () => {
  writeFileSync(join(folder, "prd.json"), "{}");
  const quoted = (words: string[]): string => ["ralphd", ...words].map((word) => `'${word}'`).join(" ");

  it.skipIf(!has("bash"))("in bash (needs bash)", () => {
    const tries = CASES.map(([typed]) => `COMP_WORDS=(${quoted(typed)}); COMP_CWORD=${typed.length}; _ralphd; echo "\${COMPREPLY[*]}"`);
    const lines = told(
      "bash",
      [`source ${script("bash")}`, ...tries, `COMP_WORDS=(ralphd run --sandbox = a); COMP_CWORD=4; _ralphd; echo "\${COMPREPLY[*]}"`].join("\n"),
    );
    expectOffers(lines.map((line) => line.split(" ")));
    expect(lines.at(-1)).toBe("auto");
  });

  it.skipIf(!has("zsh"))("in zsh, with its own helpers replaced by ones that print (needs zsh)", () => {
    const helpers = `compadd() { shift; print -rn -- "\${(@M)@:#$cur*} " }; _files() { print -rn -- $cur*(N) "" }; compset() { cur=\${cur#*=} }; compdef() { };
_describe() { local -a all; all=("\${(@P)@[-1]}"); all=("\${(@)all%%:*}"); print -rn -- "\${(@M)all:#$cur*} " };`;
    const tries = CASES.map(([typed]) => `words=(${quoted(typed)}); CURRENT=${typed.length + 1}; _ralphd; print`);
    const lines = told("zsh", [helpers, `source ${script("zsh")}`, ...tries, "words=(ralphd run --sandbox=a); CURRENT=3; _ralphd; print"].join("\n"));
    expectOffers(lines.map((line) => line.split(" ")));
    expect(lines.at(-1)?.trim()).toBe("auto");
  });

  it.skipIf(!has("fish"))("in fish (needs fish)", () => {
    const tries = CASES.map(([typed]) => `string join -- ' ' (complete -C "ralphd ${typed.join(" ")}" | string split -f1 \\t) ''`);
    expectOffers(told("fish", [`source ${script("fish")}`, ...tries].join("\n")).map((line) => line.trim().split(" ")));
  });

  it("offers the words that settings take", () => {
    const root = plainSchema(runSchema);
    for (const [flag, path] of Object.entries(INPUTS)) {
      let node: Json | undefined = root;
      for (const step of path) node = node?.properties?.[String(step)];
      const words = node?.enum ?? node?.anyOf?.flatMap((form) => form.enum ?? []) ?? [];
      if (words.length > 0) expect(WORDS[`--${kebabKey(flag)}`], flag).toEqual(words);
    }
  });

  it("knows no flag that the program does not have", () => {
    const flags = program.commands.flatMap((command) => command.options.map((option) => option.long));
    expect(Object.keys(WORDS).filter((flag) => !flags.includes(flag))).toEqual([]);
  });
});

describe("--help", () => {
  const helpOf = (command: Command): string => {
    let text = "";
    command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
    return text;
  };

  it.each(program.commands.map((command): [string, Command] => [command.name(), command]))("of %s has examples that name it", (name, command) => {
    const [, examples = ""] = helpOf(command).split("Examples:\n");
    expect(examples).toMatch(new RegExp(`ralphd ${name}\\b`));
  });
});
