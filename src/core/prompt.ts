/** Assembles the prompt of one iteration: what iterations share (rules, signs, notes that only grow at their end), then what changes. */
import { NOTE_RULE } from "./context-warning.js";
import type { IterationMode } from "./journal-event.js";
import type { Feedback } from "./run-state.js";
import type { Sign } from "./sign.js";
import { renderSigns } from "./sign.js";

export type TemplateName = "rules" | "work" | "wrap-up" | "step-back";

export interface PromptInput {
  templates: Record<TemplateName, string>;
  mode: IterationMode;
  plan: string | null;
  objective: string | null;
  marker: string;
  iteration: number;
  task: { id: string; text: string; gates: string[]; edits: string[] } | null;
  /** Human sentences such as `12 of 20 iterations`. */
  left: string[];
  /** Level 1: what the agent changes is put back. */
  reportOnly?: boolean;
  feedback: readonly Feedback[];
  signs: readonly Sign[];
  progress: string;
  /** Told to agents that nothing else reaches while they work. */
  noteFile?: boolean;
}

export interface Prompt {
  text: string;
  /**
   * UTF-16 offsets, ascending: behind rules and signs, then behind each whole piece of the notes. What stands before one is
   * the same in the next iteration while rules and signs stay and notes are only added; caches hold it.
   */
  breaks: number[];
  /** UTF-16 length of each part, for `ralphd prompt`; signs belong to the rules, task and feedback to the iteration. */
  sizes: Record<"rules" | "iteration" | "signs" | "task" | "feedback" | "notes", number>;
}

const TEMPLATE_OF: Record<IterationMode, TemplateName> = { work: "work", wrapUp: "wrap-up", stepBack: "step-back" };
/** Characters of notes between two breaks: less would be more breaks than a cache looks at, more leaves more of them out of it. */
const PIECE_CHARACTERS = 1_024;
/** Characters of one gate's failure in the prompt; the whole output is on disk. */
const MAX_DETAIL = 4_000;
const MAX_FEEDBACK = 12_000;

export function assemblePrompt(input: PromptInput): Prompt {
  const signs = renderSigns(input.signs);
  const progress = input.progress.trim() === "" ? "None yet." : asData("notes", input.progress);
  const filled = fill("rules", input.templates.rules, {
    plan: input.plan ?? "there is none: the objective below is all",
    marker: input.marker,
    signs,
    progress,
  });
  const rules = input.noteFile === true ? `${filled.trimEnd()}\n\n${NOTE_RULE}` : filled;
  const name = TEMPLATE_OF[input.mode];
  const [task, feedback] = [renderTask(input), renderFeedback(input.feedback)];
  const iteration = fill(name, input.templates[name], {
    iteration: String(input.iteration),
    left: input.left.join(", "),
    task,
    feedback,
    progress,
  });
  const inRules = rules.lastIndexOf(progress);
  const sizes = {
    rules: rules.length - (inRules === -1 ? 0 : progress.length),
    iteration: iteration.length,
    signs: signs.length,
    task: task.length,
    feedback: feedback.length,
    notes: progress.length,
  };
  const head = `${rules.trimEnd()}\n\n`;
  const breaks = inRules === -1 ? [head.length] : [inRules, ...piecesOf(progress).map((end) => inRules + end)];
  return { text: `${head}${iteration.trimEnd()}\n`, breaks, sizes };
}

/** Ends of whole pieces, each at the end of a line, so that no character is cut and later lines move none of them. */
function piecesOf(text: string): number[] {
  const ends: number[] = [];
  for (let full = PIECE_CHARACTERS; full <= text.length; full += PIECE_CHARACTERS) {
    const end = text.lastIndexOf("\n", full - 1) + 1;
    if (end > (ends.at(-1) ?? 0)) ends.push(end);
  }
  return ends;
}

/** Replaces `{{name}}`; a name that the template uses and nobody gave is an error of the template. */
function fill(template: string, source: string, values: Record<string, string>): string {
  return source.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TemplateError(template, name, Object.keys(values));
    return value;
  });
}

export class TemplateError extends Error {
  constructor(template: string, name: string, known: string[]) {
    super(`prompt template ${template}.md uses {{${name}}}; it knows ${known.map((key) => `{{${key}}}`).join(", ")}`);
    this.name = "TemplateError";
  }
}

function renderTask(input: PromptInput): string {
  const rule =
    "\nThis run only reports. Read, run checks, and write what you find into `.ralph/progress.md`; changes to any other file but ticks in the plan are put back.";
  return `${renderGoal(input)}${input.reportOnly === true ? rule : ""}`;
}

function renderGoal({ task, objective, mode }: PromptInput): string {
  if (task === null) {
    return objective === null ? "All boxes are ticked, but the run is not proved yet. Repair what the failures below name." : `Objective: ${objective}`;
  }
  const lines = [mode === "work" ? `Your task: ${task.text}` : `The task in work: ${task.text}`];
  if (task.gates.length > 0) lines.push(`It counts as done when the driver sees these gates pass: ${task.gates.join(", ")}.`);
  if (task.edits.length > 0) lines.push(`You may change these protected paths for it: ${task.edits.join(", ")}.`);
  if (objective !== null) lines.push(`It serves this objective: ${objective}`);
  return lines.join("\n");
}

function renderFeedback(feedback: readonly Feedback[]): string {
  if (feedback.length === 0) return "# From the driver\n\nNothing to report.";
  let text = "";
  for (const item of feedback) {
    const line = `${renderItem(item)}\n`;
    if (text.length + line.length > MAX_FEEDBACK) {
      text += "- More of the same was left out.\n";
      break;
    }
    text += line;
  }
  return `# From the driver: what it saw after the last iteration\n\n${text.trimEnd()}`;
}

function renderItem(item: Feedback): string {
  switch (item.kind) {
    case "gate": {
      const detail = item.detail === null ? "" : `\n${asData("gate-output", item.detail.slice(0, MAX_DETAIL))}`;
      return `- Gate \`${item.name}\` failed: ${item.reason}.${whole(item.outputPath)}${detail}`;
    }
    case "unticked":
      return `- The box "${item.task}" was unticked: ${item.why}`;
    case "restored":
      return `- \`${item.path}\` was put back: ${item.why}`;
    case "plan":
      return `- The plan was put back: ${item.what}`;
    case "hook":
      return `- The commit was refused by a hook, a signing program or git itself; your work is still in the tree.${whole(item.outputPath)} It said:\n${asData("hook-output", item.output.slice(0, MAX_DETAIL))}`;
    case "nearMiss":
      return `- This line of the last message looked like a marker but is none: ${item.line}`;
    case "note":
      return `- A person left a note${item.again === true ? ", and the last iteration did not answer it" : ""}; answer it in .ralph/progress.md: ${item.text}`;
    case "excluded":
      return `- \`${item.path}\` was not committed: ${item.reason}`;
    case "ending":
      return `- ${item.text}`;
  }
}

function whole(path: string | null): string {
  return path === null ? "" : ` Whole output: ${path}.`;
}

/** Marks foreign text as data; a fence longer than any inside it keeps it in. */
function asData(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${name}\n${text.trimEnd()}\n${fence}`;
}
