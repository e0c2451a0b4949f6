/** Reads `<!-- gate: … -->`, `<!-- edits: … -->` and `<!-- group: … -->`; other comments say nothing. */
import { textAt } from "../text-at.js";

export interface Annotations {
  gates: string[];
  edits: string[];
  group: number | null;
  /** What could not be understood, as sentences. */
  complaints: string[];
}

const COMMENT = /<!--([\s\S]*?)-->/g;
const KEYED = /^\s*(gates?|edits?|group)\s*:\s*([\s\S]*?)\s*$/i;
/** Commas inside braces belong to a glob. */
const LIST_ITEM = /(?:\{[^}]*\}|[^,])+/g;

export function noAnnotations(): Annotations {
  return { gates: [], edits: [], group: null, complaints: [] };
}

/** Adds what the comments in `html` say; true when there was any annotation. */
export function readAnnotations(html: string, into: Annotations): boolean {
  let found = false;
  for (const comment of html.matchAll(COMMENT)) {
    const keyed = KEYED.exec(textAt(comment, 1));
    if (keyed === null) continue;
    found = true;
    apply(textAt(keyed, 1).toLowerCase(), textAt(keyed, 2), into);
  }
  return found;
}

function apply(key: string, value: string, into: Annotations): void {
  if (key === "group") {
    if (/^\d{1,9}$/.test(value)) into.group = Number(value);
    else into.complaints.push(`\`group: ${value}\` is not a whole number; the task is unnamed and comes last`);
    return;
  }
  const names = (value.match(LIST_ITEM) ?? []).map((name) => name.trim()).filter((name) => name !== "");
  if (names.length === 0) into.complaints.push(`\`${key}:\` names nothing`);
  const list = key.startsWith("gate") ? into.gates : into.edits;
  for (const name of names) if (!list.includes(name)) list.push(name);
}
