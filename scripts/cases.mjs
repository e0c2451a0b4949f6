/**
 * `npm run cases`: the table of failure cases with the tests that hold them off. Runs the suite (or reads a finished
 * run's JSON with --from FILE) and fails on a row without a passing test.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const from = process.argv.indexOf("--from");
const folder = mkdtempSync(join(tmpdir(), "cases-"));
const output = from === -1 ? join(folder, "results.json") : process.argv[from + 1];
if (from === -1) spawnSync("npx", ["vitest", "run", "--reporter=json", `--outputFile=${output}`], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const results = JSON.parse(readFileSync(output, "utf8"));
rmSync(folder, { recursive: true, force: true });

/** Row id -> tests whose full name carries it. */
const tests = new Map();
for (const file of results.testResults) {
  for (const test of file.assertionResults) {
    for (const [id] of test.fullName.matchAll(/\b[A-Z]{2}-\d{2}\b/g)) {
      tests.set(id, [...(tests.get(id) ?? []), { name: test.fullName, file: relative(root, file.name), status: test.status }]);
    }
  }
}

let missing = 0;
for (const line of readFileSync(join(root, "test/cases.txt"), "utf8").split("\n").filter(Boolean)) {
  const [, id, situation] = /^(\S+) (.*)$/.exec(line);
  const found = tests.get(id) ?? [];
  const failed = found.filter((test) => test.status === "failed");
  const good = failed.length === 0 && found.some((test) => test.status === "passed");
  if (!good) missing += 1;
  const first = found[0];
  const where = first === undefined ? "" : `${first.file}: ${first.name}${found.length > 1 ? ` (and ${found.length - 1} more)` : ""}`;
  console.log(`${good ? "pass" : found.length === 0 ? "NONE" : "FAIL"}  ${id}  ${situation.slice(0, 60).padEnd(60)}  ${where}`);
}
console.log(missing === 0 ? "Every case has a passing test." : `${missing} cases without a passing test.`);
process.exitCode = missing === 0 ? 0 : 1;
