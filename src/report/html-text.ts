/** Text inside HTML; line breaks stay. Everything that is not markup of the report itself passes through here. */
import { CONTROLS } from "./clean-text.js";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function esc(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(CONTROLS, " "));
  return lines.join("\n").replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

export function code(text: string): string {
  return `<code>${esc(text)}</code>`;
}

/** Running text in which backticks mark code; the text is escaped first, so that only `code` elements can come of it. */
export function rich(text: string): string {
  return esc(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function items(list: readonly string[], tag: "ul" | "ol" = "ul"): string {
  return list.length === 0 ? "" : `<${tag}>${list.map((item) => `<li>${item}</li>`).join("")}</${tag}>`;
}

export interface Column {
  head: string;
  /** Numbers stand right. */
  number?: true;
  /** On a narrow screen: a line of its own, or no label because the value says what it is. */
  narrow?: "wide" | "bare";
}

/** On a narrow screen each row becomes a block, its cells named by their heads. Cells are markup. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const head = columns.map((column) => `<th scope="col"${column.number === true ? ' class="n"' : ""}>${esc(column.head)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell, at) => cellOf(columns[at], cell)).join("")}</tr>`).join("\n");
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function cellOf(column: Column | undefined, cell: string): string {
  if (cell === "") return `<td class="empty"></td>`;
  const names = [...(column?.number === true ? ["n"] : []), ...(column?.narrow === undefined ? [] : [column.narrow])];
  return `<td${names.length === 0 ? "" : ` class="${names.join(" ")}"`} data-label="${esc(column?.head ?? "")}">${cell}</td>`;
}
