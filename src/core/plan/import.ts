/** Turns what other tools call a plan into the body of one of ours. Pure: text in, text out. */
import { frontMatterKeys, splitSource } from "./front-matter.js";
import { parsePlan } from "./parse.js";
import type { Plan, Task } from "./types.js";

export type ImportedPlan =
  | {
      kind: "plan";
      /** Markdown with boxes, without front matter. */
      body: string;
      /** Front matter that can stay as it is; null where there is none of ours. */
      frontMatter: string | null;
      /** Checks that the other format carries. */
      gates: { name: string; run: string }[];
      /** What was left out or guessed, in words. */
      notes: string[];
    }
  /** Nothing in it can be worked off, and why. */
  | { kind: "none"; why: string };

/** `name` is the file's: it decides the format. */
export function importPlan(source: string, name: string): ImportedPlan {
  const boxed = name.toLowerCase().endsWith(".json") ? { text: source, added: 0 } : withBoxes(source, name);
  const reading = parsePlan(boxed.text, { path: name, sections: null });
  if (reading.kind === "invalid") return { kind: "none", why: reading.problems.map((problem) => `line ${problem.line}: ${problem.message}`).join("; ") };
  const { plan } = reading;
  if (plan.tasks.length === 0) return { kind: "none", why: "it has no check box and no list item that could become a task" };
  const guessed = boxed.added === 0 ? [] : [`${boxed.added} list item(s) became tasks, since it had no check boxes; remove those that are none`];
  const warned = plan.warnings.map((warning) => `line ${warning.line}: ${warning.message}`);
  if (plan.format === "prd_json") return { kind: "plan", body: storiesBody(source, plan.tasks), frontMatter: null, gates: [], notes: warned };
  const head = headOf(plan);
  return {
    kind: "plan",
    body: bodyOf(boxed.text, head.title),
    frontMatter: head.kept,
    gates: plan.impliedGates,
    notes: [...guessed, ...head.notes, ...warned],
  };
}

const THEMATIC_BREAK = /^\s*([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
/** A link or a footnote at its beginning is more likely a reference than something to do. */
const LIST_ITEM = /^(\s*(?:[-*+]|\d{1,9}[.)])[ \t]+)(?=\S)(?!\[)/;

/** `- x` becomes `- [ ] x` where a file has no boxes at all. Code fences and front matter stay as they are. */
function withBoxes(source: string, name: string): { text: string; added: number } {
  const reading = parsePlan(source, { path: name, sections: null });
  if (reading.kind === "invalid" || reading.plan.tasks.length > 0) return { text: source, added: 0 };
  const { prefix, body } = splitSource(source);
  let fence: string | null = null;
  let added = 0;
  const lines = body.split("\n").map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence;
    const prose = fence === null && mark === undefined && !THEMATIC_BREAK.test(line);
    const item = prose ? LIST_ITEM.exec(line)?.[1] : undefined;
    if (item === undefined) return line;
    added += 1;
    return `${item}[ ] ${line.slice(item.length)}`;
  });
  return { text: `${prefix}${lines.join("\n")}`, added };
}

/** What of the other file's front matter stays, and what it called itself. */
function headOf(plan: Plan): { kept: string | null; title: string | null; notes: string[] } {
  if (plan.format !== "ralph_task") return { kept: plan.frontMatter, title: null, notes: [] };
  const keys = frontMatterKeys(plan.frontMatter);
  const { task, test_command: _test, ...others } = keys ?? {};
  const names = Object.keys(others);
  return {
    kept: null,
    title: typeof task === "string" ? task.trim() : null,
    notes: names.length === 0 ? [] : [`left out of its front matter: ${names.join(", ")}`],
  };
}

function bodyOf(source: string, title: string | null): string {
  const body = splitSource(source).body.trim();
  const heading = title === null || title === "" || /^#\s/.test(body) ? "" : `# ${title.replace(/\s+/g, " ")}\n\n`;
  return `${heading}${body}\n`;
}

interface Story {
  description?: unknown;
  acceptanceCriteria?: unknown;
}

/** What a story asks for stands below its task as plain items, which are no tasks. */
function storiesBody(source: string, tasks: readonly Task[]): string {
  const json = JSON.parse(source.replace(/^\uFEFF/, "")) as { project?: unknown; description?: unknown; userStories: Story[] }; // parsePlan has read it
  // A story without a name is no task, and the only one that is left out.
  const stories = json.userStories.filter((story) => Object.values(pick(story)).some((value) => value !== ""));
  const title = plain(json.project) || "Plan";
  const intro = plain(json.description);
  const items = tasks.map((task, at) => [taskLine(task), ...detailsOf(stories[at], task.text)].join("\n"));
  return `# ${title}\n\n${intro === "" ? "" : `${intro}\n\n`}## Tasks\n\n${items.join("\n")}\n`;
}

function pick(story: object): Record<string, string> {
  const { id, title, description } = story as Record<string, unknown>;
  return { id: plain(id), title: plain(title), description: plain(description) };
}

function taskLine({ state, text, group }: Task): string {
  return `- [${state === "done" ? "x" : " "}] ${state === "manual" ? "(manual) " : ""}${withoutComments(text)}${group === null ? "" : ` <!-- group: ${group} -->`}`;
}

function detailsOf(story: Story | undefined, text: string): string[] {
  const description = plain(story?.description);
  const criteria = Array.isArray(story?.acceptanceCriteria) ? story.acceptanceCriteria.map(plain) : [];
  return [...(description === text ? [] : [description]), ...criteria].filter((line) => line !== "").map((line) => `  * ${withoutComments(line)}`);
}

/** Issues of a tracker as tasks. Titles alone: a stranger's text may not open protected files or hide from readers. */
export function issuesBody(issues: readonly { number: number; title: string }[], from: string): string {
  const lines = issues.map(({ number, title }) => `- [ ] ${withoutComments(plain(title)).replace(/^\[.\]\s*/, "")} (#${number})`);
  return `# Open issues of ${from}\n\nTitles alone were taken over. Say in each what will be true afterwards, and by which gate that shows.\n\n## Tasks\n\n${lines.join("\n")}\n`;
}

/** A comment behind a task is a directive, such as `edits:`. */
function withoutComments(text: string): string {
  return text.replaceAll("<!--", "&lt;!--").replaceAll("-->", "--&gt;");
}

function plain(value: unknown): string {
  return (typeof value === "string" || typeof value === "number" ? String(value) : "").replace(/[\p{Cc}\s]+/gu, " ").trim();
}
