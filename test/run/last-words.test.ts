/** What a dying program still says, and how long it is waited for. */
import { describe, expect, it } from "vitest";
import { onDeath, speakLastWords } from "../../src/run/last-words.js";

describe("last words", () => {
  it("NT-02 are spoken by all who still want to, also where one of them fails", async () => {
    const said: string[] = [];
    const takeBack = onDeath(async (message) => void said.push(`first: ${message}`));
    const others = [onDeath(() => Promise.reject(new Error("broken"))), onDeath(async (message) => void said.push(`third: ${message}`))];
    takeBack();
    await speakLastWords("a bug");
    expect(said).toEqual(["third: a bug"]);
    for (const forget of others) forget();
  });
});
