/** Takes in what people ask of a running loop; each request is a journal event with who asked. */
import { agentLabel } from "../core/agent-list.js";
import type { JournalBody } from "../core/journal-event.js";
import { findTask } from "../core/plan/find-task.js";
import type { Driver } from "./driver.js";
import { readPlan } from "./plan-view.js";
import type { ControlRequest } from "./ports.js";

export interface Heard {
  /** A person wants a wait to end now. */
  tryNow: boolean;
}

export function takeControl(driver: Driver): Heard {
  const heard: Heard = { tryNow: false };
  for (const request of driver.world.control.poll()) {
    switch (request.kind) {
      case "stop":
        driver.record({ type: "control.requested", request: "stop", by: request.by, detail: request.now ? "now" : null });
        break;
      case "pause":
        if (!driver.state.paused) driver.record({ type: "run.paused", by: request.by });
        break;
      case "resume":
        resume(driver, request.by, heard);
        break;
      case "skip":
        skip(driver, request);
        break;
      case "note":
        driver.record({ type: "note.added", text: request.text, by: request.by });
        break;
      case "budget": {
        const { iterations = 0, tokens = 0, costMicroUsd = 0, timeMs = 0 } = request.add;
        driver.record({ type: "limits.raised", iterations, tokens, costMicroUsd, timeMs, by: request.by });
        break;
      }
      case "notice":
        driver.record({ type: "warning", message: request.message });
        break;
    }
  }
  return heard;
}

/** Ends a pause; where none is, it ends a wait for a limit, and has the first agent tried again. */
function resume(driver: Driver, by: string, heard: Heard): void {
  if (driver.state.paused) {
    driver.record({ type: "run.unpaused", by });
    return;
  }
  const { state, settings } = driver;
  const first = agentLabel(settings.agent);
  heard.tryNow = state.waiting !== null;
  const rests = Object.keys(state.resting).length > 0 || (settings.fallback.length > 0 && state.agent !== first);
  const detail = heard.tryNow ? "try now instead of waiting" : rests ? `try ${first} again` : "nothing was paused";
  const again: JournalBody[] = rests ? [{ type: "agent.switched", from: state.agent, to: first, class: "person", untilMs: null, why: `${by} wants it tried again now` }] : [];
  driver.record({ type: "control.requested", request: "resume", by, detail }, ...again);
}

function skip(driver: Driver, { task: wanted, by }: Extract<ControlRequest, { kind: "skip" }>): void {
  // In one write: a request that a crash parted from what it asks for would be lost.
  driver.record({ type: "control.requested", request: "skip", by, detail: wanted }, ...answerSkip(driver, wanted, by));
}

function answerSkip(driver: Driver, wanted: string, by: string): JournalBody[] {
  const { plan } = readPlan(driver);
  const found = findTask(plan?.tasks ?? [], wanted);
  if (found.kind === "task" && found.task.state === "open") {
    return driver.state.parked[found.task.id] === undefined ? [{ type: "task.parked", task: found.task.id, question: `Skipped by ${by}.` }] : [];
  }
  const why = found.kind === "task" ? `it is ${found.task.state}` : found.kind === "none" ? "the plan has no such task" : `${found.tasks.length} tasks fit`;
  return [{ type: "warning", message: `"${wanted}" can't be skipped, as ${by} asked: ${why}.` }];
}
