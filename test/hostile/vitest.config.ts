/** `npm run test:hostile`: every hostile agent against the built program, with and without the sandbox. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/hostile/**/*.hostile.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    env: { XDG_STATE_HOME: join(tmpdir(), "ralphd-test-state") },
  },
});
