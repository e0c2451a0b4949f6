/** Signatures in rarer forms: what counts as the same action, as only looking, and as a failure. */
import { describe, expect, it } from "vitest";
import { actionSignature } from "../../src/core/signature/action.js";
import { commandSignature } from "../../src/core/signature/command.js";
import { commandVerdict } from "../../src/core/signature/failure.js";
import { isPoll, isReadOnlyCommand } from "../../src/core/signature/read-only.js";

describe("an action's signature", () => {
  it("stays one whatever depth its arguments have", () => {
    const nested = (depth: number): unknown => (depth === 0 ? "x" : { a: nested(depth - 1) });
    expect(actionSignature("t", nested(9))).not.toBe(actionSignature("t", nested(8)));
    expect(actionSignature("t", nested(12))).toBe(actionSignature("t", nested(20)));
  });

  // Replacing what is volatile in a whole file's text would take longer than what it tells.
  it("takes long texts as they are", () => {
    const text = (date: string): unknown => ({ content: `${date} ${"x".repeat(10_001)}` });
    expect(actionSignature("t", text("2026-11-30T20:11:00Z"))).not.toBe(actionSignature("t", text("2026-11-30T20:12:00Z")));
    expect(actionSignature("t", { content: "2026-11-30T20:11:00Z" })).toBe(actionSignature("t", { content: "2026-11-30T20:12:00Z" }));
  });
});

it.each([
  ["serve --port 3000", "serve --port 4000"],
  ["serve --port=3000", "serve --port=4000"],
  ["a b\\\nc", "a bc"],
])("%j and %j are one command", (one, other) => expect(commandSignature(one)).toBe(commandSignature(other)));

it.each([
  ["serve --count 3000", "serve --count 4000"],
  ["serve 3000", "serve 4000"],
])("%j and %j are two", (one, other) => expect(commandSignature(one)).not.toBe(commandSignature(other)));

describe("only looking", () => {
  it.each<[string, boolean]>([
    ["awk '{ print $1 }' a.txt", true],
    ["awk '{ print > \"b.txt\" }' a.txt", false],
    ["sed -n 1,9p a.txt", true],
    ["sed -i s/a/b/ a.txt", false],
    ["find . -name x", true],
    ["find . -delete", false],
    ["curl http://localhost:3000", true],
    ["curl -X POST http://localhost:3000", false],
    ["kubectl get pods", true],
    ["kubectl apply -f a.yaml", false],
    ["node --version", true],
    ["node a.js", false],
    ["", false],
  ])("%s: %s", (command, looks) => expect(isReadOnlyCommand(command)).toBe(looks));
});

// A poll that fails says "not yet": nobody is stuck who waits.
it.each<[string, boolean]>([
  ["curl http://127.0.0.1:3000/", true],
  ["wget -q https://example.com/healthz", true],
  ["curl https://example.com/a", false],
  ["gh pr checks 7", true],
  ["gh pr list", false],
  ["glab ci status", true],
  ["glab mr list", false],
  ["kubectl -n prod rollout status x", true],
  ["kubectl logs x", false],
  ["docker compose ps", true],
  ["docker logs x", false],
  ["systemctl is-active x", true],
  ["systemctl show x", false],
  ["sleep 5", true],
  ["cat a.txt", false],
  ["sleep 5 && npm test", false],
])("%s waits for something: %s", (command, waits) => expect(isPoll(command)).toBe(waits));

describe("a verdict without an exit code", () => {
  const verdict = (command: string, output: string, agentSaysFailed: boolean) => commandVerdict({ command, exitCode: null, output, agentSaysFailed });
  it.each<[string, string, boolean, string]>([
    ["npm tset", "sh: npmm: not found", false, "unclear"],
    ["npm test", "all good", false, "succeeded"],
    ["npm test", "# tests 2\n# fail 1", false, "failed"],
    ["cat test.log", "# tests 2\n# fail 1", false, "succeeded"],
    // grep answers with 1 that it found nothing; where its code is unknown that is the likelier reading.
    ["grep x a.txt", "", true, "succeeded"],
    ["git diff --quiet", "", true, "succeeded"],
    ["git push", "rejected", true, "failed"],
    ["npm test", "boom", true, "failed"],
  ])("%s with %j, said to have failed: %s, %s", (command, output, said, expected) => expect(verdict(command, output, said)).toBe(expected));
});
