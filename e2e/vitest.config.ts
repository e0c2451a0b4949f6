/** Test runner settings for runs with real agent CLIs; not part of `npm test`, because they install what they drive. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    globalSetup: ["e2e/install.ts"],
    reporters: ["default", "./e2e/table-reporter.ts"],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
