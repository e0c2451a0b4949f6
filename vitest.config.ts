/** Test runner settings: real processes and real git need longer timeouts than unit tests. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 3,
    // Runs of tests are not to be listed among the developer's own.
    env: { XDG_STATE_HOME: join(tmpdir(), "ralphd-test-state") },
  },
});
