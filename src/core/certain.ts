/** What is always there unless this program has a bug, which then shows at once and by its name. */
export function certain<T>(value: T | null, bug: string): T {
  if (value === null) throw new Error(bug);
  return value;
}
