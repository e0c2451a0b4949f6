/** Reads a duration such as "90s", "15m" or "1h30m" and returns seconds. */
export function parseDuration(text) {
  return Number.parseInt(text, 10);
}
