/** Settings of mutation testing; scripts/mutate.mjs starts it for one file and says which tables know that file. */
const { MUTATE_FILE, MUTATE_REPORT, MUTATE_KEPT } = process.env;

export default {
  mutate: [MUTATE_FILE],
  testRunner: "vitest",
  vitest: { configFile: "test/core/vitest.config.ts", related: false },
  concurrency: 1,
  // A busy machine must not pass for a noticed change: only what never ends is ended.
  timeoutMS: 60_000,
  // It rewrites paths in tsconfig.json with the compiler's old interface, which TypeScript 7 does not have; vitest needs none.
  tsconfigFile: "none.json",
  ignorePatterns: ["dist", "e2e", "bench", "demo", "docs", "coverage", "scripts", "state", "test/sim", "test/acceptance"],
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: MUTATE_REPORT },
  incremental: true,
  incrementalFile: MUTATE_KEPT,
  tempDirName: ".stryker/tmp",
};
