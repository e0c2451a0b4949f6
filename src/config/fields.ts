/** Zod types of single settings, with messages that say what to write instead. */
import { z } from "zod";
import { ACP_PREFIX } from "../core/agent-kinds.js";
import { parseEndpoint } from "../core/endpoint.js";
import {
  parseBranch,
  parseBytes,
  parseChoice,
  parseCount,
  parseDuration,
  parseGateName,
  parseLimit,
  parseMarker,
  parseMoney,
  parsePattern,
  parsePositiveDuration,
  parseSwitch,
  parseTokens,
  type Reading,
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

export const duration = () => reads(scalar, parsePositiveDuration);
/** A time to wait for something that may also be none. */
export const grace = () => reads(scalar, parseDuration);
export const money = () => reads(scalar, parseMoney);
export const tokens = () => reads(scalar, parseTokens);
export const bytes = () => reads(scalar, parseBytes);
export const count = (range: Range) => reads(scalar, (raw) => parseCount(raw, range));
export const limit = (range: Range) => reads(scalar, (raw) => parseLimit(raw, range));

/** Token numbers that decide inside one iteration; there `unlimited` would switch off the rule that keeps contexts fresh. */
export const finiteTokens = () =>
  reads(scalar, (raw): Reading<number> => {
    const reading = parseTokens(raw);
    if (reading.kind === "bad") return reading;
    return reading.value === null
      ? { kind: "bad", message: "`unlimited` is not possible here: write a number of tokens such as 80k" }
      : { kind: "value", value: reading.value };
  });

export const toggle = () =>
  reads(z.union([z.boolean(), z.string()], { error: "must be true or false" }), parseSwitch);

export const choice = <T extends string>(choices: readonly T[]) =>
  reads(z.string({ error: `must be one of ${choices.join(", ")}` }), (raw) => parseChoice(raw, choices));

/** A kind, `acp:` with a command behind it, or a name that the configuration defines; which names there are shows only across sources. */
export const agentName = () =>
  reads(z.string({ error: "must be the name of an agent as text" }), (raw): Reading<string> => {
    const name = raw.trim();
    return name === "" || name === ACP_PREFIX ? { kind: "bad", message: "must name an agent, such as claude or acp:my-agent" } : { kind: "value", value: name };
  });

export const marker = () => reads(z.string({ error: "must be a word in quotes" }), parseMarker);
export const branchName = () => reads(z.string({ error: "must be a branch name as text" }), parseBranch);
export const gateName = () => reads(z.string({ error: "must be a name as text" }), parseGateName);

export const pattern = () => reads(z.string({ error: "must be a regular expression as text" }), parsePattern);

/** Text with something in it; NUL would end an argument or a path early. */
export const text = (what: string) =>
  reads(z.string({ error: `must be ${what} as text` }), (raw): Reading<string> => {
    if (raw.trim() === "") return { kind: "bad", message: `must not be empty: give ${what}` };
    return raw.includes("\0") ? { kind: "bad", message: "must not contain NUL" } : { kind: "value", value: raw };
  });

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
  });

/** A host that a closed network lets through. */
export const host = () =>
  reads(z.string({ error: "must be a host as text" }), (raw): Reading<string> =>
    parseEndpoint(raw) === null ? { kind: "bad", message: `not a host: ${JSON.stringify(raw)}; write api.example.com, *.example.com or 127.0.0.1:8787` } : { kind: "value", value: raw.trim() },
  );

/** An address to call. What stands in `${NAME}` is filled in when it is called, so only the beginning is judged. */
export const url = () =>
  reads(z.string({ error: "must be an address as text" }), (raw): Reading<string> => {
    const address = raw.trim();
    return /^(https?:\/\/\S+|\$\{\w+\}\S*)$/.test(address) ? { kind: "value", value: address } : { kind: "bad", message: `not an address: ${JSON.stringify(raw)}; write https://... or \${NAME} of a variable that holds it` };
  });
