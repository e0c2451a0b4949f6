/** Projects with a package.json: which package manager, and which of the usual scripts exist. */
import { gate, NOTHING, type ProjectFiles, type ProposedGate, type Proposal } from "./types.js";

type Manager = "npm" | "pnpm" | "yarn" | "bun";

interface Manifest {
  scripts: Record<string, string>;
  packageManager: string | null;
  hasDependencies: boolean;
}

/** Spellings of a script by what it checks; the first that exists is taken. */
const SCRIPTS: Readonly<Record<ProposedGate["kind"], readonly string[]>> = {
  test: ["test"],
  lint: ["lint"],
  types: ["typecheck", "type-check", "check-types", "types", "tsc"],
};
/** What `npm init` writes; it fails by design and checks nothing. */
const NO_TEST = /no test specified/;
/** Such a script waits for changes and never gives a verdict. */
const WATCHES = /(^|\s)(--watch(All)?|-w|watch)(\s|$)/;

export function detectNode(files: ProjectFiles): Proposal {
  const source = files.read("package.json");
  if (source === null) return NOTHING;
  const manifest = readManifest(source);
  if (manifest === null) return { ...NOTHING, notes: ["package.json could not be read as JSON"] };
  const manager = managerOf(manifest, files);
  const proposal: Proposal = { tools: [manager], setup: setupOf(manager, manifest, files), gates: [], notes: [] };
  for (const kind of ["test", "lint", "types"] as const) {
    const name = SCRIPTS[kind].find((script) => manifest.scripts[script] !== undefined);
    const command = name === undefined ? "" : (manifest.scripts[name] ?? "");
    if (name === undefined || NO_TEST.test(command)) continue;
    if (WATCHES.test(command)) proposal.notes.push(`script ${name} watches for changes and never ends, so it is no gate`);
    else proposal.gates.push(gate(kind, runScript(manager, name)));
  }
  return proposal;
}

function readManifest(source: string): Manifest | null {
  const json = parseJson(source.replace(/^\uFEFF/, ""));
  if (!isRecord(json)) return null;
  const scripts = isRecord(json["scripts"]) ? json["scripts"] : {};
  return {
    scripts: Object.fromEntries(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string")),
    packageManager: typeof json["packageManager"] === "string" ? json["packageManager"] : null,
    hasDependencies: ["dependencies", "devDependencies", "workspaces"].some((key) => {
      const value = json[key];
      return typeof value === "object" && value !== null && Object.keys(value).length > 0;
    }),
  };
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // The caller notes that the file is not readable; nothing else is to be learned from the error.
    return null;
  }
}

/** The manifest's word counts before lock files, since it is what the tools themselves obey. */
function managerOf(manifest: Manifest, files: ProjectFiles): Manager {
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(manifest.packageManager ?? "")?.[1];
  if (declared !== undefined) return declared as Manager; // one of the four that the pattern names
  if (files.has("pnpm-lock.yaml")) return "pnpm";
  if (files.has("yarn.lock")) return "yarn";
  if (files.has("bun.lock") || files.has("bun.lockb")) return "bun";
  return "npm";
}

function setupOf(manager: Manager, manifest: Manifest, files: ProjectFiles): string | null {
  if (!manifest.hasDependencies) return null;
  switch (manager) {
    case "npm":
      return files.has("package-lock.json") || files.has("npm-shrinkwrap.json") ? "npm ci" : "npm install";
    case "pnpm":
      return files.has("pnpm-lock.yaml") ? "pnpm install --frozen-lockfile" : "pnpm install";
    case "yarn":
      return yarnSetup(files.read("yarn.lock"));
    case "bun":
      return files.has("bun.lock") || files.has("bun.lockb") ? "bun install --frozen-lockfile" : "bun install";
  }
}

/** Yarn 1 marks its lock file; later versions renamed the option. */
function yarnSetup(lock: string | null): string {
  if (lock === null) return "yarn install";
  return lock.includes("# yarn lockfile v1") ? "yarn install --frozen-lockfile" : "yarn install --immutable";
}

/** `bun test` is bun's own runner and not the script, so scripts are always called by `run`, save where `test` is a short form of it. */
function runScript(manager: Manager, script: string): string {
  return script === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${script}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
