/** `npm run test:hostile`: every hostile agent against the built program, with and without the sandbox. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/hostile/**/*.hostile.ts"], testTimeout: 120_000, hookTimeout: 60_000, pool: "forks", maxWorkers: 2 },
});
