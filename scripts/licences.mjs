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
  const locked = JSON.parse(lockText).packages;
  const packages = installed(locked).map((path) => ({
    name: path.split("node_modules/").at(-1),
    version: locked[path].version,
    licence: locked[path].license ?? "unknown",
  }));
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  const refused = packages.filter(({ licence }) => !ALLOWED.has(licence)).map(({ name, licence }) => `${name}: ${licence}`);
  return { text: `${HEAD}${[...new Set(rows)].sort().join("\n")}\n`, refused };
}

/** Places of what the package needs, and of what that needs in turn. */
function installed(locked) {
  const places = new Set([""]);
  for (const place of places) for (const name of needs(locked[place])) places.add(placeOf(locked, place, name));
  places.delete("");
  return [...places].filter((place) => place !== null);
}

/** A peer that a package can do without is installed by nobody's npm. */
function needs(entry) {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = entry ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** As Node looks for it: beside the one that needs it, then further out. */
function placeOf(locked, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const place = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (locked[place] !== undefined) return place;
    if (at === "") return null;
  }
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
