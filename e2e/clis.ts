/** The real agent CLIs that these tests drive: pinned versions, and where they are installed. */
import { fileURLToPath } from "node:url";

interface Pinned {
  package: string;
  version: string;
  /** What has to stand beside it, by package. */
  beside?: Readonly<Record<string, string>>;
}

/** The versions whose streams the adapters were last checked with. */
export const CLIS = {
  claude: { package: "@anthropic-ai/claude-code", version: "2.1.332" },
  codex: { package: "@openai/codex", version: "0.171.0" },
  gemini: { package: "@google/gemini-cli", version: "0.61.0" },
  opencode: { package: "opencode-ai", version: "1.18.33" },
  copilot: { package: "@github/copilot", version: "1.0.102" },
  // It needs a newer Node than this project.
  pi: { package: "@earendil-works/pi-coding-agent", version: "1.6.0", beside: { node: "24.21.0" } },
} satisfies Record<string, Pinned>;

export type Cli = keyof typeof CLIS;

/** What `npm run test:e2e` drives; the others take half a gigabyte more and come with `-- --all`. */
const DEFAULT: readonly Cli[] = ["claude", "codex"];

/** Set by `e2e/run.mjs`. */
export const CHOSEN: readonly Cli[] = process.env["E2E_AGENTS"] === "all" ? (Object.keys(CLIS) as Cli[]) : DEFAULT;

export const CLI_FOLDER = fileURLToPath(new URL(".cli", import.meta.url));

/** Where npm put the executables. */
export const CLI_BIN = `${CLI_FOLDER}/node_modules/.bin`;

export function executableOf(cli: Cli): string {
  return `${CLI_BIN}/${cli}`;
}

/** Packages with their versions, as `npm install` wants them. */
export function packagesOf(cli: Cli): Record<string, string> {
  const pinned: Pinned = CLIS[cli];
  return { [pinned.package]: pinned.version, ...pinned.beside };
}
