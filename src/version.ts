/** The package's version, read from the one place that states it. */
import { readFileSync } from "node:fs";

export function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const value: unknown = (JSON.parse(text) as { version?: unknown }).version;
  return typeof value === "string" ? value : "unknown";
}
