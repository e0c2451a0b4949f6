/** Runs one agent and watches it: silence, time, budget, brakes, people. Ends when the agent's whole tree is gone. */
import type { AgentEvent, AgentExit, StopCause } from "../core/agent-event.js";
import { fullAnswers } from "../core/context-warning.js";
import type { Leftovers } from "../core/kept-process.js";
import type { JournalBody } from "../core/journal-event.js";
import { usableShare } from "../core/reserve.js";
import { countedTokens, mergeUsage } from "../core/usage.js";
import { takeControl } from "./control.js";
import type { Driver } from "./driver.js";
import type { AgentRun } from "./ports.js";
import type { Prepared } from "./prepare.js";
import { Session } from "./session.js";
import { Silence } from "./silence.js";
import { removeNote, warnWhenDue } from "./warn.js";

/** How often silence, deadlines and the inbox are looked at. */
const TICK_MS = 500;
const OVER = "the agent is gone";

export async function act(driver: Driver, prepared: Prepared): Promise<void> {
  const { world, state } = driver;
  const session = newSession(driver, prepared.prompt);
  const startedMs = world.clock.monotonicMs();
  const run = driver.agent.start({
    prompt: prepared.prompt,
    promptBreaks: prepared.promptBreaks,
    cwd: world.repo.root,
    run: state.run,
    iteration: prepared.iteration,
    token: driver.token(prepared.iteration),
    streamPath: `${world.runFiles.iterationDir(prepared.iteration)}/stream.jsonl`,
    env: driver.env(prepared.iteration, driver.token(prepared.iteration)),
    keep: driver.settings.keep,
  });
  const stopNow = (): void => run.stop("human");
  world.control.now.addEventListener("abort", stopNow);
  if (world.control.now.aborted) stopNow();
  try {
    await follow(driver, { run, session, startedMs, iteration: prepared.iteration });
  } catch (error) {
    // A driver that can't go on leaves no agent that nobody watches. Its end is recorded by the next start, from the stream.
    run.stop("human");
    await run.exit;
    throw error;
  } finally {
    world.control.now.removeEventListener("abort", stopNow);
  }
  const exit = await run.exit;
  removeNote(driver, session);
  recordEnd(driver, session, exit, { durationMs: Math.round(world.clock.monotonicMs() - startedMs), outputBytes: run.outputBytes() }, run.leftovers());
}

export function newSession(driver: Driver, prompt: string): Session {
  const { settings, state, world, agentSettings } = driver;
  return new Session({
    settings,
    watch: state.watch,
    baseline: Object.values(state.baseline)
      .filter((result) => result.verdict === "fail")
      .map((result) => result.fingerprint),
    exempt: driver.ownPaths(),
    read: (path) => world.files.read(path),
    prompt,
    model: agentSettings.model,
    plainText: agentSettings.kind === "command" && agentSettings.output === "text",
  });
}

export function recordEnd(
  driver: Driver,
  session: Session,
  exit: AgentExit,
  facts: { durationMs: number; outputBytes: number },
  leftovers: Leftovers | null = null,
): void {
  const ended: JournalBody = {
    type: "agent.ended",
    ending: session.ending(exit, facts),
    usage: session.usage,
    claims: session.claims(exit),
    watch: session.watch,
    signs: session.signs,
    finalText: session.finalText(),
    ...(session.warned === null ? {} : { warned: session.warned }),
    ...(leftovers === null ? {} : { leftovers }),
  };
  // In one write: a hit that a crash could forget would be no brake.
  const hit: JournalBody[] = session.hit === null ? [] : [{ type: "brake.hit", hit: session.hit }];
  const risks: JournalBody[] =
    session.risks.length === 0 ? [] : [{ type: "warning", message: `The agent ran what goes around checks: ${session.risks.join("; ")}` }];
  driver.record(ended, ...hit, ...risks);
}

interface Followed {
  run: AgentRun;
  session: Session;
  startedMs: number;
  iteration: number;
}

async function follow(driver: Driver, followed: Followed): Promise<void> {
  const { run, session } = followed;
  const silence = new Silence(driver, run, followed.startedMs);
  const ticks = startTicks(driver);
  let pending = run.next();
  for (;;) {
    const event = await Promise.race([ticks.next(), pending]);
    if (event === null) {
      ticks.end();
      return;
    }
    if (event === "tick") {
      takeControl(driver);
      if (driver.state.stopRequested?.now === true) run.stop("human");
      const cause = await silence.cause();
      if (cause !== null) run.stop(cause);
      continue;
    }
    pending = run.next();
    silence.heard();
    session.take(event, driver.world.clock.nowMs());
    driver.world.observer.agent(followed.iteration, event);
    warnWhenDue(driver, run, session);
    const cause = causeOf(driver, session, event);
    if (cause !== null) run.stop(cause);
  }
}

/** Comes at its times whatever else happens: an agent that never pauses must not keep deadlines and people from being heard. */
function startTicks({ world: { clock } }: Driver): { next(): Promise<"tick">; end(): void } {
  const over = new AbortController();
  let coming: Promise<"tick"> | null = null;
  return {
    next() {
      coming ??= clock.sleep(TICK_MS, over.signal).then(() => {
        coming = null;
        return "tick" as const;
      });
      return coming;
    },
    // With a reason of its own: the usual one is an error with a stack, made anew each time.
    end: () => over.abort(OVER),
  };
}

/** What an event itself gives as a reason to end the agent: a brake, the budget, a full context. */
function causeOf(driver: Driver, session: Session, event: AgentEvent): StopCause | null {
  if (session.hit !== null) return "brake";
  if (event.type !== "usage") return null;
  const { limits } = driver.settings;
  const { granted, open } = driver.state;
  // What is kept back is for the wrap-up alone.
  const share = usableShare(open?.mode ?? "work", driver.settings);
  const total = mergeUsage(driver.state.usage, session.usage);
  const tokens = countedTokens(total);
  if (limits.tokens !== null && tokens !== null && tokens >= (limits.tokens + granted.tokens) * share) return "budget";
  if (limits.costMicroUsd !== null && total.costMicroUsd !== null && total.costMicroUsd >= (limits.costMicroUsd + granted.costMicroUsd) * share)
    return "budget";
  if (session.fullAnswers >= fullAnswers(driver.agentSettings.kind)) return "rotate";
  return null;
}
