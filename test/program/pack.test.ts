/** The tarball as npm would publish it: installs into an empty folder and runs. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { shippedFile } from "../../src/shipped.js";

const folder = mkdtempSync(join(tmpdir(), "pack-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packed program", () => {
  it("installs from its tarball, knows its version, finds its shipped files and its library", () => {
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: shippedFile("."), encoding: "utf8" })) as { filename: string; files: { path: string }[] }[];
    if (packed === undefined) throw new Error("npm pack packed nothing");
    expect(packed.files.map((file) => file.path).filter((path) => /^(test|e2e|bench|src)\//.test(path))).toEqual([]);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--silent", join(folder, packed.filename)], { cwd: folder });
    const bin = join(folder, "node_modules/.bin/ralphd");
    const { version } = JSON.parse(readFileSync(shippedFile("package.json"), "utf8")) as { version: string };
    expect(execFileSync(bin, ["--version"], { encoding: "utf8" }).trim()).toBe(version);
    const repo = join(folder, "repo");
    execFileSync("git", ["init", "-q", repo]);
    execFileSync(bin, ["init", "--yes"], { cwd: repo, stdio: "ignore" });
    expect(readFileSync(join(repo, "PLAN.md"), "utf8")).toContain("- [ ]");
    const library = execFileSync(process.execPath, ["--input-type=module", "-e", 'import { EXIT_CODES } from "ralphd"; console.log(EXIT_CODES.capped)'], { cwd: folder, encoding: "utf8" });
    expect(library.trim()).toBe("3");
  }, 180_000);
});
