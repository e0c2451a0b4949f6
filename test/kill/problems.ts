/** What must hold of a repository after any number of deaths: nothing lost, doubled or left running. */
import type { JournalEvent } from "../../src/core/journal-event.js";
import { leftovers, ofType, type Scratch } from "../acceptance/harness.js";

export function problems(place: Scratch): string[] {
  const wrong: string[] = [];
  const events = place.journal();
  for (const type of ["iteration.started", "agent.ended", "iteration.ended"] as const) {
    const seen = ofType(events, type).map((event) => event.iteration);
    if (new Set(seen).size !== seen.length) wrong.push(`${type} twice: ${seen.join(" ")}`);
  }
  const counts = (type: JournalEvent["type"]): number => events.filter((event) => event.type === type).length;
  if (counts("iteration.started") !== counts("iteration.ended")) wrong.push("an iteration has no end");
  const trailers = place.git("log", "--format=%(trailers:key=Ralphd-Run,key=Ralphd-Iteration,valueonly,separator= )", "main..HEAD").split("\n").filter(Boolean);
  if (new Set(trailers).size !== trailers.length) wrong.push(`an iteration stands twice on the branch: ${trailers.join(", ")}`);
  const branch = new Set(place.git("rev-list", "HEAD").split("\n"));
  for (const event of ofType(events, "commit.created")) if (!branch.has(event.commit)) wrong.push(`commit ${event.commit} is not on the branch`);
  if (place.git("status", "--porcelain") !== "") wrong.push(`left in the tree: ${place.git("status", "--porcelain")}`);
  if (place.read("README.md") !== "readme\n") wrong.push("a file of the user changed");
  if (place.git("fsck", "--no-dangling", "--connectivity-only") !== "") wrong.push("git finds damage");
  // Elsewhere than on Linux there is nothing to look into.
  const running = process.platform === "linux" ? leftovers(place) : [];
  return [...wrong, ...running.map((pid) => `still running: process ${pid}`)];
}
