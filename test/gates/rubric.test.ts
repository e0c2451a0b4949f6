/** Rubric gates with real reviewers as processes: what they get to see, what their answers are worth, what they cost. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { GateResult, Reviewer, RubricGate } from "../../src/core/gate.js";
import type { RunTrees } from "../../src/driver/ports.js";
import { createGates } from "../../src/gates/gates.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "ralphd-rubric-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const DOC = "# Title\n\nGrowth was 310 %.\n";
const TREES: RunTrees = {
  changes: async () => [{ path: "docs/a.md", kind: "modified", oldMode: "100644", newMode: "100644", oldOid: "a", newOid: "b" }],
  before: async () => "# Title\n",
  after: async (path) => (path === "docs/a.md" ? DOC : path === ".ralph/progress.md" ? "It all works, trust me." : null),
};

/** A program that saves its prompt and prints the n-th of these outputs. */
function reviewer(...outputs: string[]): Reviewer {
  writeFileSync(join(dir, "outputs.json"), JSON.stringify(outputs));
  const path = join(dir, "reviewer.mjs");
  writeFileSync(
    path,
    `#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const count = existsSync("count") ? Number(readFileSync("count", "utf8")) : 0;
writeFileSync("count", String(count + 1));
writeFileSync("prompt.txt", readFileSync(0, "utf8"));
const outputs = JSON.parse(readFileSync("outputs.json", "utf8"));
const output = outputs[count % outputs.length];
if (output === "HANG") setInterval(() => {}, 1000);
else if (output === "FAIL") { console.error("no quota"); process.exit(3); }
else process.stdout.write(output);
`,
  );
  chmodSync(path, 0o755);
  return { agent: "command", model: null, argv: ["./reviewer.mjs"] };
}

const says = (word: string, evidence: object = { file: "docs/a.md", line: 3 }, extra: object = {}): string =>
  JSON.stringify({ answers: [{ question: 1, answer: word, evidence }], ...extra });

function judge(change: Partial<RubricGate> & Pick<RubricGate, "reviewer">, env: Record<string, string> = {}): Promise<GateResult> {
  const spec: RubricGate = {
    kind: "rubric",
    name: "sources",
    required: true,
    scope: "plan",
    when: "claim",
    timeoutMs: 20_000,
    retries: 0,
    baseline: "require",
    questions: ["Does every number have a source?"],
    artefacts: [],
    votes: 1,
    minConfidence: 0.6,
    ...change,
  };
  const full = { PATH: process.env["PATH"] ?? "", ...env };
  const gates = createGates({ root: dir, killGraceMs: 200, run: "r1", reviewerEnv: () => full });
  return gates.run(spec, { cwd: dir, outputDir: join(dir, "out"), env: full, signal: new AbortController().signal, trees: TREES });
}

describe("a reviewer that is a command", () => {
  it("sees the diff and the artefacts, and nothing of the maker's words", async () => {
    writeFileSync(join(dir, "built.txt"), "from the build");
    const result = await judge({ reviewer: reviewer(says("yes")), artefacts: ["built.txt"] });
    expect(result).toMatchObject({ verdict: "pass", confidence: 1, fingerprint: "pass", detail: null });
    const prompt = readFileSync(join(dir, "prompt.txt"), "utf8");
    expect(prompt).toContain("+Growth was 310 %.");
    expect(prompt).toContain("1\tfrom the build");
    expect(prompt).not.toContain("trust me");
  });

  it("refuses an artefact that is the maker's notes, and one that is missing, without asking", async () => {
    const asked = reviewer(says("yes"));
    expect((await judge({ reviewer: asked, artefacts: [".ralph/progress.md"] })).reason).toContain("holds the maker's own words");
    expect((await judge({ reviewer: asked, artefacts: ["gone.txt"] })).reason).toBe("the artefact gone.txt is missing");
    expect(() => readFileSync(join(dir, "prompt.txt"))).toThrow();
  });

  it.each<[string, string[], "pass" | "fail", number | null, string]>([
    ["no", [says("no", { file: "docs/a.md", quote: "Growth was 310 %." })], "fail", 1, 'no (0 yes, 1 no of 1); evidence: docs/a.md "Growth was 310 %."'],
    ["garbled", ["looks good to me"], "fail", null, "no vote could be read"],
    ["a made-up quote", [says("yes", { file: "docs/a.md", quote: "Source: OECD" })], "fail", null, 'quotes "Source: OECD"'],
    ["a line that is not there", [says("yes", { file: "docs/a.md", line: 99 })], "fail", null, "cites docs/a.md:99"],
    ["a file that is not there", [says("yes", { file: "docs/b.md", line: 1 })], "fail", null, "not in the tree"],
    ["the maker's notes as evidence", [says("yes", { file: ".ralph/progress.md", line: 1 })], "fail", null, "not in the tree"],
    ["a path out of the tree", [says("yes", { file: "../../../etc/passwd", line: 1 })], "fail", null, "not in the tree"],
    ["a failure", ["FAIL"], "fail", null, "ended with exit code 3: no quota"],
    ["two of three yes", [says("yes"), says("no"), says("yes")], "pass", 2 / 3, "agreement 67 %"],
    ["two of three no", [says("no"), says("yes"), says("no")], "fail", 2 / 3, "not answered yes"],
    ["one of three readable", [says("yes"), "garbled", "garbled"], "fail", 1 / 3, "do not agree enough (33 % of at least 60 %)"],
  ])("that says %s", async (_, outputs, verdict, confidence, reason) => {
    const result = await judge({ reviewer: reviewer(...outputs), votes: outputs.length });
    expect([result.verdict, result.reason]).toEqual([verdict, expect.stringContaining(reason)]);
    if (confidence === null) expect(result.confidence).toBeNull();
    else expect(result.confidence).toBeCloseTo(confidence);
  });

  it("that ties is a fail", async () => {
    expect(await judge({ reviewer: reviewer(says("yes"), says("no")), votes: 2, minConfidence: 0 })).toMatchObject({
      verdict: "fail",
      confidence: 0.5,
      failing: ["question 1"],
    });
  });

  it("that passes with too little agreement is a fail all the same", async () => {
    expect(await judge({ reviewer: reviewer(says("yes"), says("no"), says("yes")), votes: 3, minConfidence: 0.9 })).toMatchObject({
      verdict: "fail",
      confidence: 2 / 3,
    });
  });

  it("that hangs is ended, and one that is missing is named", async () => {
    expect((await judge({ reviewer: reviewer("HANG"), timeoutMs: 300 })).reason).toContain("gave no answer within 0.3 s");
    const missing = await judge({ reviewer: { agent: "command", model: null, argv: ["./gone"] } });
    expect(missing).toMatchObject({ verdict: "fail", usage: { costMicroUsd: 0 } });
    expect(missing.reason).toContain("cannot start ./gone");
  });

  it("adds up what the votes say they used, and leaves unknown unknown", async () => {
    const usage = { inputTokens: 100, outputTokens: 10, costUsd: 0.01 };
    const told = await judge({ reviewer: reviewer(says("yes", undefined, { usage })), votes: 3 });
    expect(told.usage).toEqual({ inputTokens: 300, cachedInputTokens: null, outputTokens: 30, costMicroUsd: 30_000 });
    expect((await judge({ reviewer: reviewer(says("yes")) })).usage?.costMicroUsd).toBeNull();
  });
});

describe("Claude Code as a reviewer", () => {
  it("answers in an empty folder without tools, and its cost is known", async () => {
    const fake = join(dir, "bin/claude");
    mkdirSync(dirname(fake));
    const result = {
      type: "result",
      is_error: false,
      result: says("yes"),
      total_cost_usd: 0.02,
      modelUsage: { opus: { inputTokens: 5, outputTokens: 7, cacheReadInputTokens: 11, cacheCreationInputTokens: 13 } },
    };
    writeFileSync(
      fake,
      `#!/usr/bin/env node
import { readdirSync, writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(join(dir, "call.json"))}, JSON.stringify({ argv: process.argv.slice(2), files: readdirSync(".") }));
process.stdin.resume().on("end", () => console.log(${JSON.stringify(JSON.stringify(result))}));
`,
    );
    writeFileSync(join(dir, "bin/package.json"), '{"type":"module"}');
    chmodSync(fake, 0o755);
    const judged = await judge({ reviewer: { agent: "claude", model: "opus", argv: [] } }, { PATH: `${join(dir, "bin")}:${process.env["PATH"]}` });
    expect(judged).toMatchObject({ verdict: "pass", usage: { inputTokens: 18, cachedInputTokens: 11, outputTokens: 7, costMicroUsd: 20_000 } });
    const call = JSON.parse(readFileSync(join(dir, "call.json"), "utf8")) as { argv: string[]; files: string[] };
    expect(call.files).toEqual([]);
    expect(call.argv.slice(call.argv.indexOf("--tools"), call.argv.indexOf("--tools") + 2)).toEqual(["--tools", ""]);
    expect(call.argv.slice(-2)).toEqual(["--model", "opus"]);
  });
});

describe("the Messages API as a reviewer", () => {
  it("is asked without tools and reports what it used", async () => {
    const bodies: Record<string, unknown>[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          bodies.push(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>);
          response.writeHead(200, { "content-type": "text/event-stream" }).end(stream(says("no")));
        });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${address.port}` };
    const judged = await judge({ reviewer: { agent: "anthropic", model: "claude-opus-5-5", argv: [] } }, env);
    expect(judged).toMatchObject({ verdict: "fail", confidence: 1, usage: { inputTokens: 100, outputTokens: 20 } });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toHaveProperty("tools");
    expect(JSON.stringify(bodies[0])).toContain("independent reviewer");
  });
});

/** One answer as server-sent events. */
function stream(text: string): string {
  const usage = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const events = [
    {
      type: "message_start",
      message: { id: "m", type: "message", role: "assistant", model: "claude-opus-5-5", content: [], stop_reason: null, stop_sequence: null, usage },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
