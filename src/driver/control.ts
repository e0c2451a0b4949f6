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
  const { control } = driver.world;
  for (const request of control.poll()) {
    const { id } = request;
    // A driver that died before it could delete the file has journaled the request.
    if (id === undefined || !driver.state.requests.includes(id)) take(driver, request, heard);
    if (id !== undefined) control.taken(id);
  }
  return heard;
}

/** In one write with the id: a crash in between would lose the request or let it count twice. */
function take(driver: Driver, request: ControlRequest, heard: Heard): void {
  const taken: JournalBody[] = request.id === undefined ? [] : [{ type: "request.taken", id: request.id }];
  const events = [...answer(driver, request, heard), ...taken];
  if (events.length > 0) driver.record(...events);
}

function answer(driver: Driver, request: ControlRequest, heard: Heard): JournalBody[] {
  switch (request.kind) {
    case "stop":
      return [{ type: "control.requested", request: "stop", by: request.by, detail: request.now ? "now" : null }];
    case "pause":
      return driver.state.paused ? [] : [{ type: "run.paused", by: request.by }];
    case "resume":
      return resume(driver, request.by, heard);
    case "skip":
      return [{ type: "control.requested", request: "skip", by: request.by, detail: request.task }, ...answerSkip(driver, request.task, request.by)];
    case "note":
      return [{ type: "note.added", text: request.text, by: request.by }];
    case "budget": {
      const { iterations = 0, tokens = 0, costMicroUsd = 0, timeMs = 0 } = request.add;
      return [{ type: "limits.raised", iterations, tokens, costMicroUsd, timeMs, by: request.by }];
    }
    case "notice":
      return [{ type: "warning", message: request.message }];
  }
}

/** Ends a pause; where none is, it ends a wait for a limit, and has the first agent tried again. */
function resume(driver: Driver, by: string, heard: Heard): JournalBody[] {
  if (driver.state.paused) return [{ type: "run.unpaused", by }];
  const { state, settings } = driver;
  const first = agentLabel(settings.agent);
  heard.tryNow = state.waiting !== null;
  const rests = Object.keys(state.resting).length > 0 || (settings.fallback.length > 0 && state.agent !== first);
  const detail = heard.tryNow ? "try now instead of waiting" : rests ? `try ${first} again` : "nothing was paused";
  const again: JournalBody[] = rests
    ? [{ type: "agent.switched", from: state.agent, to: first, class: "person", untilMs: null, why: `${by} wants it tried again now` }]
    : [];
  return [{ type: "control.requested", request: "resume", by, detail }, ...again];
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
