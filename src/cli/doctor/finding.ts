/** What the doctor says: one finding a check, each with what was seen and how to mend it. */

/** The four questions that a loop has to answer, and the machine below it. The order is that of the output. */
export const QUESTIONS = {
  forget: "Does it forget?",
  stop: "Does it stop?",
  refuse: "Can something say no?",
  writes: "Are its writes safe twice?",
  machine: "Is the machine ready?",
} as const;
export type QuestionName = keyof typeof QUESTIONS;

/** `gap`: a run here would be wrong or impossible. `hint`: worth knowing. */
export type Level = "ok" | "hint" | "gap";

export interface Finding {
  /** `stop.cost`: stable, for scripts. The part before the dot is the question. */
  id: `${QuestionName}.${string}`;
  /** What of several it is about, such as a gate's name; null where there is only one. */
  subject: string | null;
  level: Level;
  /** One sentence. */
  seen: string;
  /** What to do; null when there is nothing to do. */
  fix: string | null;
}

export function ok(id: Finding["id"], seen: string, subject: string | null = null): Finding {
  return { id, subject, level: "ok", seen, fix: null };
}

export function hint(id: Finding["id"], seen: string, fix: string, subject: string | null = null): Finding {
  return { id, subject, level: "hint", seen, fix };
}

export function gap(id: Finding["id"], seen: string, fix: string, subject: string | null = null): Finding {
  return { id, subject, level: "gap", seen, fix };
}

export function questionOf({ id }: Finding): QuestionName {
  return id.slice(0, id.indexOf(".")) as QuestionName; // ids begin with a question, as their type says
}

export function worst(findings: readonly Finding[]): Level {
  if (findings.some((one) => one.level === "gap")) return "gap";
  return findings.some((one) => one.level === "hint") ? "hint" : "ok";
}
