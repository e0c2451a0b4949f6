/** Puts back what no agent may change in a plan's file beside its tasks: byte-order mark, line endings, front matter. */
import { splitSource } from "./front-matter.js";

export interface FrozenResult {
  source: string;
  restored: string[];
  /** The front matter was changed, which is tampering; an editor's line endings are not. */
  touched: boolean;
}

type LineEnd = "\r\n" | "\n" | "\r";

export function restoreFrozenPart(before: string, after: string): FrozenResult {
  const restored: string[] = [];
  let source = after;
  const wanted = lineEndOf(before);
  const found = lineEndOf(after);
  if (wanted !== null && found !== null && wanted !== found) {
    source = source.replace(/\r\n|\n|\r/g, wanted);
    restored.push("The line endings of the plan had been changed and were put back.");
  }
  const bom = splitSource(before).bom;
  const marked = splitSource(source).bom;
  if (marked !== bom) {
    source = bom + source.slice(marked.length);
    restored.push("The byte-order mark at the start of the plan was put back as it was.");
  }
  return restoreFrontMatter(before, source, restored);
}

function restoreFrontMatter(before: string, after: string, restored: string[]): FrozenResult {
  const old = splitSource(before);
  const now = splitSource(after);
  // An unclosed block reads as invalid: the whole text is given up, and this tells why.
  if (old.prefix === now.prefix && now.unclosed === null) return { source: after, restored, touched: false };
  restored.push("The front matter of the plan is frozen while the run lasts; it was put back byte for byte.");
  if (now.unclosed !== null) return { source: after, restored, touched: true };
  const body = withoutMovedBlock(old.prefix.slice(old.bom.length), now.body);
  return { source: old.prefix + (old.frontMatter === null ? withoutFrontMatter(body) : body), restored, touched: true };
}

/** Behind one invented block there may be another, which would now be the first. */
function withoutFrontMatter(body: string): string {
  const split = splitSource(body);
  return split.frontMatter === null ? body : withoutFrontMatter(split.body);
}

/** Front matter that slipped below other text is no longer front matter; once put back it must not stand there twice. */
function withoutMovedBlock(block: string, body: string): string {
  const at = block === "" ? -1 : body.indexOf(block);
  return at === -1 ? body : body.slice(0, at) + body.slice(at + block.length);
}

/** The one kind of line ending in use; null for none or a mixture. */
function lineEndOf(text: string): LineEnd | null {
  const kinds = new Set(text.match(/\r\n|\n|\r/g) ?? []);
  const [only] = kinds;
  return kinds.size === 1 ? (only as LineEnd) : null; // the pattern matches nothing else
}
