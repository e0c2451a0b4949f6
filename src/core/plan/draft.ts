/** Reads the plan that an agent drafted out of its answer, and says what is wrong or weak in it. Pure. */
import type { GateSpec } from "../gate.js";
import { gateCommand } from "../gate.js";
import { remoteWrites } from "../remote-writes.js";
import { frontMatterKeys } from "./front-matter.js";
import { parsePlan } from "./parse.js";
import type { Plan, Task } from "./types.js";

const DRAFT_OPENING = "<<<PLAN";
const DRAFT_CLOSING = "PLAN>>>";

/** What a draft may configure. Limits, hooks, permissions and agents are a person's to set. */
const DRAFT_KEYS = new Set(["setup", "gates"]);
/** More is neither read by a person nor finished in a night. */
const MANY_TASKS = 30;
const LONG_TASK = 300;
/** Words with which a task begins that nobody can refuse. */
const VAGUE = /^(?:improve|enhance|clean ?up|refactor|optimi[sz]e|polish|fix (?:bugs|issues)|make (?:it )?(?:better|faster)|look into|investigate)\b/i;

/** null when the answer holds no draft: neither the marks nor something that begins like a plan. */
export function draftIn(answer: string): string | null {
  const lines = answer.replace(/\r\n?/g, "\n").split("\n");
  const from = lines.findLastIndex((line) => line.trim() === DRAFT_OPENING);
  if (from !== -1) {
    const to = lines.findIndex((line, at) => at > from && line.trim() === DRAFT_CLOSING);
    return to === -1 ? null : ended(lines.slice(from + 1, to).join("\n"));
  }
  const whole = answer.trim();
  const fenced = /^(`{3,}|~{3,})(?:markdown|md)?\n([\s\S]*)\n\1$/.exec(whole)?.[2];
  const text = (fenced ?? whole).trim();
  return /^(?:---\n|# )/.test(text) ? ended(text) : null;
}

function ended(text: string): string {
  return `${text.replace(/^\n+/, "").trimEnd()}\n`;
}

export type DraftReading = { kind: "plan"; plan: Plan } | { kind: "invalid"; problems: string[] };

/** Everything about its text alone; whether its settings hold is the configuration's to say. */
export function readDraft(source: string, path: string): DraftReading {
  const reading = parsePlan(source, { path, sections: null });
  if (reading.kind === "invalid") return { kind: "invalid", problems: reading.problems.map(({ line, message }) => `line ${line}: ${message}`) };
  const { plan } = reading;
  const foreign = Object.keys(frontMatterKeys(plan.frontMatter) ?? {}).filter((key) => !DRAFT_KEYS.has(key));
  const problems = [
    ...foreign.map((key) => `the front matter sets \`${key}\`; a draft may set ${[...DRAFT_KEYS].join(" and ")} alone`),
    ...(plan.tasks.some((task) => task.state === "open") ? [] : ["it has no open task: a list item with an empty box, such as - [ ] GET /health returns 200"]),
  ];
  return problems.length > 0 ? { kind: "invalid", problems } : { kind: "plan", plan };
}

/** What a person should look at before a night is spent on it; none of it prevents a run. */
export function weaknesses(plan: Pick<Plan, "tasks">, gates: readonly GateSpec[]): string[] {
  const open = plan.tasks.filter((task) => task.state === "open");
  const judged = gates.some((gate) => gate.required && gate.scope === "plan");
  return [
    ...(gates.length === 0 ? ["it names no gate: nothing but the agent's word will say that work is done"] : []),
    ...(open.length > MANY_TASKS ? [`${open.length} open tasks are many for one run`] : []),
    ...open.flatMap((task) => taskWeaknesses(task, judged)),
    ...gates.flatMap((gate) => remoteWrites(gateCommand(gate) ?? "").map(({ what, command }) => `gate ${gate.name} ${what}: ${command}`)),
  ];
}

function taskWeaknesses({ text, line, gates, edits }: Task, judged: boolean): string[] {
  const where = `line ${line}:`;
  return [
    ...(VAGUE.test(text) ? [`${where} nobody can say when this is done: ${text}`] : []),
    ...(text.length > LONG_TASK ? [`${where} a task of ${text.length} characters is rather several`] : []),
    ...(gates.length === 0 && !judged ? [`${where} no gate judges this task: ${text}`] : []),
    ...(edits.length === 0 ? [] : [`${where} this task may change protected files: ${edits.join(", ")}`]),
  ];
}
