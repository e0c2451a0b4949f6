/** Reads single values as people write them: durations, money, token counts, counts, switches, choices. */
import { nearest } from "./nearest.js";

export type Reading<T> = { kind: "value"; value: T } | { kind: "bad"; message: string };

/** The one spelling of "no such limit"; zero never means it. */
export const UNLIMITED = "unlimited";

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const TOKEN_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000 };
const ZERO_DURATION = "0 does not mean unlimited: write a duration such as 10m or 12h";
/** Above this a number no longer counts exactly. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** `90s`, `10m`, `1h30m`, `1.5d` to ms. A number without a unit is refused, since seconds and minutes are both plausible. */
export function parseDuration(raw: string | number): Reading<number> {
  const text = String(raw).trim().toLowerCase();
  if (text === UNLIMITED) return bad("time always has an end: write a duration such as 12h or 7d, `unlimited` is not possible here");
  if (/^0+(\.0+)?$/.test(text)) return bad(ZERO_DURATION);
  if (/^\d+(\.\d+)?$/.test(text)) return bad(`a duration needs a unit: write ${text}s, ${text}m, ${text}h or ${text}d`);
  if (!/^(\d+(\.\d+)?\s*(ms|s|m|h|d)\s*)+$/.test(text)) return bad(`not a duration: ${show(raw)}; write for example 90s, 10m, 12h or 1d`);
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)/g)) {
    ms += Number(amount) * (DURATION_UNITS[unit ?? ""] ?? Number.NaN);
  }
  ms = Math.round(ms);
  if (!(ms <= MAX_COUNT)) return bad(`too long: ${show(raw)}`);
  return { kind: "value", value: ms };
}

/** Like `parseDuration`, for limits, where no time at all would end everything at once. */
export function parsePositiveDuration(raw: string | number): Reading<number> {
  const reading = parseDuration(raw);
  return reading.kind === "value" && reading.value === 0 ? bad(ZERO_DURATION) : reading;
}

/** `5`, `$5`, `2.50` US dollars to micro-dollars; null for `unlimited`. */
export function parseMoney(raw: string | number): Reading<number | null> {
  const text = String(raw).trim().toLowerCase();
  if (text === UNLIMITED) return { kind: "value", value: null };
  if (!/^\$?\s*\d+(\.\d+)?\s*(usd)?$/.test(text)) return bad(`not an amount of US dollars: ${show(raw)}; write for example 5, $5 or 2.50`);
  const micro = Math.round(Number(text.replace(/[$\s]|usd/g, "")) * 1_000_000);
  if (micro === 0) return bad("0 does not mean unlimited: write an amount such as 5, or `unlimited`");
  if (!(micro <= MAX_COUNT)) return bad(`too much: ${show(raw)}`);
  return { kind: "value", value: micro };
}

/** `50000`, `200k`, `1.5M`, `100_000` tokens; null for `unlimited`. */
export function parseTokens(raw: string | number): Reading<number | null> {
  const text = String(raw).trim().toLowerCase();
  if (text === UNLIMITED) return { kind: "value", value: null };
  const match = /^(\d[\d_]*(?:\.\d+)?)\s*([km]?)$/.exec(text);
  if (match === null) return bad(`not a number of tokens: ${show(raw)}; write for example 50000, 200k or 1.5M`);
  const tokens = Math.round(Number((match[1] ?? "").replaceAll("_", "")) * (TOKEN_UNITS[match[2] ?? ""] ?? Number.NaN));
  if (tokens === 0) return bad("0 does not mean unlimited: write a number such as 200k, or `unlimited`");
  if (!(tokens <= MAX_COUNT)) return bad(`too many tokens: ${show(raw)}`);
  return { kind: "value", value: tokens };
}

/** A whole number within the range. */
export function parseCount(raw: string | number, range: { min: number; max: number }): Reading<number> {
  const text = String(raw).trim().replaceAll("_", "");
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count === 0 && range.min > 0) return bad(`0 does not mean unlimited: write a whole number from ${range.min} to ${range.max}`);
  if (Number.isNaN(count)) return bad(`not a whole number: ${show(raw)}; write one from ${range.min} to ${range.max}`);
  if (count < range.min || count > range.max) return bad(`out of range: ${show(raw)}; write a whole number from ${range.min} to ${range.max}`);
  return { kind: "value", value: count };
}

/** Like `parseCount`, with `unlimited` as null. */
export function parseLimit(raw: string | number, range: { min: number; max: number }): Reading<number | null> {
  if (String(raw).trim().toLowerCase() === UNLIMITED) return { kind: "value", value: null };
  const reading = parseCount(raw, range);
  if (reading.kind === "value") return reading;
  return bad(`${reading.message}, or \`${UNLIMITED}\``);
}

/** Sizes such as `16k` or `10MB`, in bytes (powers of 1024). */
export function parseBytes(raw: string | number): Reading<number> {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b)?$/.exec(String(raw).trim().toLowerCase());
  if (match === null) return bad(`not a size: ${show(raw)}; write for example 16k or 10MB`);
  const bytes = Math.round(Number(match[1]) * 1024 ** ["", "k", "m", "g"].indexOf(match[2] ?? ""));
  if (bytes === 0 || !(bytes <= MAX_COUNT)) return bad(`out of range: ${show(raw)}; write a size such as 16k or 10MB`);
  return { kind: "value", value: bytes };
}

export function parseSwitch(raw: string | boolean): Reading<boolean> {
  const text = String(raw).trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(text)) return { kind: "value", value: true };
  if (["false", "no", "off", "0"].includes(text)) return { kind: "value", value: false };
  return bad(`not a switch: ${show(raw)}; write true or false`);
}

export function parseChoice<T extends string>(raw: string, choices: readonly T[]): Reading<T> {
  const found = choices.find((choice) => choice === raw.trim());
  if (found !== undefined) return { kind: "value", value: found };
  const close = nearest(raw, choices);
  return bad(`unknown value ${show(raw)}; ${close === null ? "" : `did you mean ${close}? `}one of ${choices.join(", ")}`);
}

/** What git takes as a branch name, after the rules of `git check-ref-format`. */
export function parseBranch(raw: string): Reading<string> {
  const forbidden = /[\s~^:?*[\\\x00-\x1f\x7f]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock$|\/\.|^@$|^HEAD$|^$/;
  return forbidden.test(raw) ? bad(`${show(raw)} is no name for a branch`) : { kind: "value", value: raw };
}

/** A gate's name stands in comments of tasks, separated by commas, and in one line of a table. */
export function parseGateName(raw: string): Reading<string> {
  const name = raw.trim();
  const fits = name.length <= 80 && /^[^\s,<>\x00-\x1f]([^,<>\x00-\x1f]*[^\s,<>\x00-\x1f])?$/.test(name);
  return fits ? { kind: "value", value: name } : bad(`${show(raw)} is no gate name: write 1 to 80 characters without comma, < and >`);
}

/** A regular expression of JavaScript, as gates use it: with `m`. */
export function parsePattern(raw: string): Reading<string> {
  try {
    new RegExp(raw, "m");
    return { kind: "value", value: raw };
  } catch (error) {
    return bad(`not a regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function bad(message: string): { kind: "bad"; message: string } {
  return { kind: "bad", message };
}

function show(raw: unknown): string {
  return JSON.stringify(raw);
}
