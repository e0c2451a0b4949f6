/** Finds the task that a person means: by id, by its number in the plan, or by a part of its text that no other has. */

export type FoundTask<T> = { kind: "task"; task: T } | { kind: "none" } | { kind: "several"; tasks: T[] };

/** `tasks` in file order; numbers count from 1. */
export function findTask<T extends { id: string; text: string }>(tasks: readonly T[], wanted: string): FoundTask<T> {
  const words = wanted.trim();
  const exact = tasks.find((task) => task.id === words || task.text === words);
  if (exact !== undefined) return { kind: "task", task: exact };
  const numbered = /^#?\d+$/.test(words) ? tasks[Number(words.replace("#", "")) - 1] : undefined;
  if (numbered !== undefined) return { kind: "task", task: numbered };
  const part = words.toLowerCase();
  const matching = part === "" ? [] : tasks.filter((task) => task.text.toLowerCase().includes(part) || task.id.includes(part));
  const [only] = matching;
  if (only === undefined) return { kind: "none" };
  return matching.length === 1 ? { kind: "task", task: only } : { kind: "several", tasks: matching };
}
