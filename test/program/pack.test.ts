/** The tarball as npm would publish it: installs into an empty folder and runs. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CONFIG_ENV } from "../../src/agents/anthropic/config.js";
import { PROXY_PORT } from "../../src/sandbox/relay-plan.js";
import { shippedFile } from "../../src/shipped.js";

const folder = mkdtempSync(join(tmpdir(), "pack-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a program of the installed package as the driver does: by its path, the prompt on stdin. */
function startEntry(entry: string, args: string[], env: Record<string, string> = {}) {
  const file = join(folder, "node_modules/ralphd/dist", entry);
  return spawnSync(process.execPath, [file, ...args], {
    cwd: folder,
    encoding: "utf8",
    input: "Say hello.",
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
  });
}

function eventsOf(stdout: string): unknown[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("the packed program", () => {
  it("installs from its tarball, knows its version, finds its shipped files, its library and the programs that it starts", () => {
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: shippedFile("."), encoding: "utf8" })) as {
      filename: string;
      files: { path: string }[];
    }[];
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
    const library = execFileSync(process.execPath, ["--input-type=module", "-e", 'import { EXIT_CODES } from "ralphd"; console.log(EXIT_CODES.capped)'], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(library.trim()).toBe("3");
    const recording = join(folder, "recording.json");
    writeFileSync(recording, JSON.stringify({ version: 1, model: "recorded", iterations: [{ turns: [{ text: "hello" }] }] }));
    const agent = startEntry("agents/anthropic/child.js", [], { [CONFIG_ENV]: JSON.stringify({ replay: { recording, iteration: 1 } }) });
    expect(eventsOf(agent.stdout).at(-1), agent.stderr).toMatchObject({ type: "finished", ok: true, text: "hello" });
    // An agent that is gone at once: which of its pipes tells first is left open.
    const bridge = startEntry("agents/acp/bridge.js", ["sh", "-c", "exit 7"]);
    expect(eventsOf(bridge.stdout), bridge.stderr).toMatchObject([{ type: "error" }, { type: "finished", ok: false }]);
    const relay = startEntry("sandbox/relay.js", [JSON.stringify({ socket: join(folder, "proxy"), direct: [] }), "sh", "-c", "echo $HTTPS_PROXY; exit 7"]);
    expect([relay.status, relay.stdout], relay.stderr).toEqual([7, `http://127.0.0.1:${PROXY_PORT}\n`]);
  }, 180_000);
});
