/** Resolves files that the package ships beside its code: prompts, guardrails, schemas, the demo. */
import { fileURLToPath } from "node:url";

/**
 * Absolute path of a file of the package, named relative to its root. `dist/` and `src/` both lie
 * directly below the root, so the answer is the same for the built code and under the test runner.
 */
export function shippedFile(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}
