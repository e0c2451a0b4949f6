/** The real Claude Code in a sandbox without network: it reaches its model and nothing else. */
import { expect, it } from "vitest";
import { openScene } from "./scene.js";

const PLAN = "---\ngates:\n  - { name: note, run: test -s note.txt }\n---\n- [ ] write `note.txt`\n";
const REACH = `node -e 'fetch("http://192.0.2.1/", { signal: AbortSignal.timeout(5000) }).then(() => console.log("REACHED"), () => console.log("CUT"))' > note.txt; printf 'GET http://other.invalid/ HTTP/1.1\\r\\nHost: other.invalid\\r\\n\\r\\n' > /dev/tcp/127.0.0.1/30128`;

it("works off a plan with `sandbox.network: off`", async () => {
  const scene = await openScene({
    files: { "README.md": "x\n" },
    plan: PLAN,
    iterations: [
      {
        turns: [
          { calls: [{ bash: { command: `bash -c ${JSON.stringify(REACH)}` } }] },
          { calls: [{ bash: { command: "sed -i 's/\\[ \\]/[x]/' PLAN.md" } }] },
          { text: "The note is written." },
        ],
      },
    ],
  });
  const ended = await scene.run("--trust", "--sandbox-network", "off");
  expect(ended.code, ended.stderr).toBe(0);
  expect(scene.git("show", "ralph/plan:note.txt")).toBe("CUT\n");
  expect(scene.events("run.started")[0]).toMatchObject({ sandbox: true, reachable: [new URL(scene.server.url).host] });
  expect(
    scene
      .events("warning")
      .map(({ message }) => message)
      .join("\n"),
  ).toContain("asked for other.invalid:80");
});
