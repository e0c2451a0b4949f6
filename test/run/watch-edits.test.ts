/** The watch on plan and guardrails: sees every way of saving, says each problem once, and holds nothing open. */
import { spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FSWatcher } from "chokidar";
import { afterEach, describe, expect, it } from "vitest";
import { type EditWatch, watchEdits } from "../../src/run/watch-edits.js";

const GOOD = "- [ ] one\n";
const BROKEN = "- [ ] one\n\n```\n";
const open: { root: string; watch: EditWatch }[] = [];

afterEach(async () => {
  for (const { root, watch } of open.splice(0)) {
    await watch.close();
    rmSync(root, { recursive: true });
  }
});

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "ralphd-watch-"));
  mkdirSync(join(root, ".ralph/guardrails"), { recursive: true });
  mkdirSync(join(root, "node_modules/many"), { recursive: true });
  writeFileSync(join(root, "PLAN.md"), GOOD);
  return root;
}

function watching(options: Partial<Parameters<typeof watchEdits>[0]> = {}): { root: string; watch: EditWatch } {
  const root = folder();
  const one = { root, watch: watchEdits({ root, plan: "PLAN.md", sections: null, ...options }) };
  open.push(one);
  return one;
}

/** Saves again and again, since a watch tells nobody when it has begun. */
async function seen(save: () => void, watch: EditWatch): Promise<string[]> {
  for (;;) {
    save();
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      const found = watch.take();
      if (found.length > 0) return found;
    }
  }
}

describe("watchEdits", () => {
  it("FW-04 sees a file that is replaced, three times over", async () => {
    const { root, watch } = watching();
    const replace = (text: string): void => {
      writeFileSync(join(root, "PLAN.md.tmp"), text);
      renameSync(join(root, "PLAN.md.tmp"), join(root, "PLAN.md"));
    };
    for (let i = 1; i <= 3; i++) {
      const broken = `${"\n".repeat(i)}${BROKEN}`;
      expect(await seen(() => replace(broken), watch)).toEqual([expect.stringMatching(new RegExp(`^PLAN\\.md:${i + 3}:`))]);
    }
  });

  it("FW-05 makes one notice of many quick writes, and says nothing of a plan that is in order in the end", async () => {
    const { root, watch } = watching();
    await seen(() => writeFileSync(join(root, "PLAN.md"), BROKEN), watch);
    for (let i = 0; i < 5; i++) writeFileSync(join(root, "PLAN.md"), i % 2 === 0 ? GOOD : BROKEN);
    writeFileSync(join(root, ".ralph/guardrails/x.md"), "no sign\n");
    const found = await seen(() => writeFileSync(join(root, ".ralph/guardrails/x.md"), "no sign\n"), watch);
    expect(found).toEqual([expect.stringMatching(/guardrails\/x\.md is no sign/)]);
  });

  it("FW-01 goes on without a watch that fails, and says so", async () => {
    const fake = Object.assign(new EventEmitter(), { close: async () => undefined });
    // The two methods that are used of a real watcher.
    const { watch } = watching({ watch: () => fake as unknown as FSWatcher });
    await expect.poll(() => fake.listenerCount("error")).toBe(1);
    fake.emit("error", new Error("ENOSPC: System limit for number of file watchers reached"));
    expect(watch.take()).toEqual([expect.stringMatching(/not seen at once \(ENOSPC.*read when the next iteration starts/)]);
  });

  it("FW-01 watches two folders and nothing below others", async () => {
    const asked: unknown[] = [];
    let ignored: ((path: string) => boolean) | undefined;
    const { root } = watching({
      watch: (paths, options) => {
        asked.push(paths);
        ignored = options?.ignored as (path: string) => boolean;
        return Object.assign(new EventEmitter(), { close: async () => undefined }) as unknown as FSWatcher;
      },
    });
    await expect.poll(() => asked).toEqual([[root, join(root, ".ralph/guardrails")]]);
    expect(["node_modules", "node_modules/many", "src", ".git"].map((path) => ignored?.(join(root, path)))).toEqual([true, true, true, true]);
    expect(["PLAN.md", ".ralph/guardrails/a.md"].map((path) => ignored?.(join(root, path)))).toEqual([false, false]);
  });

  it("FW-07 keeps no process alive once it is closed", () => {
    const root = folder();
    const module = fileURLToPath(new URL("../../dist/run/watch-edits.js", import.meta.url));
    const script = `import { watchEdits } from ${JSON.stringify(module)};
      const watch = watchEdits({ root: process.argv[1], plan: "PLAN.md", sections: null });
      await new Promise((done) => setTimeout(done, 300)); await watch.close(); console.log("closed");`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script, root], { encoding: "utf8", timeout: 20_000 });
    rmSync(root, { recursive: true });
    expect(ran).toMatchObject({ status: 0, stdout: "closed\n" });
  });
});
