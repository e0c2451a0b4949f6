/** Prints what each run with a real CLI came to, as one table at the end. */
import type { Reporter, TestCase, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** What the run came to, in a few words. */
    outcome?: string;
  }
}

export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const rows = tests.map((test) => [test.name, test.result().state, seconds(test), (test.meta().outcome ?? "").replace(/\s+/g, " ")]);
    const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
    const lines = rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}

function seconds(test: TestCase): string {
  const ms = test.diagnostic()?.duration;
  return ms === undefined ? "" : `${(ms / 1_000).toFixed(1)} s`;
}
