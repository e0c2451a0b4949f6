/** What may stand under `gates:`; strict, and exactly one kind of check per gate. */
import * as v from "valibot";
import { argv, choice, count, duration, gateName, glob, list, mapping, pattern, setting, text, toggle } from "./fields.js";

const number = () => v.pipe(v.number("must be a number"), v.finite());
const globs = () => v.pipe(list(glob(), "globs"), v.nonEmpty("must name at least one glob"));

const diffSchema = mapping({
  only: setting(globs(), "Nothing else may change"),
  maxLines: setting(count({ min: 1, max: 10_000_000 }), "Added plus removed lines of the whole run"),
  noDeletedAssertions: setting(globs(), "Files in which no line with an assertion may vanish"),
  noSkips: setting(globs(), "Files in which no skip, only or early exit may be added"),
});

const reviewerSchema = mapping({
  agent: v.pipe(choice(["anthropic", "claude", "command"]), v.description("Who answers; another model than the maker's is recommended")),
  model: setting(text("a model name"), "Model, as the agent names it"),
  argv: setting(argv(), "Program and arguments: prompt on stdin, JSON on stdout"),
});

const rubricSchema = mapping({
  questions: v.pipe(
    v.pipe(list(text("a question"), "questions"), v.nonEmpty("must hold at least one question")),
    v.description("Questions that a good change answers with yes and that can be answered with no"),
  ),
  artefacts: setting(list(glob(), "paths"), "Files shown beside the diff"),
  reviewer: v.pipe(reviewerSchema, v.description("The independent model that answers")),
  votes: setting(count({ min: 1, max: 9 }), "How often it is asked; the majority of each question counts"),
  minConfidence: setting(
    v.pipe(number(), v.minValue(0, "must be from 0 to 1"), v.maxValue(1, "must be from 0 to 1")),
    "Share of votes that must agree; below it the run ends for a person to decide",
  ),
});

export const gateSchema = v.pipe(
  mapping({
    name: setting(gateName(), "Name, unique; without one it is made from the check"),
    run: setting(text("a command"), "Command for `sh -c` at the repository's root; exit code 0 passes"),
    file: setting(glob(), "A file whose text must match `matches`"),
    matches: setting(pattern(), "Regular expression; ^ and $ stand at line ends"),
    json: setting(glob(), "A JSON file of which `path` names a field"),
    yaml: setting(glob(), "A YAML file of which `path` names a field"),
    path: setting(text("a path such as total.lines.pct"), "Dotted path of the field; list indexes as numbers"),
    equals: setting(v.union([v.string(), number(), v.boolean()], "must be text, a number, true or false"), "The field's value"),
    min: setting(number(), "The field's least value"),
    max: setting(number(), "The field's greatest value"),
    http: setting(text("a URL"), "URL to get; on this machine unless `host` names another"),
    host: setting(text("a host name"), "The one other host that may be asked"),
    status: setting(count({ min: 100, max: 599 }), "Expected status"),
    body: setting(pattern(), "Regular expression that the body must match"),
    diff: setting(diffSchema, "What the run may change"),
    rubric: setting(rubricSchema, "Questions to an independent model about the run's diff"),
    for: setting(choice(["plan", "tasks"]), "`plan`: judged when the run claims its end. `tasks`: only for the tasks that name it"),
    required: setting(toggle(), "false: reported, but refuses nothing"),
    when: setting(choice(["claim", "iteration"]), "`iteration`: also after every iteration"),
    timeout: setting(duration(), "Time for one try"),
    retries: setting(count({ min: 0, max: 10 }), "Further tries after a failure; a pass then counts as flaky"),
    baseline: setting(choice(["require", "allow"]), "A gate that was red at the start must become green, or must only not get worse"),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    // What single keys say wrong is said first; a key that is not known is said beside it.
    if (dataset.issues?.some(({ expected }) => expected !== "never")) return;
    const input = dataset.value as Record<string, unknown>;
    for (const { key, message } of problemsOf(input))
      addIssue(key === null ? { message } : { message, path: [{ type: "object", origin: "value", input, key, value: input[key] }] });
  }),
);

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
