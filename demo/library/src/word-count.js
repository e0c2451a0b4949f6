/** Counts the words of a text. */
export function wordCount(text) {
  return text.split(" ").length;
}
