/** The tables of src/core/ alone, for mutation testing; MUTATE_TESTS names those that know the changed file. */
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: process.env["MUTATE_TESTS"]?.split(",") ?? ["test/core/**/*.test.ts"], testTimeout: 60_000 } });
