/** Project detection: real folders of each kind, and what must not be proposed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detectProject } from "../../src/config/detect.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralphd-detect-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function project(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const { tools, setup, gates } = detectProject(root);
  return { tools, setup, gates: Object.fromEntries(gates.map((gate) => [gate.name, gate.run])) };
}

const manifest = (scripts: Record<string, string>, more: object = {}) => JSON.stringify({ scripts, devDependencies: { vitest: "4" }, ...more });
const SCRIPTS = { test: "vitest", lint: "biome", "type-check": "tsc" };

describe("package.json", () => {
  it.each([
    ["npm ci", "npm", { "package-lock.json": "{}" }, {}, ["npm test", "npm run lint", "npm run type-check"]],
    ["npm install", "npm", {}, {}, ["npm test", "npm run lint", "npm run type-check"]],
    ["pnpm install --frozen-lockfile", "pnpm", { "pnpm-lock.yaml": "" }, {}, ["pnpm test", "pnpm run lint", "pnpm run type-check"]],
    ["yarn install --frozen-lockfile", "yarn", { "yarn.lock": "# yarn lockfile v1\n" }, {}, ["yarn test", "yarn run lint", "yarn run type-check"]],
    ["yarn install --immutable", "yarn", { "yarn.lock": "__metadata:\n" }, {}, ["yarn test", "yarn run lint", "yarn run type-check"]],
    ["bun install --frozen-lockfile", "bun", { "bun.lock": "" }, {}, ["bun run test", "bun run lint", "bun run type-check"]],
    ["pnpm install", "pnpm", { "package-lock.json": "{}" }, { packageManager: "pnpm@10.1.0" }, ["pnpm test", "pnpm run lint", "pnpm run type-check"]],
  ])("%s", (setup, tool, locks, more, [tests, lint, types]) => {
    expect(project({ "package.json": manifest(SCRIPTS, more), ...(locks as Record<string, string>) })).toEqual({
      tools: [tool],
      setup,
      gates: { tests, lint, types },
    });
  });

  it("proposes only scripts that exist, and no setup where nothing is to be installed", () => {
    expect(project({ "package.json": '\uFEFF{"scripts":{"test":"node --test"}}' })).toEqual({ tools: ["npm"], setup: null, gates: { tests: "npm test" } });
  });

  it("does not take npm's own placeholder for a test", () => {
    expect(project({ "package.json": manifest({ test: 'echo "Error: no test specified" && exit 1' }) }).gates).toEqual({});
  });

  it("leaves out scripts that watch, and says so", () => {
    expect(project({ "package.json": manifest({ test: "jest --watch", lint: "eslint ." }) }).gates).toEqual({ lint: "npm run lint" });
    expect(detectProject(root).notes).toEqual([expect.stringContaining("script test watches")]);
    expect(project({ "package.json": manifest({ test: "vitest --watch=false" }) }).gates).toEqual({ tests: "npm test" });
  });

  it.each(["{", "[]", '{"scripts":[]}', '{"scripts":{"test":3}}'])("survives the package.json %s", (source) => {
    expect(project({ "package.json": source }).gates).toEqual({});
  });
});

describe("Python", () => {
  it.each([
    ["pytest.ini", { "pytest.ini": "[pytest]" }, { tests: "python3 -m pytest" }],
    [
      "pyproject with pytest, ruff and mypy",
      { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff.lint]\n[tool.mypy]\n" },
      { tests: "python3 -m pytest", lint: "ruff check .", types: "mypy ." },
    ],
    ["pytest among the dependencies", { "pyproject.toml": '[project.optional-dependencies]\ntest = [\n  "pytest>=8",\n]\n' }, { tests: "python3 -m pytest" }],
    ["tests/ with test files", { "tests/test_a.py": "", "setup.py": "" }, { tests: "python3 -m pytest" }],
    ["uv", { "pyproject.toml": "[tool.pytest.ini_options]\n", "uv.lock": "", "ruff.toml": "" }, { tests: "uv run pytest", lint: "uv run ruff check ." }],
    ["setup.cfg", { "setup.cfg": "[tool:pytest]\n[mypy]\n" }, { tests: "python3 -m pytest", types: "mypy ." }],
    ["nothing that checks", { "pyproject.toml": "[project]\nname='x'\n" }, {}],
  ])("%s", (_, files, gates) => expect(project(files as Record<string, string>).gates).toEqual(gates));
});

describe("Go, Rust, make", () => {
  it.each([
    ["go", { "go.mod": "module x" }, { tests: "go test ./...", lint: "go vet ./..." }],
    ["cargo", { "Cargo.toml": "[package]", "tests/it.rs": "" }, { tests: "cargo test" }],
    [
      "cargo workspace with clippy",
      { "Cargo.toml": "[workspace]\n[workspace.lints.clippy]\nall='deny'" },
      { tests: "cargo test --workspace", lint: "cargo clippy --workspace --all-targets -- -D warnings" },
    ],
    ["make", { Makefile: ".PHONY: test lint\ntest lint: deps\n\tx\n" }, { tests: "make test", lint: "make lint" }],
    ["make check", { makefile: "check::\n\tx\n" }, { tests: "make check" }],
    ["make without such targets", { Makefile: "# test: no\ntest := 1\n.PHONY: test\nall:\n\ttest: x\n" }, {}],
    ["make around npm", { Makefile: "test:\n\tnpm test\nlint:\n\tx\n", "package.json": manifest({ test: "x" }) }, { tests: "npm test", lint: "make lint" }],
    [
      "two ecosystems",
      { "go.mod": "module x", "package.json": manifest({ test: "x" }) },
      { tests: "npm test", "go-tests": "go test ./...", lint: "go vet ./..." },
    ],
    ["an empty folder", {}, {}],
    ["a folder named like a file", { "go.mod/x": "" }, {}],
  ])("%s", (_, files, gates) => expect(project(files as Record<string, string>).gates).toEqual(gates));
});
