/** Which commands count as writes elsewhere, by their words alone. */
import { describe, expect, it } from "vitest";
import { remoteWrites } from "../../src/core/remote-writes.js";

const whats = (command: string): string[] => remoteWrites(command).map((write) => write.what);

describe("commands that change something elsewhere", () => {
  it.each([
    ["git push origin main", "pushes to a remote"],
    ["git -C sub push", "pushes to a remote"],
    ["npm test && npm publish --access public", "publishes a package"],
    ["curl -fsS -X POST https://x.example/a", "sends data to a server"],
    ["curl -XPUT https://x.example/a", "sends data to a server"],
    ["curl https://x.example -d '{\"a\":1}'", "sends data to a server"],
    ["FOO=1 timeout 30 gh pr create --fill", "writes to GitHub"],
    ["gh api -X DELETE repos/a/b", "writes to GitHub"],
    ["echo done | mail -s done me@example.org", "sends mail"],
    ["bash -c 'twine upload dist/*'", "publishes a package"],
    ["/usr/bin/ssh host restart", "runs something on another machine"],
    ["kubectl -n web apply -f x.yaml", "changes a cluster"],
    ["docker buildx build --push .", "pushes an image"],
  ])("%s", (command, what) => expect(whats(command)).toEqual([what]));

  it("names each of several, with its words", () => {
    expect(remoteWrites("git push; npm publish")).toEqual([
      { command: "git push", what: "pushes to a remote" },
      { command: "npm publish", what: "publishes a package" },
    ]);
  });
});

describe("commands that change nothing elsewhere, or nothing twice", () => {
  it.each([
    "npm test",
    "npm run publish:check",
    "curl -fsS https://x.example/health",
    "git pull && git status",
    "git log --grep push-button",
    "gh pr view 3",
    "gh api repos/a/b",
    "ralphd once release-1 -- npm publish",
    "npm publish --dry-run",
    "echo 'git push'",
    "grep -rn 'npm publish' docs",
    "kubectl get pods",
    "rsync -a src/ dist/",
    "",
  ])("%s", (command) => expect(whats(command)).toEqual([]));
});
