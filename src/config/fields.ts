/**
 * Zod types of single settings, with messages that say what to write instead. `meta` holds what the published JSON
 * schema and the configuration reference say of them: `title` names the type, the rest is what an editor can check.
 */
import { z } from "zod";
import { parseMarker } from "./marker-value.js";
import { ACP_PREFIX, AGENT_KINDS } from "../core/agent-kinds.js";
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

const scalar = z.union([z.string(), z.number()], { error: "must be a single value, not a list or mapping" });

/** Turns a reading into zod's terms. */
function reads<In, Out>(input: z.ZodType<In>, read: (raw: In) => Reading<Out>) {
  return input.transform((raw, context): Out => {
    const reading = read(raw);
    if (reading.kind === "value") return reading.value;
    context.addIssue({ code: "custom", message: reading.message });
    return z.NEVER;
  });
}

const DURATION = {
  title: "duration",
  type: "string",
  pattern: "^\\s*(\\d+(\\.\\d+)?\\s*([mM]?[sS]|[mM]|[hH]|[dD])\\s*)+$",
  examples: ["90s", "10m", "12h", "1d"],
};
const TOKENS = { title: "tokens", examples: ["50k", "200k", "1.5M"] };

export const duration = () => reads(scalar, parsePositiveDuration).meta(DURATION);
/** A time to wait for something that may also be none. */
export const grace = () => reads(scalar, parseDuration).meta({ ...DURATION, examples: ["0s", ...DURATION.examples] });
export const money = () => reads(scalar, parseMoney).meta({ title: "US dollars or `unlimited`", examples: [5, 2.5, UNLIMITED] });
export const tokens = () => reads(scalar, parseTokens).meta({ ...TOKENS, title: "tokens or `unlimited`", examples: [...TOKENS.examples, UNLIMITED] });
export const bytes = () => reads(scalar, parseBytes).meta({ title: "size", examples: ["16k", "10MB"] });
export const count = ({ min, max }: Range) =>
  reads(scalar, (raw) => parseCount(raw, { min, max })).meta({ title: `whole number, ${min} to ${max}`, minimum: min, maximum: max });
export const limit = ({ min, max }: Range) =>
  reads(scalar, (raw) => parseLimit(raw, { min, max })).meta({
    title: `whole number, ${min} to ${max}, or \`unlimited\``,
    minimum: min,
    maximum: max,
    examples: [UNLIMITED],
  });

/** Token numbers that decide inside one iteration; there `unlimited` would switch off the rule that keeps contexts fresh. */
export const finiteTokens = () =>
  reads(scalar, (raw): Reading<number> => {
    const reading = parseTokens(raw);
    if (reading.kind === "bad") return reading;
    return reading.value === null
      ? { kind: "bad", message: "`unlimited` is not possible here: write a number of tokens such as 80k" }
      : { kind: "value", value: reading.value };
  }).meta(TOKENS);

export const toggle = () => reads(z.union([z.boolean(), z.string()], { error: "must be true or false" }), parseSwitch).meta({ title: "true or false" });

export const choice = <T extends string>(choices: readonly T[]) =>
  reads(z.string({ error: `must be one of ${choices.join(", ")}` }), (raw) => parseChoice(raw, choices)).meta({ enum: [...choices] });

/** A kind, `acp:` with a command behind it, or a name that the configuration defines; which names there are shows only across sources. */
export const agentName = () =>
  reads(z.string({ error: "must be the name of an agent as text" }), (raw): Reading<string> => {
    const name = raw.trim();
    return name === "" || name === ACP_PREFIX ? { kind: "bad", message: "must name an agent, such as claude or acp:my-agent" } : { kind: "value", value: name };
  }).meta({
    title: "agent",
    anyOf: [
      { type: "string", enum: [...AGENT_KINDS] },
      { type: "string", minLength: 1 },
    ],
  });

export const marker = () => reads(z.string({ error: "must be a word in quotes" }), parseMarker).meta({ title: "word" });
export const branchName = () => reads(z.string({ error: "must be a branch name as text" }), parseBranch).meta({ title: "branch name" });
export const gateName = () => reads(z.string({ error: "must be a name as text" }), parseGateName).meta({ title: "name" });

export const pattern = () => reads(z.string({ error: "must be a regular expression as text" }), parsePattern).meta({ title: "regular expression" });

/** Text with something in it; NUL would end an argument or a path early. */
export const text = (what: string) =>
  reads(z.string({ error: `must be ${what} as text` }), (raw): Reading<string> => {
    if (raw.trim() === "") return { kind: "bad", message: `must not be empty: give ${what}` };
    return raw.includes("\0") ? { kind: "bad", message: "must not contain NUL" } : { kind: "value", value: raw };
  }).meta({ title: "text", minLength: 1 });

export const list = <T extends z.ZodType>(of: T, what: string) => z.array(of, { error: `must be a list of ${what}` });

/** Globs are matched against paths below the root, so absolute ones and `..` could never match. */
export const glob = () =>
  reads(z.string({ error: "must be a path or glob as text" }), (raw): Reading<string> => {
    const path = raw.trim().replace(/^\.\//, "");
    if (path === "") return { kind: "bad", message: "must not be empty: give a path or glob below the root" };
    if (path.startsWith("/") || path.split("/").includes("..")) {
      return { kind: "bad", message: `${JSON.stringify(raw)} can not match: globs are relative to the repository's root, without ..` };
    }
    return { kind: "value", value: path };
  }).meta({ title: "glob" });

/** A host that a closed network lets through. */
export const host = () =>
  reads(
    z.string({ error: "must be a host as text" }),
    (raw): Reading<string> =>
      parseEndpoint(raw) === null
        ? { kind: "bad", message: `not a host: ${JSON.stringify(raw)}; write api.example.com, *.example.com or 127.0.0.1:8787` }
        : { kind: "value", value: raw.trim() },
  ).meta({ title: "host" });

/** An address to call. What stands in `${NAME}` is filled in when it is called, so only the beginning is judged. */
export const url = () =>
  reads(z.string({ error: "must be an address as text" }), (raw): Reading<string> => {
    const address = raw.trim();
    return /^(https?:\/\/\S+|\$\{\w+\}\S*)$/.test(address)
      ? { kind: "value", value: address }
      : { kind: "bad", message: `not an address: ${JSON.stringify(raw)}; write https://... or \${NAME} of a variable that holds it` };
  }).meta({ title: "address", pattern: "^\\s*(https?://|\\$\\{\\w+\\})" });
