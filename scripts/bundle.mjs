/**
 * Makes the program's modules, and those of the libraries it starts with, into few files: Node takes longer to find and
 * open five hundred files than to run what is in them. The modules that `tsc` wrote stay for those who import the library.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const CHUNK = "chunk-";
/** Each is loaded by few commands, and finds files of its own beside its code or is large. */
const EXTERNAL = ["pino", "chokidar", "@anthropic-ai/sdk", "@agentclientprotocol/sdk"];

// Directly in dist/, because what the package ships is found relative to the code.
const stale = readdirSync(DIST).filter((name) => name.startsWith(CHUNK));
const bundle = await rolldown({
  input: { main: join(DIST, "main.js") },
  platform: "node",
  // Commands share modules that some of them load at once and others when needed, which it would warn of.
  checks: { ineffectiveDynamicImport: false },
  external: (id) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)),
});
const { output } = await bundle.write({
  dir: DIST,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: `${CHUNK}[name]-[hash].js`,
});
await bundle.close();
const written = new Set(output.map(({ fileName }) => fileName));
for (const name of stale) if (!written.has(name)) rmSync(join(DIST, name));
