/** People ask what comes next, why it stopped and what an iteration did; asking changes nothing. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, type Scratch, scratch, until, write } from "./harness.js";

const TWO = { "PLAN.md": "- [ ] one\n- [ ] two\n" };

/** Everything below the repository, the record included. */
function snapshot(place: Scratch): string {
  return execFileSync("sh", ["-c", "find . -type f -not -name index -exec sha1sum {} + | sort"], { cwd: place.root, encoding: "utf8" });
}

async function unchanged<T>(place: Scratch, ask: () => Promise<T>): Promise<T> {
  const before = snapshot(place);
  const answer = await ask();
  expect(snapshot(place)).toBe(before);
  return answer;
}

describe("prompt, why and replay", () => {
  it("`prompt` shows what the first iteration is sent, byte for byte, with the size of each part", async () => {
    const place = scratch({ ...TWO, ".ralph/config.yaml": "limits:\n  iterations: 1\n" });
    const [, program] = agent(place, "work; tick");
    const config = join(place.home, "config/ralphd/config.yaml");
    write(config, `${readFileSync(config, "utf8")}agent: { kind: command, argv: [${program}] }\n`);
    const asked = await unchanged(place, () => place.run(["prompt"]));
    expect(asked.code).toBe(0);
    expect(asked.stderr).toMatch(/iteration 1 \(work\): ~[\d,]+ tokens in all, estimated[\s\S]*rules\s+~[\d,]+ tokens[\s\S]*notes\s+~/);
    const json = JSON.parse((await place.run(["prompt", "--json"])).stdout) as { text: string; parts: Record<string, { characters: number }> };
    await place.run(["run"]);
    expect(place.prompt(1)).toBe(json.text);
    expect(Object.keys(json.parts)).toEqual(["rules", "iteration", "signs", "task", "feedback", "notes"]);
  });

  it("`prompt` of a stopped run goes on where it stands", async () => {
    const place = scratch(TWO);
    const running = place.start(["run", ...agent(place, "work; tick; touch ../up; while [ ! -e ../go ]; do sleep 0.05; done")]);
    await until(() => place.has("../up"));
    expect((await place.run(["stop"])).code).toBe(0);
    place.put("../go", "");
    await running.ended;
    expect((await place.status()).status).toBe("stopped");
    const asked = await unchanged(place, () => place.run(["prompt", "--json"]));
    expect(JSON.parse(asked.stdout)).toMatchObject({ iteration: 2, mode: "work", task: "two", note: null });
  });

  it("`why` and `replay` explain a run that a limit ended", async () => {
    const place = scratch(TWO);
    expect(await place.run(["why"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/nothing has run/) });
    const events = `echo '{"type":"toolCall","id":"1","name":"bash","input":{},"command":"npm test"}'; echo '{"type":"toolResult","id":"1","ok":false,"exitCode":1,"output":"no"}'; work; tick; echo '{"type":"finished","ok":true,"text":"did it"}'`;
    expect((await place.run(["run", "-n", "1", "--agent-output", "events", ...agent(place, events)])).code).toBe(3);
    const why = await unchanged(place, () => place.run(["why"]));
    expect(why.code).toBe(0);
    expect(why.stdout).toMatch(
      /ended capped \(iterations\)[\s\S]*what was seen:[\s\S]*iterations: 1 of 1[\s\S]*what would have changed it:[\s\S]*--max-iterations[\s\S]*next:/,
    );
    expect(JSON.parse((await place.run(["why", "--json"])).stdout)).toMatchObject({ reason: "iterations", thresholds: ["iterations: 1 of 1"] });

    const replay = await unchanged(place, () => place.run(["replay", "1"]));
    expect(replay.code).toBe(0);
    expect(replay.stdout).toMatch(
      /: progress[\s\S]*# What it saw[\s\S]*Your task: one[\s\S]*# What it did\n\$ npm test {2}-> exit 1\n[\s\S]*last message: did it[\s\S]*# What came of it[\s\S]*work-1\.txt/,
    );
    expect(JSON.parse((await place.run(["replay", "1", "--json"])).stdout)).toMatchObject({
      iteration: 1,
      class: "progress",
      finalText: "did it",
      actions: expect.arrayContaining([expect.objectContaining({ command: "npm test", exitCode: 1 })]) as unknown,
    });
    expect(await place.run(["logs", "--tool", "BASH"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^#1 \$ npm test {2}-> exit 1$/m) });
    expect(await place.run(["replay", "9"])).toMatchObject({ code: 1, stderr: expect.stringMatching(/has no iteration 9/) });
    expect(await place.run(["replay", "x"])).toMatchObject({ code: 2 });
  });
});
