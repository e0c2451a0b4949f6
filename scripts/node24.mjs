/**
 * `npm run test:node24 [-- vitest arguments]`: the tests on Node 24. They run on it themselves, and it is the `node` of
 * everything that they start. When this isn't Node 24 already, it is taken from npm into a folder of this script.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "24.21.0";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = join(ROOT, "scripts/.node24");

/** Path of a Node 24. */
function node24() {
  if (process.versions.node.startsWith("24.")) return process.execPath;
  // The package of one platform holds the program; the package `node` would fetch it by an install script, which npm may refuse.
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(FOLDER, "node_modules", name, "bin/node");
  if (!existsSync(program) || versionOf(program) !== VERSION) install(`${name}@${VERSION}`);
  return program;
}

/** No dependency of the project: its `node` would stand in node_modules/.bin, before the developer's own in every script. */
function install(wanted) {
  mkdirSync(FOLDER, { recursive: true });
  // A package of its own, so that npm does not take this repository for the place to install into.
  writeFileSync(join(FOLDER, "package.json"), `${JSON.stringify({ private: true })}\n`);
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--save-exact", wanted], { cwd: FOLDER, stdio: "inherit" });
  if (status === 0) return;
  console.error(`npm could not install ${wanted}. Where npm has none for the system, start this with a Node 24 of your own: node scripts/node24.mjs`);
  process.exit(1);
}

function versionOf(program) {
  return execFileSync(program, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
}

const program = node24();
console.log(`The tests run on Node ${versionOf(program)}: ${program}`);
const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(program, [vitest, "run", ...process.argv.slice(2)], { cwd: ROOT, stdio: "inherit", env });
process.exitCode = status ?? 1;
