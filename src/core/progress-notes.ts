/** Keeps the notes of the iterations small: the newest stay, older ones go to an archive, an index says where what is. Pure. */
import { PROGRESS_ARCHIVE } from "./paths.js";

const BEGIN = `<!-- ralphd: older notes are in ${PROGRESS_ARCHIVE} -->`;
const END = "<!-- ralphd: end of the index -->";
/** Of the allowed size: what stays of the notes when they are cut, so that not every iteration cuts again, and what the index may take. */
const TAIL_SHARE = 0.5;
const INDEX_SHARE = 0.2;
const ENTRY_CHARACTERS = 80;

export interface BoundedNotes {
  notes: string;
  archive: string;
}

/** `maxBytes` of UTF-8. */
export function notesFit(notes: string, maxBytes: number): boolean {
  return notes.length <= maxBytes && (notes.length * 3 <= maxBytes || bytes(notes) <= maxBytes);
}

/** Null while the notes fit, and when they are one line. Doing it again after only the archive was written changes nothing more. */
export function boundNotes(notes: string, archive: string, maxBytes: number): BoundedNotes | null {
  if (notesFit(notes, maxBytes)) return null;
  const { entries, body } = split(notes);
  const at = cutAt(body, Math.floor(maxBytes * TAIL_SHARE));
  if (at === 0) return null;
  const moved = ended(body.slice(0, at));
  const before = archive.endsWith(moved) ? archive.slice(0, archive.length - moved.length) : ended(archive);
  const all = [...entries, ...entriesOf(moved, before === "" ? 1 : before.split("\n").length)];
  return { notes: `${indexOf(all, Math.floor(maxBytes * INDEX_SHARE))}\n${body.slice(at)}`, archive: before + moved };
}

/** What the prompt shows: the index and the newest notes, cut at a line. */
export function shownNotes(notes: string, maxCharacters: number): string {
  if (notes.length <= maxCharacters) return notes;
  const { entries, body } = split(notes);
  const index = entries.length === 0 ? "" : `${indexOf(entries, Math.floor(maxCharacters * INDEX_SHARE))}\n`;
  const cut = body.slice(-(maxCharacters - index.length));
  const newline = cut.indexOf("\n");
  return `${index}(older notes are in the file)\n${newline === -1 ? cut : cut.slice(newline + 1)}`;
}

/** Whether somebody wrote into the notes; taking old ones away is the driver's own doing. */
export function notesChanged(before: string, after: string): boolean {
  return !split(before).body.trim().endsWith(split(after).body.trim());
}

function split(notes: string): { entries: string[]; body: string } {
  const end = notes.startsWith(BEGIN) ? notes.indexOf(END) : -1;
  if (end === -1) return { entries: [], body: notes };
  const entries = notes
    .slice(0, end)
    .split("\n")
    .filter((line) => line.startsWith("- line "));
  return { entries, body: notes.slice(end + END.length).replace(/^\n+/, "") };
}

/** The newest entries that fit; the archive itself holds all there is. */
function indexOf(entries: readonly string[], maxCharacters: number): string {
  const kept: string[] = [];
  let used = 0;
  for (const entry of [...entries].reverse()) {
    used += entry.length + 1;
    if (used > maxCharacters) break;
    kept.unshift(entry);
  }
  return `${BEGIN}\n${kept.map((entry) => `${entry}\n`).join("")}${END}\n`;
}

/** Headings, and where there are none the first lines of paragraphs. */
function entriesOf(text: string, firstLine: number): string[] {
  const lines = text.split("\n");
  const numbered = lines.map((line, at) => ({ line, at }));
  const headings = numbered.filter(({ line }) => /^#{1,6} \S/.test(line));
  const begins = headings.length > 0 ? headings : numbered.filter(({ line, at }) => line.trim() !== "" && (at === 0 || lines[at - 1]?.trim() === ""));
  return begins.map(({ line, at }) => `- line ${firstLine + at}: ${line.replace(/^[#\-*\s]+/, "").slice(0, ENTRY_CHARACTERS)}`);
}

/** Start of the tail: at a heading, else at a paragraph, else at a line; 0 when all is one line. */
function cutAt(body: string, tailBytes: number): number {
  const earliest = tailStart(body, tailBytes);
  const tail = body.slice(earliest);
  for (const pattern of [/\n(?=#{1,6} \S)/, /\n\s*\n(?=\S)/, /\n(?=.)/]) {
    const found = pattern.exec(tail);
    if (found !== null) return earliest + found.index + found[0].length;
  }
  return 0;
}

/** Never in the middle of a character. */
function tailStart(text: string, tailBytes: number): number {
  let start = Math.max(0, text.length - tailBytes);
  while (bytes(text.slice(start)) > tailBytes) start += Math.max(1, Math.ceil((bytes(text.slice(start)) - tailBytes) / 3));
  return start;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
