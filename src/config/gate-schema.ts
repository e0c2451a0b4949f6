/** What may stand under `gates:`; strict, and exactly one kind of check per gate. */
import { z } from "zod";
import { choice, count, duration, gateName, glob, list, pattern, text, toggle } from "./fields.js";

const number = () => z.number({ error: "must be a number" });
const globs = () => list(glob(), "globs").min(1, { error: "must name at least one glob" });

const diffSchema = z.strictObject({
  only: globs().optional().describe("Nothing else may change"),
  maxLines: count({ min: 1, max: 10_000_000 }).optional().describe("Added plus removed lines of the whole run"),
  noDeletedAssertions: globs().optional().describe("Files in which no line with an assertion may vanish"),
  noSkips: globs().optional().describe("Files in which no skip, only or early exit may be added"),
});

const reviewerSchema = z.strictObject({
  agent: choice(["anthropic", "claude", "command"]).describe("Who answers; another model than the maker's is recommended"),
  model: text("a model name").optional().describe("Model, as the agent names it"),
  argv: list(z.string({ error: "must be text; put numbers in quotes" }), "arguments, the program first")
    .min(1, { error: "must name a program" })
    .optional()
    .describe("Program and arguments: prompt on stdin, JSON on stdout"),
});

const rubricSchema = z.strictObject({
  questions: list(text("a question"), "questions")
    .min(1, { error: "must hold at least one question" })
    .describe("Questions that a good change answers with yes and that can be answered with no"),
  artefacts: list(glob(), "paths").optional().describe("Files shown beside the diff"),
  reviewer: reviewerSchema.describe("The independent model that answers"),
  votes: count({ min: 1, max: 9 }).optional().describe("How often it is asked; the majority of each question counts"),
  minConfidence: z
    .number({ error: "must be a number" })
    .min(0, { error: "must be from 0 to 1" })
    .max(1, { error: "must be from 0 to 1" })
    .optional()
    .describe("Share of votes that must agree; below it the run ends for a person to decide"),
});

export const gateSchema = z
  .strictObject({
    name: gateName().optional().describe("Name, unique; without one it is made from the check"),
    run: text("a command").optional().describe("Command for `sh -c` at the repository's root; exit code 0 passes"),
    file: glob().optional().describe("A file whose text must match `matches`"),
    matches: pattern().optional().describe("Regular expression; ^ and $ stand at line ends"),
    json: glob().optional().describe("A JSON file of which `path` names a field"),
    yaml: glob().optional().describe("A YAML file of which `path` names a field"),
    path: text("a path such as total.lines.pct").optional().describe("Dotted path of the field; list indexes as numbers"),
    equals: z.union([z.string(), z.number(), z.boolean()], { error: "must be text, a number, true or false" }).optional().describe("The field's value"),
    min: number().optional().describe("The field's least value"),
    max: number().optional().describe("The field's greatest value"),
    http: text("a URL").optional().describe("URL to get; on this machine unless `host` names another"),
    host: text("a host name").optional().describe("The one other host that may be asked"),
    status: count({ min: 100, max: 599 }).optional().describe("Expected status"),
    body: pattern().optional().describe("Regular expression that the body must match"),
    diff: diffSchema.optional().describe("What the run may change"),
    rubric: rubricSchema.optional().describe("Questions to an independent model about the run's diff"),
    for: choice(["plan", "tasks"]).optional().describe("`plan`: judged when the run claims its end. `tasks`: only for the tasks that name it"),
    required: toggle().optional().describe("false: reported, but refuses nothing"),
    when: choice(["claim", "iteration"]).optional().describe("`iteration`: also after every iteration"),
    timeout: duration().optional().describe("Time for one try"),
    retries: count({ min: 0, max: 10 }).optional().describe("Further tries after a failure; a pass then counts as flaky"),
    baseline: choice(["require", "allow"]).optional().describe("A gate that was red at the start must become green, or must only not get worse"),
  })
  .superRefine((entry, context) => {
    for (const problem of problemsOf(entry)) context.addIssue({ code: "custom", path: problem.key === null ? [] : [problem.key], message: problem.message });
  });

type Entry = { [K in (typeof KINDS)[number] | (typeof KIND_KEYS)[number] | "retries"]?: unknown };

const KINDS = ["run", "file", "json", "yaml", "http", "diff", "rubric"] as const;
const KIND_KEYS = ["matches", "path", "equals", "min", "max", "host", "status", "body"] as const;
const KEYS_OF: Readonly<Record<(typeof KINDS)[number], readonly (typeof KIND_KEYS)[number][]>> = {
  run: [],
  file: ["matches"],
  json: ["path", "equals", "min", "max"],
  yaml: ["path", "equals", "min", "max"],
  http: ["host", "status", "body"],
  diff: [],
  rubric: [],
};

interface Problem {
  key: string | null;
  message: string;
}

function problemsOf(entry: Entry): Problem[] {
  const kinds = KINDS.filter((kind) => entry[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined) return [{ key: null, message: `must say what it checks: one of ${KINDS.join(", ")}` }];
  if (kinds.length > 1) return [{ key: kinds[1] ?? null, message: `a gate checks one thing: ${kinds.join(" and ")} are two gates` }];
  const strange = KIND_KEYS.filter((key) => entry[key] !== undefined && !KEYS_OF[kind].includes(key));
  return [...strange.map((key) => ({ key, message: `has no meaning for a gate with \`${kind}\`` })), ...kindProblems(kind, entry)];
}

function kindProblems(kind: (typeof KINDS)[number], entry: Entry): Problem[] {
  switch (kind) {
    case "file":
      return entry.matches === undefined ? [{ key: null, message: "a gate with `file` needs `matches`" }] : [];
    case "json":
    case "yaml":
      return fieldProblems(kind, entry);
    case "http":
      return httpProblems(entry);
    case "diff":
      return Object.keys(entry.diff ?? {}).length === 0 ? [{ key: "diff", message: "needs at least one rule, such as `only` or `maxLines`" }] : [];
    case "rubric":
      return entry.retries === undefined ? [] : [{ key: "retries", message: "asking again until the answer pleases is no proof; use `votes` in the rubric" }];
    case "run":
      return [];
  }
}

function fieldProblems(kind: string, { path, equals, min, max }: Entry): Problem[] {
  if (path === undefined) return [{ key: null, message: `a gate with \`${kind}\` needs \`path\`` }];
  const ranged = min !== undefined || max !== undefined;
  if (equals === undefined && !ranged) return [{ key: null, message: "needs `equals`, `min` or `max`" }];
  if (equals !== undefined && ranged) return [{ key: "equals", message: "`equals` stands alone, without `min` and `max`" }];
  return typeof min === "number" && typeof max === "number" && min > max
    ? [{ key: "min", message: `min (${min}) is above max (${max}): nothing could pass` }]
    : [];
}

function httpProblems({ http, host }: Entry): Problem[] {
  const url = String(http);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return [{ key: "http", message: `${JSON.stringify(url)} is no http or https URL` }];
  const { hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return [{ key: "http", message: "a URL with a password does not belong into a file" }];
  if (isLoopback(hostname) || host === hostname) return [];
  return [{ key: "http", message: `${hostname} is not this machine; when it is meant, add \`host: ${hostname}\`` }];
}

/** Names and addresses that only this machine answers. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
