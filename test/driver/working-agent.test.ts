/** What depends on the agent goes by the one that works, not by the one that the run began with. */
import { expect, it } from "vitest";
import { fold } from "../../src/core/fold.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { Driver, type World } from "../../src/driver/driver.js";
import type { Session } from "../../src/driver/session.js";
import { channelOf, removeNote } from "../../src/driver/warn.js";
import { whatIsLeft } from "../../src/driver/prepare.js";
import { doneRun } from "../report/runs.js";

const state = (...events: JournalEvent[]): RunState =>
  [...doneRun.slice(0, 1), ...events].reduce<RunState | null>((seen, event) => fold(seen, event), null) as RunState;
const event = (body: object): JournalEvent => ({ ...doneRun[0], ...body }) as JournalEvent;
const switched = event({ type: "agent.switched", from: "claude", to: "codex", class: "account", untilMs: null, why: "w" });

it("its way for warnings, its settings and its process", () => {
  const agent = { ...DEFAULT_SETTINGS.agent, name: "claude", kind: "claude" };
  const settings = {
    ...DEFAULT_SETTINGS,
    agent,
    fallback: [{ ...agent, name: "codex", kind: "codex", model: null, prices: { m: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } } }],
  };
  const [first, second] = [{ kind: "claude" }, { kind: "codex" }];
  // Only what is read here; nothing is started.
  const world = {
    agents: new Map([
      ["claude", first],
      ["codex", second],
    ]),
    files: {},
  } as unknown as World;
  const driver = (seen: RunState): Driver => new Driver(world, { settings, templates: {} as never, env: () => ({}), tokenSeed: "t" }, seen);
  const before = driver({ ...state(), agent: "claude" });
  const after = driver(state(switched));
  expect([channelOf(before), before.agent, before.agentSettings.kind]).toEqual(["message", first, "claude"]);
  expect([channelOf(after), after.agent, after.agentSettings.prices]).toEqual(["file", second, settings.fallback[0]?.prices]);
});

it("is told what is left of each limit, people's grants included; what nobody reported is unknown", () => {
  const limits = { ...DEFAULT_SETTINGS.limits, iterations: 10, tokens: 1_000, costMicroUsd: 2_500_000 };
  const fresh = state();
  const seen: RunState = {
    ...fresh,
    spent: 3,
    granted: { ...fresh.granted, iterations: 2, tokens: 500 },
    usage: { ...fresh.usage, inputTokens: 400, outputTokens: 100, costMicroUsd: 1_000_000 },
  };
  expect(whatIsLeft(seen, { ...DEFAULT_SETTINGS, limits }).slice(0, 3)).toEqual(["9 of 12 iterations", "1000 tokens", "$1.50"]);
  const blind: RunState = { ...fresh, records: [{} as RunState["records"][number]] };
  expect(whatIsLeft(blind, { ...DEFAULT_SETTINGS, limits }).slice(1, 3)).toEqual(["tokens unknown", "cost unknown"]);
});

it("finds no note that somebody else left in the driver's name, and people hear of it", () => {
  const recorded: JournalEvent[] = [];
  let note: string | null = null;
  const world = {
    agents: new Map([["claude", { kind: "claude" }]]),
    files: { remove: () => note !== null && (note = null) === null },
    journal: { append: (_: number, ...bodies: object[]) => bodies.map((body) => event(body)) },
    observer: { journal: (seen: JournalEvent) => void recorded.push(seen) },
  } as unknown as World;
  const driver = new Driver(world, { settings: DEFAULT_SETTINGS, templates: {} as never, env: () => ({}), tokenSeed: "t" }, state());
  const ours = { warned: { tokens: 1, estimated: false, channel: "file", delivered: false } } as Session;
  const silent = { warned: null } as Session;
  const left = ([who, text]: [Session, string | null]): number => {
    note = text;
    removeNote(driver, who);
    expect(note).toBeNull();
    return recorded.splice(0).length;
  };
  expect(
    (
      [
        [ours, "ours"],
        [silent, null],
        [silent, "forged"],
      ] as [Session, string | null][]
    ).map(left),
  ).toEqual([0, 0, 1]);
});
