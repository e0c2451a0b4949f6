/** Gates on files, fields and servers: both verdicts of each kind, what is missing or malformed, and what takes too long. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FieldExpectation, GateCommon, GateResult, GateSpec } from "../../src/core/gate.js";
import type { RunTrees, TreeChange } from "../../src/driver/ports.js";
import { createGates } from "../../src/gates/gates.js";

const COMMON: GateCommon = { name: "g", required: true, scope: "plan", when: "claim", timeoutMs: 20_000, retries: 0, baseline: "require" };

function scratch(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "ralphd-kinds-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

function judge(spec: GateSpec, dir: string, trees?: RunTrees): Promise<GateResult> {
  const gates = createGates({ root: dir, killGraceMs: 200, run: "r1", redact: (text) => text.replaceAll("s3cret", "[redacted]") });
  return gates.run(spec, { cwd: dir, outputDir: join(dir, "out"), env: {}, signal: new AbortController().signal, trees });
}

const file = (path: string, matches: string, change: Partial<GateCommon> = {}): GateSpec => ({ ...COMMON, kind: "file", file: path, matches, ...change });
const field = (kind: "json" | "yaml", path: string, expect: FieldExpectation): GateSpec => ({ ...COMMON, kind, file: `report.${kind}`, path, expect });
const range = (min: number | null, max: number | null): FieldExpectation => ({ kind: "range", min, max });
const equals = (value: string | number | boolean): FieldExpectation => ({ kind: "equals", value });

describe("file", () => {
  it.each<[string, string, string, "pass" | "fail", string]>([
    ["text that matches", "version: 2\n", "^version: \\d+$", "pass", "notes.md matches /^version: \\d+$/"],
    ["a line in the middle", "a\nversion: 2\nb\n", "^version: \\d+$", "pass", "matches"],
    ["text that does not", "version: two\n", "^version: \\d+$", "fail", "notes.md has no match for /^version: \\d+$/ in its 2 lines"],
    ["an empty file", "", "\\S", "fail", "no match"],
  ])("%s", async (_, text, matches, verdict, reason) => {
    const result = await judge(file("notes.md", matches), scratch({ "notes.md": text }));
    expect(result).toMatchObject({ verdict, exitCode: null, outputPath: null, flaky: false });
    expect(result.reason).toContain(reason);
    expect(result.detail === null).toBe(verdict === "pass");
  });

  it("fails when the file is missing, is a folder, or is a link out of the repository", async () => {
    const outside = scratch({ "ok.txt": "ok" });
    const dir = scratch({ "folder/x": "ok" });
    symlinkSync(join(outside, "ok.txt"), join(dir, "link.txt"));
    expect((await judge(file("gone.txt", "ok"), dir)).reason).toBe("gone.txt is missing; expected text that matches /ok/");
    expect((await judge(file("folder", "ok"), dir)).reason).toContain("is no file");
    expect((await judge(file("link.txt", "ok"), dir)).reason).toContain("points out of the repository");
  });

  it("ends a pattern that would need ages", async () => {
    const result = await judge(file("a.txt", "^(a+)+$", { timeoutMs: 200 }), scratch({ "a.txt": `${"a".repeat(64)}b` }));
    expect(result).toMatchObject({ verdict: "fail" });
    expect(result.reason).toContain("took too long");
  });
});

describe("json and yaml", () => {
  const JSON_TEXT = JSON.stringify({ total: { lines: { pct: 81.5 } }, runs: [{ ok: true }, { ok: false }], name: "80", "a.b": 1 });
  it.each<[string, "json" | "yaml", string, string, FieldExpectation, "pass" | "fail", string]>([
    ["a number at least", "json", JSON_TEXT, "total.lines.pct", range(80, null), "pass", "total.lines.pct is 81.5"],
    [
      "a number below",
      "json",
      JSON_TEXT,
      "total.lines.pct",
      range(90, null),
      "fail",
      "total.lines.pct of report.json: expected a number that is at least 90, found 81.5",
    ],
    ["a number above", "json", JSON_TEXT, "total.lines.pct", range(null, 80), "fail", "at most 80, found 81.5"],
    ["between", "json", JSON_TEXT, "total.lines.pct", range(80, 82), "pass", "81.5"],
    ["equal", "json", JSON_TEXT, "runs[0].ok", equals(true), "pass", "true"],
    ["an index without brackets", "json", JSON_TEXT, "runs.1.ok", equals(true), "fail", "expected true, found false"],
    ["a key with a dot", "json", JSON_TEXT, '["a.b"]', equals(1), "pass", "1"],
    ["text is no number", "json", JSON_TEXT, "name", range(80, null), "fail", 'found "80"'],
    ["another type is not equal", "json", JSON_TEXT, "name", equals(80), "fail", 'expected 80, found "80"'],
    [
      "a field that is missing",
      "json",
      JSON_TEXT,
      "total.branches.pct",
      range(1, null),
      "fail",
      "report.json has no field total.branches (of total.branches.pct)",
    ],
    ["nothing inherited", "json", "{}", "constructor.name", equals("Object"), "fail", "no field constructor"],
    ["malformed", "json", "{not json", "a", equals(1), "fail", "report.json is no JSON"],
    ["empty", "json", "", "a", equals(1), "fail", "is no JSON"],
    ["yaml that holds", "yaml", "a:\n  - b: yes\n", "a[0].b", equals("yes"), "pass", "yes"],
    ["yaml that does not", "yaml", "a:\n  - b: no\n", "a[0].b", equals("yes"), "fail", 'expected "yes", found "no"'],
    ["malformed yaml", "yaml", "a: [1,\nb: }", "a", equals(1), "fail", "report.yaml is no YAML"],
  ])("%s (%s)", async (_, kind, text, path, expect_, verdict, reason) => {
    const result = await judge(field(kind, path, expect_), scratch({ [`report.${kind}`]: text }));
    expect([result.verdict, result.reason]).toEqual([verdict, expect.stringContaining(reason)]);
  });

  it("fails without the file", async () => {
    expect((await judge(field("json", "a", equals(1)), scratch({}))).reason).toBe("report.json is missing; expected a in it");
  });

  it("takes secrets out of what it found", async () => {
    const result = await judge(field("json", "token", equals("x")), scratch({ "report.json": '{"token":"s3cret"}' }));
    expect(result.reason).toContain("[redacted]");
    expect(JSON.stringify(result)).not.toContain("s3cret");
  });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

const http = (url: string, change: Partial<Extract<GateSpec, { kind: "http" }>> = {}): GateSpec => ({
  ...COMMON,
  kind: "http",
  url,
  host: null,
  status: 200,
  body: null,
  ...change,
});

describe("http", () => {
  it.each<[string, number, string, Partial<Extract<GateSpec, { kind: "http" }>>, "pass" | "fail", string]>([
    ["the status", 200, "", {}, "pass", "status 200"],
    ["another status", 500, "boom", {}, "fail", "answered 500, expected 200"],
    ["an expected error", 404, "", { status: 404 }, "pass", "status 404"],
    ["a body that matches", 200, '{"ok":true}', { body: '"ok":\\s*true' }, "pass", "body matches"],
    ["a body that does not", 200, '{"ok":false}', { body: '"ok":\\s*true' }, "fail", "is not in the body, which begins"],
  ])("%s", async (_, status, body, change, verdict, reason) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body));
    const result = await judge(http(`${url}/health`, change), scratch({}));
    expect([result.verdict, result.reason]).toEqual([verdict, expect.stringContaining(reason)]);
  });

  it("follows a redirect on the same host and none to another", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else if (request.url === "/away") response.writeHead(302, { location: "http://example.org/" }).end();
      else if (request.url === "/round") response.writeHead(302, { location: "/round" }).end();
      else response.end("here");
    });
    const dir = scratch({});
    expect(await judge(http(`${url}/old`, { body: "here" }), dir)).toMatchObject({ verdict: "pass" });
    expect((await judge(http(`${url}/away`), dir)).reason).toContain("leads to example.org, which is not asked");
    expect((await judge(http(`${url}/round`), dir)).reason).toContain("more than 5 times");
    expect(await judge(http(`${url}/away`, { status: 302 }), dir)).toMatchObject({ verdict: "pass" });
  });

  it("fails when nobody listens, and when a server never answers", async () => {
    const silent = await serve(() => undefined);
    const dir = scratch({});
    expect((await judge(http("http://127.0.0.1:1/"), dir)).reason).toMatch(/could not be asked: .*Is the server running\?/);
    expect((await judge(http(silent, { timeoutMs: 300 }), dir)).reason).toContain("gave no whole answer within 0.3 s");
  });

  it("tries again and says that it was flaky", async () => {
    let asked = 0;
    const url = await serve((_request, response) => response.writeHead((asked += 1) === 1 ? 503 : 200).end());
    expect(await judge(http(url, { retries: 1 }), scratch({}))).toMatchObject({ verdict: "pass", flaky: true });
  });
});

describe("diff", () => {
  const change = (path: string, kind: TreeChange["kind"]): TreeChange => ({ path, kind, oldMode: "100644", newMode: "100644", oldOid: "a", newOid: "b" });
  const trees = (changes: TreeChange[], before: Record<string, string>, after: Record<string, string>): RunTrees => ({
    changes: async () => changes,
    before: async (path) => before[path] ?? null,
    after: async (path) => after[path] ?? null,
  });
  const spec: GateSpec = { ...COMMON, kind: "diff", only: ["src/**"], maxLines: 3, noDeletedAssertions: [], noSkips: [] };

  it("passes what keeps to the rules, and names what does not", async () => {
    const dir = scratch({});
    const good = trees([change("src/a.js", "modified")], { "src/a.js": "1\n2\n" }, { "src/a.js": "1\n3\n" });
    expect(await judge(spec, dir, good)).toMatchObject({ verdict: "pass", reason: "1 changed file(s) keep to the rules" });
    const bad = trees([change("src/a.js", "modified"), change("docs/x.md", "added")], { "src/a.js": "1\n2\n" }, { "src/a.js": "3\n4\n", "docs/x.md": "x\n" });
    const result = await judge(spec, dir, bad);
    expect(result).toMatchObject({
      verdict: "fail",
      reason: "only src/** may change, but docs/x.md changed; at most 3 lines may change, found 5 in 2 file(s)",
    });
    expect(result.failing).toHaveLength(2);
  });

  it("fails where there is nothing to compare with, and when git fails", async () => {
    const dir = scratch({});
    expect(await judge(spec, dir)).toMatchObject({ verdict: "fail", reason: "there is no tree to compare with" });
    const broken: RunTrees = { ...trees([], {}, {}), changes: () => Promise.reject(new Error("bad object")) };
    expect((await judge(spec, dir, broken)).reason).toBe("could not be judged: bad object");
  });
});
