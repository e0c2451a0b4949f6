/** Installs the pinned agent CLIs from npm into a folder of these tests; later runs find them there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { CHOSEN, CLI_FOLDER, CLIS, type Cli } from "./clis.js";

export default function install(): void {
  const missing = CHOSEN.filter((cli) => installedVersion(cli) !== CLIS[cli].version);
  if (missing.length === 0) return;
  mkdirSync(CLI_FOLDER, { recursive: true });
  // A package of its own, so that npm does not take this repository for the place to install into.
  writeFileSync(`${CLI_FOLDER}/package.json`, `${JSON.stringify({ private: true, dependencies: installed() })}\n`);
  const wanted = missing.map((cli) => `${CLIS[cli].package}@${CLIS[cli].version}`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...wanted], { cwd: CLI_FOLDER, stdio: "inherit" });
}

/** What is there already stays: npm removes what its package does not name. */
function installed(): Record<string, string> {
  const present = (Object.keys(CLIS) as Cli[]).filter((cli) => installedVersion(cli) !== null);
  return Object.fromEntries(present.map((cli) => [CLIS[cli].package, CLIS[cli].version]));
}

function installedVersion(cli: Cli): string | null {
  try {
    const said = JSON.parse(readFileSync(`${CLI_FOLDER}/node_modules/${CLIS[cli].package}/package.json`, "utf8")) as { version?: unknown };
    return typeof said.version === "string" ? said.version : null;
  } catch {
    // Not there, or half there: either way it is installed again.
    return null;
  }
}
