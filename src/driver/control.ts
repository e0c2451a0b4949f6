/** Takes in what people ask of a running loop; each request is a journal event with who asked. */
import type { Driver } from "./driver.js";

export function takeControl(driver: Driver): void {
  for (const request of driver.world.control.poll()) {
    switch (request.kind) {
      case "stop":
        driver.record({ type: "control.requested", request: "stop", by: request.by, detail: request.now ? "now" : null });
        break;
      case "pause":
        driver.record({ type: "run.paused", by: request.by });
        break;
      case "resume":
        driver.record({ type: "run.unpaused", by: request.by });
        break;
      case "skip":
        driver.record(
          { type: "control.requested", request: "skip", by: request.by, detail: request.task },
          { type: "task.parked", task: request.task, question: `Skipped by ${request.by}.` },
        );
        break;
      case "note":
        driver.record({ type: "note.added", text: request.text, by: request.by });
        break;
      case "budget": {
        const { iterations = 0, tokens = 0, costMicroUsd = 0, timeMs = 0 } = request.add;
        driver.record({ type: "limits.raised", iterations, tokens, costMicroUsd, timeMs, by: request.by });
        break;
      }
    }
  }
}
