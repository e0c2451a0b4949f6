/** Installs the pinned agent CLIs from npm into a folder of these tests; later runs find them there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { CHOSEN, CLI_FOLDER, CLIS, type Cli, packagesOf } from "./clis.js";

export default function install(): void {
  const missing = CHOSEN.filter((cli) => !isInstalled(cli));
  if (missing.length === 0) return;
  mkdirSync(CLI_FOLDER, { recursive: true });
  // A package of its own, so that npm does not take this repository for the place to install into. What is there
  // already stays: npm removes what its package does not name.
  const present = (Object.keys(CLIS) as Cli[]).filter(isInstalled);
  writeFileSync(`${CLI_FOLDER}/package.json`, `${JSON.stringify({ private: true, dependencies: packages(present) })}\n`);
  const wanted = Object.entries(packages(missing)).map(([name, version]) => `${name}@${version}`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...wanted], { cwd: CLI_FOLDER, stdio: "inherit" });
}

function packages(clis: readonly Cli[]): Record<string, string> {
  return Object.assign({}, ...clis.map(packagesOf));
}

function isInstalled(cli: Cli): boolean {
  return Object.entries(packagesOf(cli)).every(([name, version]) => installedVersion(name) === version);
}

function installedVersion(name: string): string | null {
  try {
    const said = JSON.parse(readFileSync(`${CLI_FOLDER}/node_modules/${name}/package.json`, "utf8")) as { version?: unknown };
    return typeof said.version === "string" ? said.version : null;
  } catch {
    // Not there, or half there: either way it is installed again.
    return null;
  }
}
