/** The report's sections about what was put back, kept aside, left out, drafted or warned of. */
import type { RunState } from "../core/run-state.js";
import type { ReportContext } from "./context.js";
import { shortCommit } from "./format.js";
import { bullets, code, plain, table } from "./markdown-text.js";
import { taskText } from "./evidence-sections.js";

export function questionSection(state: RunState, context: ReportContext): string {
  const parked = Object.entries(state.parked).map(([task, question]) => `**${taskText(state, task)}** (parked): ${plain(question)}`);
  const manual = (context.tasks ?? []).filter((task) => task.state === "manual").map((task) => `**${plain(task.text)}**: only a person can do this.`);
  return bullets([...parked, ...manual]);
}

const RULES = { frozen: "frozen", compared: "protected", plan: "plan" } as const;

export function changeSections(state: RunState): { title: string; body: string }[] {
  const restored = state.restored.map(({ iteration, path, rule, why, keptAs }) => [
    String(iteration), code(path), RULES[rule], plain(why), keptAs === null ? "" : code(keptAs),
  ]);
  return [
    { title: "Restored", body: table(["#", "path", "rule", "why", "the agent's version"], restored) },
    { title: "Left out of commits", body: bullets(state.excluded.map(({ path, reason }) => `${code(path)}: ${plain(reason)}`)) },
    { title: "Left behind by gates", body: bullets(state.untouched.map(code)) },
    { title: "Saved aside", body: bullets(state.saved.map(({ ref, commit, why }) => `${code(ref)} at ${code(shortCommit(commit))}: ${plain(why)}`)) },
    { title: "Signs drafted", body: signs(state) },
    { title: "Warnings", body: bullets(state.warnings.map(plain)) },
  ];
}

function signs(state: RunState): string {
  const items = state.signs.map(({ trigger, path, iteration }) => `${code(path)} after iteration ${iteration}: when ${plain(trigger)}`);
  return items.length === 0 ? "" : `${bullets(items)}\n\nReview them with \`ralphd guardrails review\`.`;
}
