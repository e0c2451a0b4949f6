/** Test runner settings: real processes and real git need longer timeouts than unit tests. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Files in these folders leave nothing behind in modules or environment, so they share one load of the modules: half of the CPU time. */
const PURE = ["core", "config", "corpus", "report"].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 3,
    // Runs of tests are not to be listed among the developer's own.
    env: { XDG_STATE_HOME: join(tmpdir(), "ralphd-test-state") },
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "program", include: ["test/**/*.test.ts"], exclude: PURE } },
    ],
  },
});
