/** `ralphd status --all`: what is listed, in which order, and what is forgotten. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { runStatusAll } from "../../src/cli/status-all.js";
import { knownPlaces, rememberPlace } from "../../src/run/known-places.js";
import { scratch } from "../journal/scratch.js";
import { doneRun, stuckRun } from "../report/runs.js";
import { killed, listening, live, place, type Place, record } from "./recorded.js";

let env: NodeJS.ProcessEnv;
beforeEach(() => {
  env = { XDG_STATE_HOME: scratch() };
});

const at = (second: number): string => `2026-11-30T20:00:${String(second).padStart(2, "0")}.000Z`;
const files = (): string[] => readdirSync(join(env["XDG_STATE_HOME"] ?? "", "ralphd/places"));

async function listed(json = true): Promise<{ code: number; lines: string[]; roots: [string, string | null][] }> {
  const said = listening();
  const code = await runStatusAll({ env, nowMs: Date.now(), json, ...said });
  const rows = json ? (JSON.parse(said.stdout[0] ?? "") as { repositories: { root: string; status: { status: string | null } | null }[] }).repositories : [];
  return { code, lines: said.stdout, roots: rows.map((row) => [row.root, row.status?.status ?? null]) };
}

function known(events: Parameters<typeof record>[1], second = 0): Place {
  const where = place();
  record(where, events);
  expect(rememberPlace(where, env, at(second))).toBeNull();
  return where;
}

it("lists what is at work first, then what waits for a person, then the rest", async () => {
  const done = known(doneRun);
  const stuck = known(stuckRun);
  const gone = known(stuckRun.slice(0, -1));
  killed(gone);
  const busy = known(stuckRun.slice(0, -1));
  const lock = live(busy);
  const { code, roots } = await listed();
  lock.release();
  expect(code).toBe(0);
  expect(roots[0]).toEqual([busy.root, "running"]);
  expect(roots.slice(1, 3).sort()).toEqual(
    [
      [stuck.root, "escalated"],
      [gone.root, "interrupted"],
    ].sort(),
  );
  expect(roots[3]).toEqual([done.root, "done"]);
});

it("prints a table for people", async () => {
  const where = known(stuckRun);
  const { lines } = await listed(false);
  expect(lines[0]).toMatch(/^REPOSITORY +STATUS +ITERATION +OPEN +DONE +COST +LAST +WHY$/);
  expect(lines[1]).toContain(where.root);
  expect(lines[1]).toMatch(/escalated +3 +unknown +unknown +\$0\.2725 .* ago +gutter_command$/);
});

it("forgets what is gone, and files that say nothing", async () => {
  const gone = known(doneRun);
  const stays = known(doneRun);
  rmSync(gone.root, { recursive: true });
  writeFileSync(join(env["XDG_STATE_HOME"] ?? "", "ralphd/places/half.json"), '{"version":');
  expect((await listed()).roots).toEqual([[stays.root, "done"]]);
  expect(files()).toHaveLength(1);
});

it("shows a damaged record without hiding the others, and says so by its exit code", async () => {
  const bad = place();
  writeFileSync(record(bad, doneRun).journalPath, "no json\nnor this\n");
  rememberPlace(bad, env, at(0));
  known(doneRun);
  const { code, lines } = await listed(false);
  expect(code).toBe(1);
  expect(lines).toHaveLength(3);
  expect(lines.find((line) => line.includes(bad.root))).toContain("damaged");
});

it("remembers a place once, and no more than 200", async () => {
  const where = known(doneRun, 59);
  for (const second of [58, 59]) rememberPlace(where, env, at(second));
  expect(files()).toHaveLength(1);
  for (let n = 0; n < 201; n += 1) {
    rememberPlace({ root: where.root, truthDir: join(where.truthDir, String(n)) }, env, at(0));
  }
  expect(files().length).toBeLessThanOrEqual(200);
  expect(knownPlaces(env)[0]?.truthDir).toBe(where.truthDir);
});

it("believes no file that lets another record speak for a repository, or that would move the cursor", async () => {
  const real = known(stuckRun);
  const forged = place();
  record(forged, doneRun);
  rememberPlace({ root: real.root, truthDir: forged.truthDir }, env, at(59));
  expect((await listed()).roots).toEqual([[real.root, "escalated"]]);
  const strange = `${real.root}/a\u001b[2Jb`;
  mkdirSync(join(strange, ".git/ralphd"), { recursive: true });
  rememberPlace({ root: strange, truthDir: join(strange, ".git/ralphd") }, env, at(0));
  expect((await listed(false)).lines.join("\n")).not.toContain("\u001b");
  expect((await listed()).roots).toHaveLength(2);
});

it("finds the record of a linked working tree", async () => {
  const main = place();
  const root = scratch();
  const truthDir = join(main.root, ".git/worktrees/side/ralphd");
  mkdirSync(truthDir, { recursive: true });
  writeFileSync(join(root, ".git"), `gitdir: ${join(main.root, ".git/worktrees/side")}\n`);
  record({ root, truthDir }, doneRun);
  rememberPlace({ root, truthDir }, env, at(0));
  expect((await listed()).roots).toEqual([[root, "done"]]);
});

it("says that nothing was started yet", async () => {
  expect((await listed(false)).lines[0]).toContain("No run has been started");
  expect((await listed()).roots).toEqual([]);
});

it("never fails a run: a folder that can't be made is a sentence", async () => {
  writeFileSync(join(env["XDG_STATE_HOME"] ?? "", "ralphd"), "");
  expect(rememberPlace(place(), env, at(0))).toContain("ENOTDIR");
});
