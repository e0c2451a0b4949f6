/** Names tasks by their text, so that a tick, a note or a new line elsewhere leaves every name as it was. */

/** Long enough to tell tasks apart in a log line, short enough for one. */
const MAX_SLUG = 48;

export function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  // Cut by code points: half a surrogate pair would not survive a file.
  const cut = [...slug].slice(0, MAX_SLUG).join("").replace(/-+$/, "");
  return cut === "" ? "task" : cut;
}

/** Gives each name once: the second `build` is `build~2`. Ask in file order. */
export function taskNamer(): (wanted: string) => string {
  const seen = new Map<string, number>();
  return (wanted) => {
    const count = (seen.get(wanted) ?? 0) + 1;
    seen.set(wanted, count);
    return count === 1 ? wanted : `${wanted}~${count}`;
  };
}
