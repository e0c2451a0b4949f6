/** Foreign text inside Markdown: one line, no control characters, no HTML, no broken tables or fences. */
import { CONTROLS, cut } from "./clean-text.js";

export function oneLine(text: string, maxLength = 300): string {
  return cut(text.replace(CONTROLS, " ").replace(/\s+/g, " ").trim(), maxLength);
}

/** For running text: a plan, an agent or a gate wrote it, so that it may look like markup. */
export function plain(text: string): string {
  return oneLine(text)
    .replace(/[<&]/g, (sign) => (sign === "<" ? "&lt;" : "&amp;"))
    .replace(/([\\*_[\]])/g, "\\$1");
}

/** A longer text of somebody else, line by line. */
export function quote(text: string): string {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(CONTROLS, " ").replaceAll("<", "&lt;").trimEnd());
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** For names, paths and commands. */
export function code(text: string): string {
  const flat = oneLine(text);
  return flat.includes("`") ? `\`\` ${flat} \`\`` : `\`${flat}\``;
}

/** Empty without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Empty without items. */
export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
