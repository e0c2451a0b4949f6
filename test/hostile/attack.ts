/** Runs one hostile agent against the real program and checks what must hold whatever it tried. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { parseSign } from "../../src/core/sign.js";
import { agent, type Ran, PROGRAM, type Scratch } from "../acceptance/harness.js";
import type { HostileAgent } from "./agents.js";
import { hostileRepository, PROTECTED, TASKS, TOOLS_TASKS } from "./repository.js";

export type Protection = "kernel" | "compared";

export interface Attacked {
  place: Scratch;
  ran: Ran;
  journal: JournalEvent[];
  /** What the agent was told on stderr, in all iterations. */
  told: string;
  /** What must be as it was. */
  files: Readonly<Record<string, string>>;
  ruins: boolean;
  tasks: readonly string[];
}

export async function attack(hostile: HostileAgent, protection: Protection): Promise<Attacked> {
  const { place, config } = hostileRepository(hostile.tools === true);
  const args = ["run", "--trust", "--quiet", ...agent(place, hostile.script)];
  // A person whose git configuration includes a file that is not there, so that an agent can make it.
  const home = join(place.home, "person");
  mkdirSync(join(home, "bin"), { recursive: true });
  writeFileSync(join(home, ".gitconfig"), "[include]\n\tpath = ~/.gitconfig.local\n");
  const env = {
    HOME: home,
    PATH: `${home}/bin:${process.env["PATH"]}`,
    GIT_CONFIG_GLOBAL: undefined,
    RALPHD_SANDBOX: protection === "kernel" ? "on" : "off",
    NODE: process.execPath,
    PROGRAM,
  };
  let ran = await place.run(args, { env });
  // A killed driver leaves a run without a status; the same command continues it.
  for (let tries = 0; ran.code === null && hostile.kills === true && tries < 4; tries += 1) ran = await place.run(args, { env });
  return {
    place,
    ran,
    files: { ...PROTECTED, ".ralph/config.yaml": config },
    tasks: hostile.tools === true ? TOOLS_TASKS : TASKS,
    journal: place.journal(),
    ruins: hostile.ruins === true,
    told: toldTo(place),
  };
}

/** What no agent may get by any trick. */
export async function expectUnharmed({ place, ran, journal, files, tasks, ruins }: Attacked): Promise<void> {
  expect(ran.code, ran.stderr).not.toBe(0);
  const { status, reason } = await place.status();
  expect(["capped", "escalated", "stopped", "failed"]).toContain(status);
  if (ruins) {
    expect([status, reason]).toEqual(["escalated", "tampering"]);
    return;
  }
  expectFiles(place, files);
  if (tasks === TOOLS_TASKS) expectTools(place);
  expectPlan(place, tasks);
  expectSigns(place);
  expectJournal(journal);
  expect(existsSync(join(place.home, "person/started")), "a program of the agent's was started by the driver's git").toBe(false);
}

function expectFiles(place: Scratch, files: Attacked["files"]): void {
  for (const [path, content] of Object.entries(files)) {
    expect(place.read(path), `${path} in the working tree`).toBe(content);
    expect(`${place.git("--no-replace-objects", "show", `ralph/plan:${path}`)}\n`, `${path} in the commit`).toBe(content);
    expect(place.git("ls-tree", "ralph/plan", "--", path), `mode of ${path}`).toMatch(/^100644 /);
  }
  expect(
    place
      .git("ls-tree", "-r", "--name-only", "ralph/plan")
      .split("\n")
      .filter((path) => /GNUmakefile|id_rsa|huge\.bin|\.env\.production/.test(path)),
  ).toEqual([]);
}

/** Only what a gate calls is kept; otherwise these files are work like any other. */
function expectTools(place: Scratch): void {
  expect(JSON.parse(place.git("show", "ralph/plan:package.json"))).toMatchObject({ scripts: { test: "node test/sum.test.js" } });
  expect(place.git("show", "ralph/plan:Makefile")).toContain("\tnode test");
}

function expectPlan(place: Scratch, tasks: readonly string[]): void {
  const plan = place.git("show", "ralph/plan:PLAN.md");
  for (const task of tasks) expect(plan).toContain(`- [ ] ${task} <!-- gate:`);
  expect(plan).toContain('protect: ["test/**"]');
}

function expectSigns(place: Scratch): void {
  const folder = join(place.root, ".ralph/guardrails");
  const approved = readdirSync(folder).filter((name) => parseSign(readFileSync(join(folder, name), "utf8"))?.status === "approved");
  expect(approved).toEqual(["approved.md"]);
}

/** Whole lines, begun once, ended once, and within the limit of one iteration. */
function expectJournal(journal: JournalEvent[]): void {
  const types = journal.map((event) => event.type);
  expect(types[0]).toBe("run.started");
  expect(types.at(-1)).toBe("run.stopped");
  expect(types.filter((type) => type === "iteration.started").length).toBeLessThanOrEqual(1);
  expect(types).not.toContain("limits.raised");
  expect(types).not.toContain("run.proved");
}

function toldTo(place: Scratch): string {
  const folder = join(place.runDir(), "iterations");
  return list(folder)
    .map((name) => readIfThere(join(folder, name, "stream.stderr")))
    .join("\n");
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The agent removed it, which is what the test is about.
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // An iteration whose agent said nothing, or was never started.
    return "";
  }
}

/** Living processes that work in the repository; they are ended here. */
export function leftovers(place: Scratch): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        if (!realpathSync(`/proc/${pid}/cwd`).startsWith(place.root)) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
        process.kill(Number(pid), "SIGKILL");
        return [command];
      } catch {
        // It ended meanwhile, which is what we want of it.
        return [];
      }
    });
}
