/** The plan's headings whose tasks count, as they were fixed when the newest run began. */
import { frozenSettings } from "./frozen-settings.js";

/** Null means all headings. */
export function frozenSections(truthDir: string): string[] | null {
  return frozenSettings(truthDir)?.taskSections ?? null;
}
