/** Recorded outputs of real runners; `go.*` and `cargo-old.txt` are written after their documented formats. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function sample(name: string): string {
  return readFileSync(fileURLToPath(new URL(`./fixtures/${name}.txt`, import.meta.url)), "utf8");
}
