/** A word, a line or a group of a pattern by its place. Where there is none stands no text: readers of foreign text look past the end. */
export function textAt(parts: ArrayLike<string | undefined>, at: number): string {
  return parts[at] ?? "";
}
