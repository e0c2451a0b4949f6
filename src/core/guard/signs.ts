/** Approval of signs: only a person approves, so an agent's file can never say `status: approved` by itself. */
import { parseDocument } from "yaml";
import { parseSign, type Sign } from "../sign.js";

export type SignVerdict = { kind: "ok" } | { kind: "restore"; content: string | null; why: string };

/** `before` is the pinned text; null when the file did not exist. Drafts may come, change and go. */
export function judgeSign(before: string | null, after: string | null): SignVerdict {
  if (before === after) return { kind: "ok" };
  if (before !== null && isApproved(before)) {
    return { kind: "restore", content: before, why: after === null ? "an approved sign was removed" : "an approved sign was changed" };
  }
  if (after === null || !isApproved(after)) return { kind: "ok" };
  return { kind: "restore", content: withStatus(after, "draft"), why: "a sign is approved by a person, not by its author; it is a draft again" };
}

/** As the prompt would show it. */
export function isApproved(text: string): boolean {
  return parseSign(text)?.status === "approved";
}

/** Only the status line changes; the author's other words stay as they are. */
export function withStatus(text: string, status: Sign["status"]): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return text.replace(/(?<=^\uFEFF?---\r?\n)[\s\S]*?(?=\r?\n---)/, (source) => {
    const document = parseDocument(source);
    document.set("status", status);
    return document.toString({ lineWidth: 0 }).trimEnd().replaceAll(/\r?\n/g, newline);
  });
}
