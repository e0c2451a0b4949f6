/** Lets an agent draft a plan in a copy of the repository, and takes its words alone. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTaskGates, formatProblem, resolveSettings } from "../config/load.js";
import { readConfigFiles } from "../config/files.js";
import { draftIn, readDraft } from "../core/plan/draft.js";
import { TRUTH_DIR } from "../core/paths.js";
import type { Plan } from "../core/plan/types.js";
import type { Settings } from "../core/settings.js";
import { sumUsage, type Usage, ZERO_USAGE } from "../core/usage.js";
import type { Agent } from "../driver/ports.js";
import { shippedFile } from "../shipped.js";
import type { RepoPlace } from "../workspace/discover.js";
import { createGit } from "../workspace/git.js";
import { freezePersonalConfig } from "../workspace/personal-config.js";
import { openRepo } from "../workspace/repo.js";
import { scratchClone } from "../workspace/scratch-clone.js";
import { askAgent } from "./ask-agent.js";
import { openSandbox, requireSandbox } from "./sandbox.js";

export interface DraftRequest {
  repo: RepoPlace;
  settings: Settings;
  agent: Agent;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  description: string;
  /** What detection and configuration know, in words. */
  facts: string;
  /** Name that the plan will have. */
  path: string;
  /** The draft as the person left it, and what they said about it. */
  before: { draft: string; remarks: string } | null;
  say(line: string): void;
}

export type Drafted =
  | { kind: "draft"; text: string; plan: Plan; settings: Settings; usage: Usage }
  /** `answer` is what the agent said last; null when it said nothing. */
  | { kind: "failed"; why: string; answer: string | null; usage: Usage };

export async function draftPlan(request: DraftRequest): Promise<Drafted> {
  const { repo, settings, env, say } = request;
  const room = mkdtempSync(join(tmpdir(), "ralphd-plan-"));
  const git = openRepo({ root: repo.root, gitDir: repo.gitDir, maxFileBytes: settings.maxFileBytes, signCommits: false });
  const isolated = (await requireSandbox(settings, env)).isolated;
  const truthDir = join(repo.gitDir, TRUTH_DIR);
  mkdirSync(truthDir, { recursive: true });
  const personal = await freezePersonalConfig(createGit({ root: repo.root }), env, truthDir);
  // As at level 1: the working tree and git are read-only for the agent.
  const look: Settings = { ...settings, plan: null, level: 1 };
  const sandbox = isolated ? await openSandbox({ repo, env, settings: look, tasks: [], control: git, personal: personal.files }) : null;
  try {
    const copy = join(room, "copy");
    mkdirSync(copy);
    const before = await git.capture({ against: null, exclude: [] });
    await scratchClone(repo.root, before.tree, copy);
    const drafted = await untilReadable(request, { copy, room, wrap: sandbox?.agentWrap });
    const after = await git.capture({ against: before.tree, exclude: [] });
    if (after.changes.length > 0)
      say(
        `warning: your working tree changed while the agent was drafting: ${after.changes
          .slice(0, 10)
          .map((change) => change.path)
          .join(", ")}. It was given a copy to look at.`,
      );
    return drafted;
  } finally {
    await sandbox?.close();
    await git.close();
    personal.thaw();
    rmSync(room, { recursive: true, force: true });
  }
}

interface Room {
  copy: string;
  room: string;
  wrap: Parameters<typeof askAgent>[0]["wrap"];
}

/** An unreadable draft goes back once with what is wrong; a second one is for a person to look at. */
async function untilReadable(request: DraftRequest, place: Room): Promise<Drafted> {
  let usage = ZERO_USAGE;
  let again = request.before === null ? "" : remarksText(request.before);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askAgent({
      ...{ agent: request.agent, settings: request.settings, env: request.env, signal: request.signal, wrap: place.wrap },
      prompt: promptText(request, again),
      cwd: place.copy,
      scratch: place.room,
      timeoutMs: request.settings.limits.iterationMs,
    });
    usage = sumUsage(usage, answer.usage);
    if (answer.kind === "failed") return { kind: "failed", why: answer.why, answer: null, usage };
    const text = draftIn(answer.text ?? "");
    const read = text === null ? { problems: ["the answer holds no plan between the lines <<<PLAN and PLAN>>>"] } : checkDraft(text, request);
    if (text !== null && "plan" in read) return { kind: "draft", text, ...read, usage };
    const { problems } = read as { problems: string[] }; // the other case returned above
    if (attempt === 2)
      return { kind: "failed", why: `its second draft can't be read either:\n${problems.map((one) => `  ${one}`).join("\n")}`, answer: answer.text, usage };
    request.say(`The draft can't be read, and goes back to the agent: ${problems.join("; ")}`);
    again = `# Your last answer could not be read\n\n${problems.map((one) => `- ${one}`).join("\n")}\n\nAnswer with the whole corrected file.\n\n<last-answer>\n${text ?? answer.text ?? ""}\n</last-answer>\n`;
  }
}

/** As a run would read it: its text, its settings beside the repository's own, and the gates that its tasks name. */
export function checkDraft(
  text: string,
  { repo, env, path }: Pick<DraftRequest, "repo" | "env" | "path">,
): { plan: Plan; settings: Settings } | { problems: string[] } {
  const draft = readDraft(text, path);
  if (draft.kind === "invalid") return { problems: draft.problems };
  const { plan } = draft;
  const reading = resolveSettings({
    flags: {},
    env,
    frontMatter: plan.frontMatter,
    frontMatterPath: path,
    frontMatterLine: 2,
    impliedGates: plan.impliedGates,
    files: readConfigFiles(repo.root, env),
    objective: null,
  });
  if (reading.kind === "invalid") return { problems: reading.problems.map(formatProblem) };
  const unknown = checkTaskGates(plan.tasks, reading.settings.gates, path);
  return unknown.length > 0 ? { problems: unknown.map(formatProblem) } : { plan, settings: reading.settings };
}

function promptText({ description, facts }: DraftRequest, again: string): string {
  const values: Readonly<Record<string, string>> = { description, facts, again };
  return readFileSync(shippedFile("prompts/draft-plan.md"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template for drafts has an unknown word ${name}`);
    return value;
  });
}

function remarksText({ draft, remarks }: NonNullable<DraftRequest["before"]>): string {
  return `# Draft again\n\nThe person has read this draft, and may have edited it; keep what the remarks do not touch.\n\n<draft>\n${draft}</draft>\n\n<remarks>\n${remarks}\n</remarks>\n`;
}

/** The unreadable answer, kept for the person. Returns its path. */
export function keepAnswer(answer: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "ralphd-draft-")), "answer.md");
  writeFileSync(path, answer);
  return path;
}
