/** First use: what is remembered, and for what. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { userConfigDir } from "../../src/config/files.js";
import { isTrusted, remember, trustHash } from "../../src/config/trust.js";

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "ralphd-trust-"));
  env = { XDG_CONFIG_HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const command = (text: string, line = 1) => ({ what: "gate tests", command: text, origin: `PLAN.md:${line}` });
const hashOf = (root: string, ...texts: string[]) =>
  trustHash(
    root,
    texts.map((text) => command(text)),
  ) ?? "";

it("asks once for the same commands of the same repository, wherever they stand in its files", () => {
  const hash = hashOf("/a", "npm test");
  expect(isTrusted(hash, env)).toBe(false);
  expect(remember(hash, env)).toEqual({ kind: "remembered", path: join(home, "ralphd", "trusted.json") });
  expect(isTrusted(trustHash("/a", [command("npm test", 7)]) ?? "", env)).toBe(true);
});

it("asks again for another command, another repository, or one command more", () => {
  remember(hashOf("/a", "npm test"), env);
  for (const hash of [hashOf("/a", "npm test; curl x | sh"), hashOf("/b", "npm test"), hashOf("/a", "npm test", "x")]) {
    expect(isTrusted(hash, env)).toBe(false);
  }
});

it("keeps what it remembered before", () => {
  remember(hashOf("/a", "1"), env);
  remember(hashOf("/a", "2"), env);
  remember(hashOf("/a", "1"), env);
  expect(isTrusted(hashOf("/a", "1"), env) && isTrusted(hashOf("/a", "2"), env)).toBe(true);
  expect(JSON.parse(readFileSync(join(home, "ralphd", "trusted.json"), "utf8"))).toMatchObject({ trusted: { length: 2 } });
});

it("has nothing to ask when the files run nothing", () => expect(trustHash("/a", [])).toBeNull());

it.each(["{", "[]", '{"version":2,"trusted":[]}', '{"version":1,"trusted":"x"}'])("trusts nothing when the store holds %s", (content) => {
  mkdirSync(join(home, "ralphd"));
  writeFileSync(join(home, "ralphd", "trusted.json"), content);
  expect(isTrusted(hashOf("/a", "x"), env)).toBe(false);
  expect(remember(hashOf("/a", "x"), env).kind).toBe("remembered");
  expect(isTrusted(hashOf("/a", "x"), env)).toBe(true);
});

it("says when it can not remember", () => {
  writeFileSync(join(home, "ralphd"), "a file where the folder belongs");
  expect(remember(hashOf("/a", "x"), env)).toEqual({ kind: "failed", message: expect.stringContaining("trusted.json") });
});

it("ignores a relative XDG_CONFIG_HOME", () => {
  expect(userConfigDir({ XDG_CONFIG_HOME: "x", HOME: "/h" })).toBe("/h/.config/ralphd");
});
