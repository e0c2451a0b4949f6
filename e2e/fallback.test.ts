/** Two real CLIs in one run: the first is at its account's limit for hours, so the second goes on. */
import { expect, it, onTestFinished } from "vitest";
import { SETUPS } from "./agents.js";
import { executableOf } from "./clis.js";
import { startModels } from "./fakes/server.js";
import { openScene } from "./scene.js";

it("codex goes on while claude waits for a reset that is hours away", async ({ task }) => {
  const resetS = Math.ceil(Date.now() / 1_000) + 3 * 3_600;
  const headers = {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(resetS),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "x-should-retry": "false",
  };
  const limit = { status: 429, type: "rate_limit_error", message: "This request would exceed your account's rate limit.", headers };
  const models = await startModels([
    { text: "I write.", calls: [{ shell: "echo noted > note.txt; sed -i 's/\\[ \\]/[x]/' PLAN.md" }] },
    { text: "The note is written." },
  ]);
  onTestFinished(() => models.close());
  const scene = await openScene({
    files: { "README.md": "x\n", ".ralph/config.yaml": "fallback: [codex]\n" },
    plan: "---\ngates:\n  - { name: note, run: test -s note.txt }\n---\n- [ ] write `note.txt`\n",
    iterations: [{ turns: [{ error: limit, times: 9 }] }],
    env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-replayed", RALPHD_CODEX_PATH: executableOf("codex"), ...SETUPS.codex.env(models.url) },
    home: SETUPS.codex.home(models.url),
  });
  const { code, stdout, stderr } = await scene.run("-n", "2");
  expect(code, `${stdout}${stderr}`).toBe(0);
  expect(scene.events("iteration.started").map(({ agent, spent }) => [agent, spent])).toEqual([
    ["claude", 1],
    ["codex", 1],
  ]);
  expect(scene.events("iteration.ended").map((event) => event.class)).toEqual(["limit", "progress"]);
  expect(scene.events("agent.ended")[0]?.ending.limit).toMatchObject({ kind: "account", resumeAtMs: resetS * 1_000 });
  expect(scene.events("wait.started")).toEqual([]);
  expect(scene.git("log", "-1", "--format=%(trailers:key=Ralphd-Agent,valueonly,separator=)", "ralph/plan").trim()).toBe("codex");
  expect(stderr).toContain("codex goes on");
  expect(scene.leftovers()).toEqual([]);
  task.meta.outcome = `exit ${code}: ${scene.events("agent.switched")[0]?.why}`;
});
