/** What every translator of a command-line agent needs to know of its surroundings. */
import type { AgentSettings } from "../../core/settings.js";

export interface TranslatorContext {
  /** Folders that paths are made relative to. */
  roots: readonly string[];
  nowMs(): number;
  /** IANA name, for reset times without a zone. */
  localZone: string;
  /** The user's own, by model. */
  prices: AgentSettings["prices"];
}
