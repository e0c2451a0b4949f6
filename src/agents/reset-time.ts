/** Reads when an account limit ends out of a vendor's sentence. Pure: clock and local zone are passed in. */
import { type WallTime, dayAfter, wallTimeAt, wallTimeToMs } from "./zone-time.js";

/** A reset this recent is meant, and not the one of tomorrow: the message is older than the moment it is read. */
const JUST_PASSED_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = `(?:${MONTHS.join("|")})[a-z]*\\.?`;
const CLOCK = "(\\d{1,2})(?::(\\d{2}))?(?::\\d{2})?(?:\\s*([ap])\\.?m\\b\\.?)?";
// Only what follows such a word is a reset time; a limit text may name other times too.
const LEAD = "(?:resets?|try again|available again|retry)(?:\\s+(?:at|on|after|until))?[:\\s]+";
const ZONE = "(?:\\s*\\(([^)]*)\\))?";

const DATED = new RegExp(`${LEAD}(${MONTH})\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?(?:,|\\s+at)?\\s+${CLOCK}${ZONE}`, "i");
const TIMED = new RegExp(`${LEAD}${CLOCK}(?![\\d:])${ZONE}`, "i");
const EPOCH = /(?:\||"resets_?at"\s*:\s*)(\d{10})\b/i;
/** Fields of API answers that products print as they came. */
const SECONDS = /"(?:resets_in_seconds|retry_?after|retryDelay)"\s*:\s*"?(\d+(?:\.\d+)?)s?\b/i;
const ISO = new RegExp(`${LEAD}(\\d{4}-\\d{2}-\\d{2}T[\\d:.]+(?:Z|[+-]\\d{2}:?\\d{2}))`, "i");
const IN = /(?:resets?|try again|available again|retry)\s+(?:in|after)\s+((?:~?\s*[\d.]+\s*[a-z]+[,\s]*(?:and\s+)?)+)/i;
const AMOUNT = /([\d.]+)\s*([a-z]+)/gi;

/** In this order: `ms` also begins like `m`. A unit that is not here (months) ends the reading. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|millis)/i, 1],
  [/^s/i, 1_000],
  [/^m(?!o)/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, DAY_MS],
  [/^w/i, 7 * DAY_MS],
];

/**
 * Epoch ms; may lie a little in the past, which means: try now. null when the text names no time that can be
 * trusted, such as `12:30` without am or pm, and the caller backs off instead.
 * `localZone` (IANA name) counts where the text names no zone.
 */
export function parseResetTime(text: string, nowMs: number, localZone: string): number | null {
  return epoch(text) ?? seconds(text, nowMs) ?? iso(text) ?? duration(text, nowMs) ?? dated(text, nowMs, localZone) ?? timed(text, nowMs, localZone);
}

function epoch(text: string): number | null {
  const seconds = EPOCH.exec(text)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

function seconds(text: string, nowMs: number): number | null {
  const count = SECONDS.exec(text)?.[1];
  return count === undefined ? null : nowMs + Math.round(Number(count) * 1_000);
}

function iso(text: string): number | null {
  const stamp = ISO.exec(text)?.[1];
  const ms = stamp === undefined ? Number.NaN : Date.parse(stamp);
  return Number.isNaN(ms) ? null : ms;
}

function duration(text: string, nowMs: number): number | null {
  const amounts = IN.exec(text)?.[1];
  if (amounts === undefined) return null;
  let waitMs = 0;
  for (const [, count, name] of amounts.matchAll(AMOUNT)) {
    const unit = UNITS.find(([pattern]) => pattern.test(name ?? ""));
    if (unit === undefined) break;
    waitMs += Number(count) * unit[1];
  }
  return waitMs > 0 ? nowMs + Math.round(waitMs) : null;
}

function dated(text: string, nowMs: number, localZone: string): number | null {
  const match = DATED.exec(text);
  if (match === null) return null;
  const [, monthName, day, year, hour, minute, half, zoneName] = match;
  const zone = zoneOf(zoneName, localZone);
  const clock = clockOf(hour, minute, half);
  if (zone === null || clock === null) return null;
  const month = MONTHS.indexOf((monthName ?? "").slice(0, 3).toLowerCase()) + 1;
  const at = (ofYear: number): number | null => wallTimeToMs({ year: ofYear, month, day: Number(day), ...clock }, zone);
  if (year !== undefined) return at(Number(year));
  // Without a year the nearest one is meant: a stale date must not become a wait of a year.
  const thisYear = wallTimeAt(nowMs, zone).year;
  const candidates = [thisYear - 1, thisYear, thisYear + 1].map(at).filter((ms) => ms !== null);
  return candidates.sort((a, b) => Math.abs(a - nowMs) - Math.abs(b - nowMs))[0] ?? null;
}

function timed(text: string, nowMs: number, localZone: string): number | null {
  const match = TIMED.exec(text);
  if (match === null) return null;
  const [, hour, minute, half, zoneName] = match;
  const zone = zoneOf(zoneName, localZone);
  const clock = clockOf(hour, minute, half);
  if (zone === null || clock === null) return null;
  const today = wallTimeAt(nowMs, zone);
  for (const offsetDays of [-1, 0, 1]) {
    // Calendar days, since one of 23 hours would be jumped over otherwise.
    const ms = wallTimeToMs({ ...dayAfter(today, offsetDays), ...clock }, zone);
    if (ms !== null && ms >= nowMs - JUST_PASSED_MS) return ms;
  }
  return null;
}

/** Twelve-hour times need their am or pm; without one only a time from 13:00 on is unambiguous. */
function clockOf(hour: string | undefined, minute: string | undefined, half: string | undefined): Pick<WallTime, "hour" | "minute"> | null {
  const h = Number(hour);
  const m = minute === undefined ? 0 : Number(minute);
  if (m > 59) return null;
  if (half === undefined) return minute !== undefined && h >= 13 && h <= 23 ? { hour: h, minute: m } : null;
  if (h < 1 || h > 12) return null;
  return { hour: (h % 12) + (half.toLowerCase() === "p" ? 12 : 0), minute: m };
}

/** null for a zone that the system does not know: guessing one is wrong by hours. */
function zoneOf(name: string | undefined, localZone: string): string | null {
  const zone = name?.trim();
  // A remark in parentheses is not a zone.
  if (zone === undefined || zone === "" || /\s|…|\.\.\./.test(zone)) return localZone;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // RangeError: no such zone.
    return null;
  }
}
