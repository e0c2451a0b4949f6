/** Commands that a person wants to hear about, and ordinary ones that they don't. */
import { describe, expect, it } from "vitest";
import { riskOf } from "../../src/core/risky-command.js";

describe("risky commands", () => {
  it.each([
    ["git commit --no-verify -m x", "skips commit hooks"],
    ["git commit -nm x", "skips commit hooks"],
    ["cd a && git push --force origin main", "forces a push"],
    ["git push -f", "forces a push"],
    ["git push origin HEAD", "pushes"],
    ["git reset --hard HEAD~3", "resets hard"],
    ["git clean -fdx", "removes untracked files"],
    ["git stash clear", "uses the stash"],
    ["git commit --amend --no-edit", "rewrites history"],
    ["git rebase -i main", "rewrites history"],
  ])("SE-09 names %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });

  it.each(["git status", "git commit -m 'no verify'", "npm run clean", "git log --oneline -n 5", "git reset file.txt", "grep -n push src"])(
    "lets %s pass",
    (command) => {
      expect(riskOf(command)).toBeNull();
    },
  );
});
