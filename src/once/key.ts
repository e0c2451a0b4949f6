/** The key of a write: the same for the same inputs, so that a retry is recognised; never something new each time. */
import { createHash } from "node:crypto";

export type KeyReading = { kind: "key"; key: string } | { kind: "refused"; message: string };

const MAX_KEY_CHARS = 500;
/** A time this close to now was read from the clock for the key, and will be another at the retry. */
const NOW_MS = 60 * 60_000;
/** With or without dashes; the version digit keeps most hashes out. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{12}[147][0-9a-f]{3}[89ab][0-9a-f]{15}(?![0-9a-f])/i;
/** The start of a ULID of these decades. */
const ULID = /(?<![0-9A-Za-z])01[0-9A-HJKMNP-TV-Z]{24}(?![0-9A-Za-z])/;
const EPOCH = /(?<!\d)(\d{10}|\d{13}|\d{16}|\d{19})(?!\d)/g;
const ISO = /\d{4}-?\d{2}-?\d{2}[T _]\d{2}[:-]?\d{2}(?:[:-]?\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g;

/** A key as it was typed. */
export function literalKey(key: string, nowMs: number): KeyReading {
  const plain = key.trim();
  if (plain === "") return refused("the key is empty");
  if (plain.length > MAX_KEY_CHARS) return refused(`the key is longer than ${MAX_KEY_CHARS} characters; give the inputs with --from instead`);
  const why = UUID.test(plain) || ULID.test(plain) ? "looks like a random id" : clockReading(plain, nowMs);
  return why === null ? { kind: "key", key: plain } : refused(`the key ${JSON.stringify(plain)} ${why}`);
}

/** Derived from inputs. An id may well name a resource, so only a part that is nothing else is refused. */
export function derivedKey(parts: readonly string[], nowMs: number): KeyReading {
  for (const part of parts) {
    const plain = part.trim();
    if (plain === "") return refused("an input is empty; was a variable not set?");
    const whole = isWhole(UUID, plain) || isWhole(ULID, plain) ? "is nothing but a random id" : null;
    const why = whole ?? clockReading(plain, nowMs);
    if (why !== null) return refused(`the input ${JSON.stringify(plain)} ${why}`);
  }
  return {
    kind: "key",
    key: keyFrom(
      "from",
      parts.map((part) => part.trim()),
    ),
  };
}

/** For inputs that are known to be the same at a retry. */
export function keyFrom(kind: string, parts: readonly string[]): string {
  return `${kind}:${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)}`;
}

function isWhole(pattern: RegExp, text: string): boolean {
  return pattern.exec(text)?.[0] === text;
}

function clockReading(text: string, nowMs: number): string | null {
  const epochs = [...text.matchAll(EPOCH)].map(([digits]) => Number(digits) * 10 ** (13 - digits.length));
  const times = [...text.matchAll(ISO)].flatMap(([written]) => isoTimes(written));
  return [...epochs, ...times].some((at) => Math.abs(at - nowMs) < NOW_MS) ? "holds the time of now" : null;
}

/** Without a zone it may be meant in local time or in UTC. */
function isoTimes(written: string): number[] {
  const [, year, month, day, hour, minute, second = "00", zone = ""] =
    /^(\d{4})-?(\d{2})-?(\d{2})[T _](\d{2})[:-]?(\d{2})[:-]?(\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/.exec(written) ?? [];
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  return (zone === "" ? [text, `${text}Z`] : [`${text}${zone}`]).map((one) => Date.parse(one));
}

function refused(what: string): KeyReading {
  return {
    kind: "refused",
    message: `${what}. A key has to be the same at a retry: make it from what the write is about (who, what, which task), such as coupon-user-5, or give the inputs with --from`,
  };
}
