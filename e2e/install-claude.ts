/** Installs the pinned Claude Code from npm into a folder of these tests; later runs find it there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The version whose stream the adapter was last checked with. */
export const CLAUDE_VERSION = "2.1.332";
const FOLDER = fileURLToPath(new URL(".cli", import.meta.url));
export const CLAUDE = `${FOLDER}/node_modules/.bin/claude`;

export default function install(): void {
  if (installedVersion() === CLAUDE_VERSION) return;
  mkdirSync(FOLDER, { recursive: true });
  // A package of its own, so that npm does not take this repository for the place to install into.
  writeFileSync(`${FOLDER}/package.json`, '{ "private": true }\n');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--save-exact", `@anthropic-ai/claude-code@${CLAUDE_VERSION}`], {
    cwd: FOLDER,
    stdio: "inherit",
  });
}

function installedVersion(): string | null {
  try {
    const said = JSON.parse(readFileSync(`${FOLDER}/node_modules/@anthropic-ai/claude-code/package.json`, "utf8")) as { version?: unknown };
    return typeof said.version === "string" ? said.version : null;
  } catch {
    // Not there, or half there: either way it is installed again.
    return null;
  }
}
