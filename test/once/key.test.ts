/** Keys: what a retry would find again, and what it would not. */
import { describe, expect, it } from "vitest";
import { derivedKey, literalKey } from "../../src/once/key.js";

const NOW = Date.parse("2026-11-30T22:15:30Z");

describe("a literal key", () => {
  it.each([
    "coupon-user-5",
    "notify release 1.2",
    "report-2026-11-30",
    "meeting-2026-12-24T10:00",
    "user-1700000000",
    "commit-9f8c1e0b7a6d5c4b3a29181716151413121110ff",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ])("%s stands", (key) => expect(literalKey(key, NOW)).toEqual({ kind: "key", key }));

  it.each([
    ["R-157 a random UUID", "550e8400-e29b-41d4-a716-446655440000"],
    ["a UUID behind a name", "coupon-550E8400-E29B-41D4-A716-446655440000"],
    ["a UUID without dashes", "550e8400e29b41d4a716446655440000"],
    ["a UUID of the time", "0193821e-7c00-7abc-8def-0123456789ab"],
    ["a ULID", "01JDZ3Q4ZJ8XG4N7V2T0R6M5KB"],
    ["seconds of now", `run-${Math.floor(NOW / 1000)}`],
    ["milliseconds of now", `run-${NOW}`],
    ["nanoseconds of now", `run-${NOW}000000`],
    ["a time of now", "run-2026-11-30T22:15:29Z"],
    ["a compact time of now", "run-20261130T221529Z"],
    ["nothing", "  "],
    ["a whole text", "x".repeat(501)],
  ])("is no %s", (_, key) => expect(literalKey(key, NOW)).toMatchObject({ kind: "refused" }));
});

describe("a derived key", () => {
  it("is the same for the same inputs and another for others, also where they are split differently", () => {
    const key = derivedKey(["POST /coupons", "user=5"], NOW);
    expect(derivedKey(["POST /coupons", "user=5"], NOW + 1_000_000)).toEqual(key);
    expect(derivedKey(["POST /coupons", "user=6"], NOW)).not.toEqual(key);
    expect(derivedKey(["POST /coupons user=5"], NOW)).not.toEqual(key);
  });

  it("may name a resource by its id, but be nothing else than one, nor empty, nor the time", () => {
    const id = "550e8400-e29b-41d4-a716-446655440000";
    expect(derivedKey([`DELETE /users/${id}`], NOW).kind).toBe("key");
    expect(derivedKey(["DELETE", id], NOW).kind).toBe("refused");
    expect(derivedKey(["POST", ""], NOW).kind).toBe("refused");
    expect(derivedKey([`at ${NOW}`], NOW).kind).toBe("refused");
  });
});
