/** Who is told what happens: the views in `.ralph/state`, and whoever watches. */
import type { Driver } from "../driver/driver.js";
import type { Observer } from "../driver/ports.js";
import { type Redactor, redactValue } from "../journal/redact.js";
import { readPlanTasks } from "../report/plan-tasks.js";
import { createViews, type Views } from "../report/views.js";

/** `driver` is asked at each refresh; it exists before the first event. */
export function openViews(root: string, redact: Redactor, driver: () => Driver | null): Promise<Views> {
  return createViews({
    root,
    redact,
    state: () => driver()?.state ?? null,
    context: (state) => ({
      tasks: readPlanTasks({
        root,
        path: state.started.plan,
        sections: driver()?.settings.taskSections ?? null,
        parked: new Set(Object.keys(state.parked)),
      }),
      nowMs: Date.now(),
      branch: state.started.branch,
      root,
      isolation: state.started.sandbox ? "kernel" : "compared",
    }),
  });
}

/** A terminal's output ends up in logs, so it is no place for secrets either. Journal events are clean already. */
export function redacted(observer: Observer, redact: Redactor): Observer {
  return { journal: (event) => observer.journal(event), agent: (iteration, event) => observer.agent(iteration, redactValue(event, redact)) };
}

/** Tells several; one that throws must not keep the others from being told, nor the run from going on. */
export function observeAll(observers: readonly Observer[], failed: (message: string) => void): Observer {
  const tell = (act: (observer: Observer) => void): void => {
    for (const observer of observers) {
      try {
        act(observer);
      } catch (error) {
        failed(`an observer failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  return {
    journal: (event) => tell((observer) => observer.journal(event)),
    agent: (iteration, event) => tell((observer) => observer.agent(iteration, event)),
  };
}
