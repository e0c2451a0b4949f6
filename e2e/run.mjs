/** `npm run test:e2e [-- --all] [vitest arguments]`: real agent CLIs; `--all` drives every one that can be installed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const given = process.argv.slice(2);
const env = { ...process.env, ...(given.includes("--all") ? { E2E_AGENTS: "all" } : {}) };
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const rest = given.filter((argument) => argument !== "--all");
const { status } = spawnSync(process.execPath, [vitest, "run", "--config", "e2e/vitest.config.ts", ...rest], { stdio: "inherit", env });
process.exitCode = status ?? 1;
