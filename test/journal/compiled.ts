/** Compiles one source file and what it imports to JavaScript, for tests that need it in a process of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** Absolute path of the compiled file. It lies below node_modules, so that its imports resolve. */
export function compiled(source: string): string {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const out = mkdtempSync(join(cache, "ralphd-test-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  writeFileSync(join(out, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(out, "tsconfig.json"),
    JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: { noEmit: false, noCheck: true, rootDir: join(ROOT, "src"), outDir: out, types: [] },
      include: [],
      files: [join(ROOT, source)],
    }),
  );
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(out, "tsconfig.json")]);
  return join(out, source.replace(/^src\//, "").replace(/\.ts$/, ".js"));
}
