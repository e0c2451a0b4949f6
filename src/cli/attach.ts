/** `ralphd attach`: the screen of a run that goes on elsewhere, from its journal and recordings alone. Changes nothing. */
import { join } from "node:path";
import { createAgents } from "../agents/registry.js";
import { foldAll, fold } from "../core/fold.js";
import type { JournalEvent } from "../core/journal-event.js";
import { STATE_DIR } from "../core/paths.js";
import type { RunState } from "../core/run-state.js";
import { EXIT_CODES } from "../core/words.js";
import { followJournal, type JournalFollower } from "../journal/read.js";
import { createRedactor } from "../journal/redact.js";
import { latestRun, type RunStore } from "../journal/run-store.js";
import { livePid } from "../report/newest-run.js";
import { readFrozen } from "../run/run-record.js";
import { pause } from "./pause.js";
import type { AgentNow } from "./screen/agent-now.js";
import { lineBreaker } from "./screen/break-line.js";
import { outcomeLines } from "./screen/outcome.js";
import { type RecordedAgent, recordedAgent } from "./screen/recorded-agent.js";
import { openScreen, type Screen } from "./screen/screen.js";

export interface AttachOptions {
  root: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
  /** The person leaves. */
  signal: AbortSignal;
  out(line: string): void;
  err(line: string): void;
}

/** Between two looks: short for a person's eye, long for a processor. */
const POLL_MS = 250;
/** So much of what happened before is shown to whoever comes late. */
const LATEST_EVENTS = 12;
/** A driver that has ended its run still writes the report; it is waited for this long. */
const LINGER_MS = 5_000;

/** Exit code of the run once it has ended; 0 for a person who leaves, 1 when nothing runs. */
export async function runAttach(options: AttachOptions): Promise<number> {
  const found = await runningRun(options);
  if (found === null) {
    if (options.signal.aborted) return 0;
    options.err("ralphd: no run is going on in this working tree. `ralphd status` tells how the last one stands.");
    return EXIT_CODES.failed;
  }
  const { settings } = readFrozen(found.store);
  const created = await createAgents(settings, { cwd: options.root, env: options.env, confirmed: false });
  const agent =
    "agents" in created ? recordedAgent(found.store.dir, () => created.agents.get(found.state.open?.agent ?? "") ?? [...created.agents.values()][0]) : null;
  const screen = await openScreen({ json: false, quiet: false, env: options.env });
  try {
    screen.opened({ state: () => found.state, settings });
    found.latest.forEach(screen.observer.journal);
    await watch(found, { agent, screen, options });
  } finally {
    screen.close();
  }
  return farewell(found.state, options);
}

interface Found {
  store: RunStore;
  journal: JournalFollower;
  state: RunState;
  latest: JournalEvent[];
}

/** A driver that has only just started may not have begun or continued its run yet. */
async function runningRun({ truthDir, signal }: AttachOptions): Promise<Found | null> {
  while (!signal.aborted && livePid(truthDir) !== null) {
    const store = latestRun(truthDir);
    if (store !== null) {
      const journal = followJournal(store.journalPath, store.run);
      const { events } = journal.poll();
      const state = foldAll(events);
      if (state !== null && state.stopped === null) return { store, journal, state, latest: events.slice(-LATEST_EVENTS) };
    }
    await pause(POLL_MS, signal);
  }
  return null;
}

interface Watching {
  /** Null when the agent can't be made here, so that nobody can read its language. */
  agent: RecordedAgent | null;
  screen: Screen;
  options: AttachOptions;
}

async function watch(found: Found, { agent, screen, options }: Watching): Promise<void> {
  const redact = createRedactor(options.env);
  const withoutSecrets = (now: AgentNow): AgentNow => (now.doing === null ? now : { ...now, doing: { ...now.doing, text: redact(now.doing.text) } });
  let stoppedMs: number | null = null;
  while (!options.signal.aborted) {
    // Asked before reading: what a driver wrote last is read after it was seen to be gone.
    const alive = livePid(options.truthDir) !== null;
    const { events, problem } = found.journal.poll();
    for (const event of events) {
      fold(found.state, event);
      screen.observer.journal(event);
    }
    if (problem !== null) screen.say(`The journal is damaged in line ${problem.line}: ${problem.message}`);
    const now = found.state.open === null ? null : (agent?.look(found.state.open.number) ?? null);
    if (now !== null) screen.agentIs(withoutSecrets(now));
    stoppedMs = found.state.stopped === null ? null : (stoppedMs ?? performance.now());
    if (!alive || problem !== null || (stoppedMs !== null && performance.now() - stoppedMs > LINGER_MS)) return;
    await pause(POLL_MS, options.signal);
  }
}

async function farewell(state: RunState, { root, signal, out, err }: AttachOptions): Promise<number> {
  if (state.stopped !== null) {
    const place = { root, reportPath: join(root, STATE_DIR, "report.md"), cwd: process.cwd(), breakLine: await lineBreaker(process.stdout) };
    for (const line of outcomeLines(state, place)) out(line);
    return EXIT_CODES[state.stopped.status];
  }
  if (signal.aborted) {
    out(`You left; run ${state.run} goes on. \`ralphd attach\` comes back, \`ralphd stop\` ends it.`);
    return 0;
  }
  err("ralphd: the run's process is gone without a final status. `ralphd run` continues the run.");
  return EXIT_CODES.failed;
}
