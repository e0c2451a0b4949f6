/**
 * A gate that is judged by an independent model. Fail-closed, see `core/rubric.ts`: a reviewer that is missing, broken
 * or unsure proves nothing. It sees the run's diff and the named artefacts, never the maker's notes or messages.
 */
import { randomBytes } from "node:crypto";
import { createTwoFilesPatch } from "diff/lib/patch/create.js";
import type { Review } from "../agents/review/reviewer.js";
import type { FileChange } from "../core/gate-diff.js";
import type { GateResult, RubricGate } from "../core/gate.js";
import { RALPH_DIR } from "../core/paths.js";
import { type Answer, groundAnswer, MAX_MATERIAL_CHARS, readVote, rubricPrompt, tally } from "../core/rubric.js";
import { mergeUsage, type Usage } from "../core/usage.js";
import type { RunTrees } from "../driver/ports.js";
import { readChanges } from "./diff-gate.js";
import { readBelow } from "./file-gate.js";
import { failed, type Judged, passed } from "./judged.js";

export interface RubricContext {
  root: string;
  trees: RunTrees | undefined;
  /** One vote. */
  ask(prompt: string): Promise<Review>;
}

export type RubricJudged = Judged & Required<Pick<GateResult, "confidence" | "usage">>;

export async function judgeRubric(spec: RubricGate, context: RubricContext): Promise<RubricJudged> {
  const { trees } = context;
  if (trees === undefined) return unasked("there is no change to review");
  const material = await collect(spec, context.root, trees);
  if (material.kind === "impossible") return unasked(material.why);
  const votes: Answer[][] = [];
  const broken: string[] = [];
  let usage: Usage | null = null;
  for (let vote = 0; vote < spec.votes; vote += 1) {
    const review = await context.ask(material.prompt);
    usage = usage === null ? review.usage : mergeUsage(usage, review.usage);
    if (review.kind === "failed") broken.push(review.why);
    const answers = readVote(review.kind === "answered" ? review.text : "", spec.questions.length);
    votes.push(review.kind === "answered" ? await ground(answers, context.root, trees) : answers.map(() => ({ kind: "unreadable", why: review.why })));
  }
  return { ...verdictOf(spec, votes, broken), usage };
}

function unasked(why: string): RubricJudged {
  return { ...failed(why), confidence: null, usage: null };
}

type Material = { kind: "material"; prompt: string } | { kind: "impossible"; why: string };

async function collect(spec: RubricGate, root: string, trees: RunTrees): Promise<Material> {
  const artefacts: { path: string; text: string }[] = [];
  for (const path of spec.artefacts) {
    if (isMakersProse(path)) return { kind: "impossible", why: `${path} holds the maker's own words; a reviewer judges the work` };
    const text = await textOf(path, root, trees);
    if (text === null) return { kind: "impossible", why: `the artefact ${path} is missing` };
    artefacts.push({ path, text });
  }
  const diff = (await readChanges(trees)).map(patchOf).join("\n");
  const prompt = rubricPrompt({ questions: spec.questions, diff, artefacts, nonce: randomBytes(8).toString("hex") });
  if (prompt.length <= MAX_MATERIAL_CHARS) return { kind: "material", prompt };
  return {
    kind: "impossible",
    why: `${prompt.length} characters are more than a reviewer reads whole (${MAX_MATERIAL_CHARS}); make the run smaller, or the artefacts`,
  };
}

function patchOf({ path, before, after }: FileChange): string {
  if ([before, after].some((text) => text?.includes("\0") === true))
    return `Binary file ${path} ${before === null ? "added" : after === null ? "deleted" : "changed"}`;
  return createTwoFilesPatch(before === null ? "/dev/null" : path, after === null ? "/dev/null" : path, before ?? "", after ?? "");
}

/** The judged tree first: what git does not know, such as a build's output, is read where it lies. */
async function textOf(path: string, root: string, trees: RunTrees): Promise<string | null> {
  const inTree = await trees.after(path);
  if (inTree !== null) return inTree;
  const file = readBelow(root, path);
  return file.kind === "text" ? file.text : null;
}

async function ground(answers: readonly Answer[], root: string, trees: RunTrees): Promise<Answer[]> {
  const grounded: Answer[] = [];
  for (const answer of answers) {
    if (answer.kind === "unreadable") grounded.push(answer);
    else {
      const { file } = answer.evidence;
      const usable = !isMakersProse(file) && !file.startsWith("/") && !file.split("/").includes("..");
      grounded.push(groundAnswer(answer, usable ? await textOf(file, root, trees) : null));
    }
  }
  return grounded;
}

function isMakersProse(path: string): boolean {
  return path === RALPH_DIR || path.startsWith(`${RALPH_DIR}/`) || path.startsWith(".git/");
}

function verdictOf(spec: RubricGate, votes: readonly Answer[][], broken: readonly string[]): Judged & { confidence: number | null } {
  const { pass, confidence, against } = tally(votes, spec.questions);
  const agreement = confidence === null ? "" : `, agreement ${Math.round(confidence * 100)} %`;
  if (confidence === null) return { ...failed(`no vote could be read: ${broken[0] ?? against[0] ?? "nothing was answered"}`), confidence };
  if (confidence < spec.minConfidence) {
    const why = `the reviewers do not agree enough (${Math.round(confidence * 100)} % of at least ${Math.round(spec.minConfidence * 100)} %)`;
    return {
      ...failed(against.length === 0 ? why : `${why}: ${against.join("; ")}`, { failing: names(against), detail: against.join("\n") || why }),
      confidence,
    };
  }
  if (pass) return { ...passed(`${spec.questions.length} question(s) answered yes with evidence by ${spec.votes} vote(s)${agreement}`), confidence };
  return {
    ...failed(`${against.length} of ${spec.questions.length} question(s) not answered yes${agreement}: ${against.join("; ")}`, {
      failing: names(against),
      detail: against.map((one) => `- ${one}`).join("\n"),
      fingerprint: names(against).join(", "),
    }),
    confidence,
  };
}

/** `question 2`: stable from try to try, unlike the evidence. */
function names(against: readonly string[]): string[] {
  return against.map((line) => line.slice(0, line.indexOf(" (")));
}
