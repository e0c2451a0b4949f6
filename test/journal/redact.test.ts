/** Secrets never reach the files: values of the environment, shapes of keys, and nothing else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../src/journal/journal.js";
import { createRedactor } from "../../src/journal/redact.js";
import { cpuMicros } from "./cpu-time.js";
import { RUN, started } from "./events.js";
import { scratch } from "./scratch.js";

const PEM = `-----BEGIN OPENSSH PRIVATE KEY-----\n${"b3BlbnNzaC1rZXktdjEAAAAABG5vbmU".repeat(2)}\n${"QyNTUxOQAAACBhYmNkZWZnaGlqa2xtbm9w".repeat(2)}\n-----END OPENSSH PRIVATE KEY-----`;
const env = {
  ANTHROPIC_API_KEY: "correct-horse-battery",
  DB_PASSWORD: 'p"a\\s$s(w)ord+1',
  DEPLOY_KEY: PEM,
  SHORT_TOKEN: "abc",
  MAX_TOKENS: "200000000",
  SSH_KEY_PATH: "/home/me/.ssh/id_ed25519",
  SIGNING_KEY: "/home/me/.ssh/id_ed25519",
  RALPHD_TOKEN: "sweep-token-0001",
  HOME: "/home/someone",
};
const redact = createRedactor(env);

describe("values of the environment", () => {
  it.each([
    ["plain", "key=correct-horse-battery;", "key=[redacted:ANTHROPIC_API_KEY];"],
    ["with characters of patterns", env.DB_PASSWORD, "[redacted:DB_PASSWORD]"],
    ["as JSON", JSON.stringify({ v: env.DB_PASSWORD }), '{"v":"[redacted:DB_PASSWORD]"}'],
    ["in a URL", `?p=${encodeURIComponent(env.DB_PASSWORD)}&`, "?p=[redacted:DB_PASSWORD]&"],
    ["as base64", `x ${Buffer.from("correct-horse-battery").toString("base64")}`, "x [redacted:ANTHROPIC_API_KEY]"],
    ["one line of several", PEM.split("\n")[1] ?? "", "[redacted:DEPLOY_KEY]"],
    ["twice", "correct-horse-battery correct-horse-battery", "[redacted:ANTHROPIC_API_KEY] [redacted:ANTHROPIC_API_KEY]"],
  ])("SE-05 %s", (_name, text, clean) => {
    expect(redact(text)).toBe(clean);
    expect(redact(clean)).toBe(clean);
  });

  it("leaves short values, numbers, places and other variables readable", () => {
    const text = "abc 200000000 /home/me/.ssh/id_ed25519 sweep-token-0001 /home/someone";
    expect(redact(text)).toBe(text);
  });
});

describe("shapes of keys", () => {
  it.each([
    ["ANTHROPIC_KEY", `sk-ant-api03-${"aB3".repeat(20)}`],
    ["API_KEY", `sk-proj-${"aB3".repeat(12)}`],
    ["GITHUB_TOKEN", `ghp_${"a1B2".repeat(9)}`],
    ["GITHUB_TOKEN", `github_pat_${"a1B2_".repeat(8)}`],
    ["GITLAB_TOKEN", `glpat-${"a1B2".repeat(5)}`],
    ["AWS_KEY", "AKIAIOSFODNN7EXAMPLE"],
    ["SLACK_TOKEN", "xoxb-123456789012-abcdefghij"],
    ["GOOGLE_KEY", `AIza${"a".repeat(35)}`],
    ["NPM_TOKEN", `npm_${"a1B2".repeat(9)}`],
    ["STRIPE_KEY", "sk_live_0123456789abcdefghij"],
    ["JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"],
    ["PRIVATE_KEY", PEM.replace(/b3Bl/g, "c4Cm").replace(/QyNT/g, "RzOU")],
    ["PRIVATE_KEY", "-----BEGIN RSA PRIVATE KEY-----\\nMIIEowIBAAKCAQEA\\n-----END RSA PRIVATE KEY-----"],
    ["AUTHORIZATION", "Authorization: Basic dXNlcjpwYXNz"],
    ["AUTHORIZATION", "x-api-key: 0123456789abcdef"],
    ["BEARER", "bearer abcdefghijklmnop0123"],
  ])("SE-05 %s", (name, secret) => {
    expect(redact(`before ${secret} after`)).toBe(`before [redacted:${name}] after`);
  });

  it("SE-05 cuts a key block whose end is missing, and the password of a URL", () => {
    expect(redact("x -----BEGIN PRIVATE KEY-----\nMIIEvQ")).toBe("x [redacted:PRIVATE_KEY]");
    expect(redact("postgres://app:hunter2!@db:5432/x")).toBe("postgres://[redacted:URL_PASSWORD]@db:5432/x");
  });

  it.each([
    "npm test -- --token-limit 80000",
    "fix: handle sk-learn-style-estimators-and-pipelines",
    "https://example.org:8080/a/b?c=d@e",
    "git@github.com:owner/name.git",
    "a".repeat(40),
    "authorization is checked in auth.ts",
  ])("leaves ordinary text alone: %s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("speed", () => {
  it("stays linear on text made to confuse it", () => {
    for (const piece of ["sk-", "://a:", "eyJaaaaaaaa.", "Authorization: ", "-----BEGIN ", "a", "bearer "]) {
      const small = piece.repeat(20_000 / piece.length);
      const unit = Math.max(
        200,
        cpuMicros(() => redact(small)),
      );
      // Sixteen times the text; a square would be 256 times the work.
      expect(cpuMicros(() => redact(small.repeat(16))) / unit, piece).toBeLessThan(16 * 6);
    }
  });
});

describe("the journal", () => {
  it("SE-05 stores no secret, returns what it stored, and keeps identities", () => {
    const path = join(scratch(), "journal.jsonl");
    const tree = "a".repeat(40);
    const opened = openJournal(path, RUN, { redact: createRedactor({ ...env, CACHE_KEY: tree }) });
    if ("problem" in opened) throw new Error(opened.problem.message);
    const task = { id: "use-correct-horse-battery", text: "use correct-horse-battery", gates: [], edits: [] };
    const written = opened.journal.append(0, started({ baseTree: tree, objective: `use ${env.DB_PASSWORD} now` }), { type: "task.added", task });
    const stored = readFileSync(path, "utf8");
    expect(stored).not.toContain("s$s(w)ord");
    expect(written[0]).toMatchObject({ baseTree: tree, objective: "use [redacted:DB_PASSWORD] now" });
    expect(written[1]).toMatchObject({ task: { id: task.id, text: "use [redacted:ANTHROPIC_API_KEY]" } });
    expect(
      stored
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(written);
  });
});
