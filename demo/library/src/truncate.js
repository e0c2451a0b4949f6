/** Shortens a text to at most `max` characters, the ellipsis included. */
export function truncate(text, max) {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
