/** Vendors' sentences about when a limit ends. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseResetTime } from "../../src/agents/reset-time.js";

const at = (iso: string): number => Date.parse(iso);
const read = (text: string, now: string, zone = "UTC"): string | null => {
  const ms = parseResetTime(text, at(now), zone);
  return ms === null ? null : new Date(ms).toISOString().replace(".000Z", "Z");
};

describe("reset times", () => {
  it.each([
    ["hit your limit · resets 11:30pm (Europe/Berlin)", "2026-11-30T20:00:00Z", "2026-11-30T22:30:00Z"],
    ["You've hit your session limit · resets 8:20pm (America/New_York)", "2026-11-30T20:00:00Z", "2026-12-01T01:20:00Z"],
    ["You're out of extra usage · resets 9pm", "2026-11-30T20:00:00Z", "2026-11-30T21:00:00Z"],
    ["5-hour limit reached ∙ resets 12:30am", "2026-11-30T20:00:00Z", "2026-12-01T00:30:00Z"],
    ["weekly limit reached", "2026-11-30T20:00:00Z", null],
    ["try again at Jun 11th, 2026 12:27 AM", "2026-06-08T00:00:00Z", "2026-06-11T00:27:00Z"],
    ["try again in ~4293 min", "2026-11-30T20:00:00Z", "2026-12-03T19:33:00Z"],
    ["rate limit exceeded: try again in 1.2s", "2026-11-30T20:00:00Z", "2026-11-30T20:00:01.200Z"],
    ["try again in 2 hours and 15 minutes.", "2026-11-30T20:00:00Z", "2026-11-30T22:15:00Z"],
    ["You've hit your usage limit. Upgrade or try again at 9:39 PM.", "2026-11-30T20:00:00Z", "2026-11-30T21:39:00Z"],
    ["Claude AI usage limit reached|1796074297", "2026-11-30T20:00:00Z", "2026-11-30T21:31:37Z"],
    ["resets at 2026-12-02T08:00:00+01:00", "2026-11-30T20:00:00Z", "2026-12-02T07:00:00Z"],
    ["You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 9:39 PM.", "2026-11-30T20:00:00Z", "2026-11-30T21:39:00Z"],
    [
      "You’ve hit your usage limit. To get more access now, send a request to your admin or try again at Dec 3rd, 2026 12:27 AM.",
      "2026-11-30T20:00:00Z",
      "2026-12-03T00:27:00Z",
    ],
    ["You’ve hit your usage limit. Try again in 3 days 5 hours 12 minutes.", "2026-11-30T20:00:00Z", "2026-12-04T01:12:00Z"],
    [
      "Rate limit reached for gpt-5.5 on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 898ms.",
      "2026-11-30T20:00:00Z",
      "2026-11-30T20:00:00.898Z",
    ],
    ["Please try again in 1m12.5s. Visit the docs", "2026-11-30T20:00:00Z", "2026-11-30T20:01:12.500Z"],
    ["Please retry in 34.074824224s.", "2026-11-30T20:00:00Z", "2026-11-30T20:00:34.075Z"],
    ['{"error":{"type":"usage_limit_reached","plan_type":"pro","resets_at":1796074740}}', "2026-11-30T20:00:00Z", "2026-11-30T21:39:00Z"],
    ['{"error":{"type":"usage_limit_reached","resets_in_seconds":5400}}', "2026-11-30T20:00:00Z", "2026-11-30T21:30:00Z"],
    ['"retryDelay": "34s"', "2026-11-30T20:00:00Z", "2026-11-30T20:00:34Z"],
    ["resets 21:30 (UTC)", "2026-11-30T20:00:00Z", "2026-11-30T21:30:00Z"],
    ["resets 9pm (your time)", "2026-11-30T20:00:00Z", "2026-11-30T21:00:00Z"],
  ])("RL-04 %s", (text, now, expected) => expect(read(text, now)).toBe(expected));

  it("RL-05 a time of day is the next one", () => {
    expect(read("resets 2:30am", "2026-11-30T23:00:00Z")).toBe("2026-12-01T02:30:00Z");
  });

  it("RL-06 a reset that just passed is that one, not tomorrow's", () => {
    expect(read("resets 9pm", "2026-11-30T21:02:00Z")).toBe("2026-11-30T21:00:00Z");
    expect(read("resets 11:59pm", "2026-12-01T00:03:00Z")).toBe("2026-11-30T23:59:00Z");
    expect(read("resets 9pm", "2026-11-30T21:20:00Z")).toBe("2026-12-01T21:00:00Z");
  });

  it.each([
    "resets 12:30",
    "resets 30",
    "resets 13pm",
    "resets 9:75pm",
    "resets 9 attempts",
    "resets Feb 30, 8am",
    "resets 9pm (Mars/Base)",
    "resets soon",
    "",
  ])("RL-07 %j names no time that can be trusted", (text) => expect(read(text, "2026-11-30T20:00:00Z")).toBe(null));

  it.each([
    ["weekly limit · resets Jan 15, 8am", "2026-12-30T10:00:00Z", "2027-01-15T08:00:00Z"],
    ["resets Dec 31 at 5pm (UTC)", "2026-12-30T10:00:00Z", "2026-12-31T17:00:00Z"],
    ["resets Dec 31 at 5pm (UTC)", "2027-01-01T10:00:00Z", "2026-12-31T17:00:00Z"],
    ["resets on September 1st, 2027 at 9:05 a.m.", "2026-12-30T10:00:00Z", "2027-09-01T09:05:00Z"],
  ])("RL-08 %s, seen at %s", (text, now, expected) => expect(read(text, now)).toBe(expected));

  it("RL-09 takes the zone from the text, else the local one", () => {
    expect(read("resets 3am (Asia/Tokyo)", "2026-11-30T12:00:00Z", "America/Los_Angeles")).toBe("2026-11-30T18:00:00Z");
    expect(read("resets 3am", "2026-11-30T12:00:00Z", "America/Los_Angeles")).toBe("2026-12-01T11:00:00Z");
  });

  it("RL-09 knows the nights of clock changes", () => {
    // Berlin 2027: forward on 28 March at 2:00, back on 31 October at 3:00.
    expect(read("resets 6am (Europe/Berlin)", "2027-03-27T22:00:00Z")).toBe("2027-03-28T04:00:00Z");
    expect(read("resets 2:30am (Europe/Berlin)", "2027-03-27T22:00:00Z")).toBe("2027-03-28T01:30:00Z");
    expect(read("resets 6am (Europe/Berlin)", "2027-10-30T22:00:00Z")).toBe("2027-10-31T05:00:00Z");
  });

  it("RL-05 any time of day is found within a day, in any zone", () => {
    const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata");
    const now = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2028-01-01T00:00:00Z") });
    fc.assert(
      fc.property(
        now,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom("am", "pm"),
        zone,
        (nowMs, hour, minute, half, name) => {
          const ms = parseResetTime(`resets ${hour}:${String(minute).padStart(2, "0")}${half} (${name})`, nowMs, "UTC");
          expect(ms).not.toBe(null);
          expect((ms ?? 0) - nowMs).toBeGreaterThanOrEqual(-600_000);
          // A day with a clock change has an hour more.
          expect((ms ?? 0) - nowMs).toBeLessThanOrEqual(25 * 3_600_000);
        },
      ),
    );
  });
});
