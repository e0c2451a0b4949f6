/** Wall-clock time in an IANA zone, both ways. Pure. */

export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

export function wallTimeAt(ms: number, zone: string): WallTime {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(ms);
  const value = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  return { year: value("year"), month: value("month"), day: value("day"), hour: value("hour"), minute: value("minute") };
}

/** The calendar day so many days later, or earlier. */
export function dayAfter({ year, month, day }: WallTime, days: number): Pick<WallTime, "year" | "month" | "day"> {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** null when there is no such day. A time that a clock change skips becomes the moment after the change. */
export function wallTimeToMs(wall: WallTime, zone: string): number | null {
  const asUtc = utcOf(wall);
  const date = new Date(asUtc);
  if (date.getUTCMonth() + 1 !== wall.month || date.getUTCDate() !== wall.day) return null;
  // The offset at the guess may differ from the one at the result, on a night of a clock change.
  const first = asUtc - offsetMs(asUtc, zone);
  const second = asUtc - offsetMs(first, zone);
  return utcOf(wallTimeAt(second, zone)) === asUtc ? second : Math.max(first, second);
}

function offsetMs(ms: number, zone: string): number {
  const wholeMinute = Math.floor(ms / 60_000) * 60_000;
  return utcOf(wallTimeAt(wholeMinute, zone)) - wholeMinute;
}

function utcOf({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}
