/**
 * `npm run mutate [-- FILE ...]`: changes a file of src/core/ in every small way, one change at a time, and asks whether the
 * tables of test/core/ that know the file notice. Without FILE: every file that docs/mutants.md lists, which takes hours.
 * Fails where a score is below the one that is listed there. `.stryker/` keeps results, so that only what changed runs again.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** File -> percent, from the table of docs/mutants.md. */
function floors() {
  const rows = readFileSync(join(ROOT, "docs/mutants.md"), "utf8").matchAll(/^\| `(src\/core\/\S+\.ts)` \| ([\d.]+) \|/gm);
  return new Map([...rows].map(([, file, percent]) => [file, Number(percent)]));
}

/** Of the tests in the folder of its name: those that import the file, themselves or by a helper, and those of its name; else all. */
function testsOf(file) {
  const named = file.replace(/^src\//, "test/").replace(/\.ts$/, ".test.ts");
  const tests = readdirSync(join(ROOT, dirname(named)))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${dirname(named)}/${name}`);
  const knowing = tests.filter((test) => test === named || imports(test).has(file));
  return knowing.length > 0 ? knowing : tests;
}

/** What a test imports, with what its helpers below test/ do. */
function imports(file, seen = new Set()) {
  for (const [, target] of readFileSync(join(ROOT, file), "utf8").matchAll(/ from "(\.[^"]+)\.js"/g)) {
    const path = relative(ROOT, resolve(ROOT, dirname(file), `${target}.ts`));
    if (seen.has(path) || !existsSync(join(ROOT, path))) continue;
    seen.add(path);
    if (path.startsWith("test/")) imports(path, seen);
  }
  return seen;
}

/** Stryker does not see that a row changed under its old name, so a change that nobody noticed is always tried again. */
function forgetUnnoticed(kept) {
  const path = join(ROOT, kept);
  if (!existsSync(path)) return;
  const results = JSON.parse(readFileSync(path, "utf8"));
  for (const file of Object.values(results.files)) file.mutants = file.mutants.filter(({ status }) => status === "Killed" || status === "Timeout");
  writeFileSync(path, JSON.stringify(results));
}

/** Percent of the changes that a test noticed; null when Stryker could not tell. */
function measure(file) {
  console.log(`${file} against ${testsOf(file).join(", ")}`);
  const kept = join(".stryker", file.replaceAll("/", "-"));
  const report = `${kept}.report.json`;
  forgetUnnoticed(`${kept}.kept.json`);
  const config = { MUTATE_FILE: file, MUTATE_REPORT: report, MUTATE_KEPT: `${kept}.kept.json`, MUTATE_TESTS: testsOf(file).join(",") };
  const stryker = join(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const { status } = spawnSync(process.execPath, [stryker, "run"], { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...config } });
  if (status !== 0) return null;
  const { files } = JSON.parse(readFileSync(join(ROOT, report), "utf8"));
  const counted = files[file].mutants.filter(({ status }) => ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status));
  const noticed = counted.filter(({ status }) => status === "Killed" || status === "Timeout");
  return (100 * noticed.length) / counted.length;
}

const listed = floors();
const asked = process.argv.slice(2);
for (const file of asked.length > 0 ? asked : listed.keys()) {
  const percent = measure(file);
  const floor = listed.get(file) ?? 0;
  // The table holds one decimal.
  const falls = percent === null || Number(percent.toFixed(1)) < floor;
  if (falls) process.exitCode = 1;
  console.log(`${falls ? "FALLS" : "holds"}  ${file}  ${percent?.toFixed(1) ?? "not measured"} %, listed ${floor} %`);
}
