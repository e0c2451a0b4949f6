/** Reads an old single-file `guardrails.md`: `### Sign:` blocks with Trigger, Instruction and Added after. */
import type { Sign } from "./sign.js";
import { textAt } from "./text-at.js";

export interface ImportedSign {
  /** The heading, for the file's name. */
  title: string;
  sign: Sign;
}

export interface OldGuardrails {
  signs: ImportedSign[];
  /** Blocks without a trigger or an instruction. */
  incomplete: string[];
}

export function readOldGuardrails(source: string): OldGuardrails {
  const result: OldGuardrails = { signs: [], incomplete: [] };
  const blocks = withoutFences(source.replace(/\r\n?/g, "\n"))
    .split(/^#{2,4}[ \t]*Sign[ \t]*:[ \t]*/im)
    .slice(1);
  for (const block of blocks) {
    const title = textAt(block.split("\n"), 0).trim();
    const body = textAt(block.slice(block.indexOf("\n") + 1).split(/^#{1,6}[ \t]|^---[ \t]*$/m), 0);
    const trigger = field(body, "Trigger");
    const instruction = field(body, "Instruction");
    if (trigger === null || instruction === null) result.incomplete.push(title);
    else result.signs.push({ title, sign: { trigger, instruction, addedAfter: field(body, "Added after") ?? "", status: "draft" } });
  }
  return result;
}

/** Examples of the format stand in fences and are no signs. */
function withoutFences(source: string): string {
  return source.replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[`~]*[ \t]*$/gm, "");
}

/** `- **Trigger**: text`, with or without dash and stars; continues on indented lines. */
function field(body: string, name: string): string | null {
  const found = new RegExp(`^[ \\t]*(?:[-*+][ \\t]+)?\\**${name}\\**[ \\t]*:\\**[ \\t]*([^\\n]*(?:\\n[ \\t]+(?![-*+][ \\t])[^\\n]+)*)`, "im").exec(body)?.[1];
  const text = found?.replace(/\s*\n\s*/g, " ").trim() ?? "";
  return text === "" ? null : text;
}
