/**
 * `npm run licences`: lists what an installation brings along, each package with its licence, in docs/licences.md.
 * With --check nothing is written: it fails when the list is out of date. Fails on a licence that isn't allowed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Ask for no more than that their text is kept: SPDX identifiers. */
const ALLOWED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense"]);
const HEAD = `# Licences of the dependencies

What \`npm install ralphd\` brings along, as package-lock.json pins it. Written by \`npm run licences\`; \`npm test\` compares it.

| package | version | licence |
|---|---|---|
`;

/**
 * @param {string} lockText package-lock.json, version 3
 * @returns {{ text: string, refused: string[] }} the list as Markdown, and the packages whose licence isn't allowed or unknown
 */
export function licenceList(lockText) {
  const packages = Object.entries(JSON.parse(lockText).packages)
    .filter(([path, entry]) => path !== "" && entry.dev !== true)
    .map(([path, { version, license }]) => ({ name: path.split("node_modules/").at(-1), version, licence: license ?? "unknown" }));
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  const refused = packages.filter(({ licence }) => !ALLOWED.has(licence)).map(({ name, licence }) => `${name}: ${licence}`);
  return { text: `${HEAD}${[...new Set(rows)].sort().join("\n")}\n`, refused };
}

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const file = join(root, "docs/licences.md");
  const { text, refused } = licenceList(readFileSync(join(root, "package-lock.json"), "utf8"));
  for (const line of refused)
    console.error(`The licence is not among those allowed in scripts/licences.mjs: ${line}. Take another package, or allow it with a reason.`);
  const outdated = process.argv.includes("--check") && readFileSync(file, "utf8") !== text;
  if (outdated) console.error("docs/licences.md does not show what package-lock.json pins: run `npm run licences` and review the change.");
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  process.exitCode = refused.length > 0 || outdated ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
