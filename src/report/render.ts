/** The forms of the report, all made of the same data. */
import type { Redactor } from "../journal/redact.js";
import { renderHtml } from "./html.js";
import { renderMarkdown } from "./markdown.js";
import type { ReportModel } from "./model-schema.js";

export const REPORT_FORMATS = ["md", "html", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export function renderReport(report: ReportModel, format: ReportFormat, redact: Redactor): string {
  switch (format) {
    case "md":
      return redact(renderMarkdown(report));
    case "html":
      return redact(renderHtml(report));
    case "json":
      return `${JSON.stringify(report, null, 2)}\n`;
  }
}
