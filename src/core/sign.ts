/** Signs: one lesson a file, read from `.ralph/guardrails/`, shown to every iteration. */
import { stringify } from "yaml";
import { textAt } from "./text-at.js";
import { parseYaml } from "./yaml.js";

export interface Sign {
  trigger: string;
  addedAfter: string;
  status: "draft" | "approved" | "retired";
  instruction: string;
}

/** Bounds what a single sign may add to every prompt. */
export const MAX_INSTRUCTION = 600;
export const MAX_TRIGGER = 200;
export const MAX_SIGNS = 40;

/** null when the file is not a sign: no front matter, no trigger, or no instruction. */
export function parseSign(source: string): Sign | null {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(source);
  if (match === null) return null;
  const fields = readFields(textAt(match, 1));
  const trigger = fields?.["trigger"];
  const instruction = textAt(match, 2).trim();
  if (typeof trigger !== "string" || trigger.trim() === "" || instruction === "") return null;
  const status = fields?.["status"];
  const addedAfter = fields?.["added_after"];
  return {
    trigger: trigger.trim(),
    addedAfter: typeof addedAfter === "string" ? addedAfter : "",
    status: status === "approved" || status === "retired" ? status : "draft",
    instruction,
  };
}

function readFields(text: string): Record<string, unknown> | null {
  try {
    const value = parseYaml(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // A sign that is no YAML is no sign; `guardrails lint` names it, a prompt must not fail over it.
    return null;
  }
}

export function formatSign(sign: Sign): string {
  const head = stringify({ trigger: sign.trigger, added_after: sign.addedAfter, status: sign.status });
  return `---\n${head}---\n${sign.instruction.trim()}\n`;
}

/** The signs as the prompt shows them: approved ones first, drafts marked as unreviewed, retired ones left out. */
export function renderSigns(signs: readonly Sign[]): string {
  const shown = signs.filter((sign) => sign.status !== "retired").slice(-MAX_SIGNS);
  if (shown.length === 0) return "None yet.";
  const order = (sign: Sign): number => (sign.status === "approved" ? 0 : 1);
  return [...shown]
    .sort((a, b) => order(a) - order(b))
    .map((sign) => {
      const mark = sign.status === "draft" ? " (unreviewed draft)" : "";
      return `- When ${bounded(sign.trigger.replace(/\s+/g, " "), MAX_TRIGGER)}${mark}: ${bounded(sign.instruction.replace(/\s+/g, " "), MAX_INSTRUCTION)}`;
    })
    .join("\n");
}

function bounded(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}
