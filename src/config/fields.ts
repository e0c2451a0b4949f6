/**
 * Schemas of single settings, with messages that say what to write instead. `Published` is what the JSON schema and
 * the configuration reference say of them: `title` names the type, the rest is what an editor can check.
 */
import * as v from "valibot";
import { parseMarker } from "./marker-value.js";
import { ACP_PREFIX, AGENT_KINDS } from "../core/agent-kinds.js";
import { noList } from "../core/no-list.js";
import { parseEndpoint } from "../core/endpoint.js";
import {
  parseBranch,
  parseBytes,
  parseChoice,
  parseCount,
  parseDuration,
  parseGateName,
  parseLimit,
  parseMoney,
  parsePattern,
  parsePositiveDuration,
  parseSwitch,
  parseTokens,
  type Reading,
  UNLIMITED,
} from "./values.js";

type Range = { min: number; max: number };
type Published = Readonly<Record<string, unknown>>;

const scalar = v.union([v.string(), v.pipe(v.number(), v.finite())], "must be a single value, not a list or mapping");

/** Turns a reading into valibot's terms. */
function reads<In extends v.GenericSchema, Out>(input: In, published: Published, read: (raw: v.InferOutput<In>) => Reading<Out>) {
  const reading = v.rawTransform<v.InferOutput<In>, Out>(({ dataset, addIssue, NEVER }) => {
    const found = read(dataset.value);
    if (found.kind === "value") return found.value;
    addIssue({ message: found.message });
    return NEVER;
  });
  return v.pipe(input, v.metadata(published), reading);
}

/** A key that need not be said, with the sentence that schema and reference have for it. */
export const setting = <S extends v.GenericSchema>(schema: S, meaning: string) => v.pipe(v.optional(schema), v.description(meaning));

/** Keys and values; a key that is not among the entries is refused. */
export const mapping = <E extends v.ObjectEntries>(entries: E) => noList(v.strictObject(entries));

const DURATION = {
  title: "duration",
  type: "string",
  pattern: "^\\s*(\\d+(\\.\\d+)?\\s*([mM]?[sS]|[mM]|[hH]|[dD])\\s*)+$",
  examples: ["90s", "10m", "12h", "1d"],
};
const TOKENS = { title: "tokens", examples: ["50k", "200k", "1.5M"] };

export const duration = () => reads(scalar, DURATION, parsePositiveDuration);
/** A time to wait for something that may also be none. */
export const grace = () => reads(scalar, { ...DURATION, examples: ["0s", ...DURATION.examples] }, parseDuration);
export const money = () => reads(scalar, { title: "US dollars or `unlimited`", examples: [5, 2.5, UNLIMITED] }, parseMoney);
export const tokens = () => reads(scalar, { ...TOKENS, title: "tokens or `unlimited`", examples: [...TOKENS.examples, UNLIMITED] }, parseTokens);
export const bytes = () => reads(scalar, { title: "size", examples: ["16k", "10MB"] }, parseBytes);
export const count = ({ min, max }: Range) =>
  reads(scalar, { title: `whole number, ${min} to ${max}`, minimum: min, maximum: max }, (raw) => parseCount(raw, { min, max }));
export const limit = ({ min, max }: Range) =>
  reads(
    scalar,
    {
      title: `whole number, ${min} to ${max}, or \`unlimited\``,
      minimum: min,
      maximum: max,
      examples: [UNLIMITED],
    },
    (raw) => parseLimit(raw, { min, max }),
  );

/** Token numbers that decide inside one iteration; there `unlimited` would switch off the rule that keeps contexts fresh. */
export const finiteTokens = () =>
  reads(scalar, TOKENS, (raw): Reading<number> => {
    const reading = parseTokens(raw);
    if (reading.kind === "bad") return reading;
    return reading.value === null
      ? { kind: "bad", message: "`unlimited` is not possible here: write a number of tokens such as 80k" }
      : { kind: "value", value: reading.value };
  });

export const toggle = () => reads(v.union([v.boolean(), v.string()], "must be true or false"), { title: "true or false" }, parseSwitch);

export const choice = <T extends string>(choices: readonly T[]) =>
  reads(v.string(`must be one of ${choices.join(", ")}`), { enum: [...choices] }, (raw) => parseChoice(raw, choices));

/** A kind, `acp:` with a command behind it, or a name that the configuration defines; which names there are shows only across sources. */
export const agentName = () =>
  reads(
    v.string("must be the name of an agent as text"),
    {
      title: "agent",
      anyOf: [
        { type: "string", enum: [...AGENT_KINDS] },
        { type: "string", minLength: 1 },
      ],
    },
    (raw): Reading<string> => {
      const name = raw.trim();
      return name === "" || name === ACP_PREFIX
        ? { kind: "bad", message: "must name an agent, such as claude or acp:my-agent" }
        : { kind: "value", value: name };
    },
  );

export const marker = () => reads(v.string("must be a word in quotes"), { title: "word" }, parseMarker);
export const branchName = () => reads(v.string("must be a branch name as text"), { title: "branch name" }, parseBranch);
export const gateName = () => reads(v.string("must be a name as text"), { title: "name" }, parseGateName);

export const pattern = () => reads(v.string("must be a regular expression as text"), { title: "regular expression" }, parsePattern);

/** Text with something in it; NUL would end an argument or a path early. */
export const text = (what: string) =>
  reads(v.string(`must be ${what} as text`), { title: "text", minLength: 1 }, (raw): Reading<string> => {
    if (raw.trim() === "") return { kind: "bad", message: `must not be empty: give ${what}` };
    return raw.includes("\0") ? { kind: "bad", message: "must not contain NUL" } : { kind: "value", value: raw };
  });

export const list = <T extends v.GenericSchema>(of: T, what: string) => v.array(of, `must be a list of ${what}`);

/** A program and its arguments; at least the program. */
export const argv = () => v.pipe(list(v.string("must be text; put numbers in quotes"), "arguments, the program first"), v.nonEmpty("must name a program"));

/** Globs are matched against paths below the root, so absolute ones and `..` could never match. */
export const glob = () =>
  reads(v.string("must be a path or glob as text"), { title: "glob" }, (raw): Reading<string> => {
    const path = raw.trim().replace(/^\.\//, "");
    if (path === "") return { kind: "bad", message: "must not be empty: give a path or glob below the root" };
    if (path.startsWith("/") || path.split("/").includes("..")) {
      return { kind: "bad", message: `${JSON.stringify(raw)} can not match: globs are relative to the repository's root, without ..` };
    }
    return { kind: "value", value: path };
  });

/** A host that a closed network lets through. */
export const host = () =>
  reads(
    v.string("must be a host as text"),
    { title: "host" },
    (raw): Reading<string> =>
      parseEndpoint(raw) === null
        ? { kind: "bad", message: `not a host: ${JSON.stringify(raw)}; write api.example.com, *.example.com or 127.0.0.1:8787` }
        : { kind: "value", value: raw.trim() },
  );

/** An address to call. What stands in `${NAME}` is filled in when it is called, so only the beginning is judged. */
export const url = () =>
  reads(v.string("must be an address as text"), { title: "address", pattern: "^\\s*(https?://|\\$\\{\\w+\\})" }, (raw): Reading<string> => {
    const address = raw.trim();
    return /^(https?:\/\/\S+|\$\{\w+\}\S*)$/.test(address)
      ? { kind: "value", value: address }
      : { kind: "bad", message: `not an address: ${JSON.stringify(raw)}; write https://... or \${NAME} of a variable that holds it` };
  });
