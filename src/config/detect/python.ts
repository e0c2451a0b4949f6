/** Python projects: pytest, ruff and mypy, each only where the project shows that it uses it. */
import { gate, hasSection, NOTHING, type ProjectFiles, type Proposal } from "./types.js";

const MANIFESTS = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pytest.ini", "tox.ini", "Pipfile"];
const TEST_FILE = /^(test_.*|.*_test)\.py$/;

export function detectPython(files: ProjectFiles): Proposal {
  const isProject = MANIFESTS.some((name) => files.has(name));
  const tests = usesPytest(files);
  if (!isProject && !tests) return NOTHING;
  const { prefix, setup, tool } = runnerOf(files);
  const gates = [];
  if (tests) gates.push(gate("test", prefix === "" ? "python3 -m pytest" : `${prefix}pytest`));
  if (usesRuff(files)) gates.push(gate("lint", `${prefix}ruff check .`));
  if (usesMypy(files)) gates.push(gate("types", `${prefix}mypy .`));
  if (gates.length === 0) return NOTHING;
  return { tools: [tool ?? (tests ? "pytest" : "python")], setup, gates, notes: [] };
}

/** Without uv or poetry nothing is proposed as setup: installing into whatever Python is active is a person's decision. */
function runnerOf(files: ProjectFiles): { prefix: string; setup: string | null; tool: string | null } {
  if (files.has("uv.lock")) return { prefix: "uv run ", setup: "uv sync", tool: "uv" };
  if (files.has("poetry.lock")) return { prefix: "poetry run ", setup: "poetry install", tool: "poetry" };
  return { prefix: "", setup: null, tool: null };
}

function usesPytest(files: ProjectFiles): boolean {
  if (files.has("pytest.ini") || files.has("conftest.py")) return true;
  const project = files.read("pyproject.toml");
  if (hasSection(project, "tool.pytest") || /^\s*["']?pytest\b/m.test(project ?? "")) return true;
  if (hasSection(files.read("setup.cfg"), "tool:pytest") || hasSection(files.read("tox.ini"), "pytest")) return true;
  return ["tests", "test", "."].some((folder) => files.list(folder).some((name) => TEST_FILE.test(name) || (folder !== "." && name === "conftest.py")));
}

function usesRuff(files: ProjectFiles): boolean {
  return files.has("ruff.toml") || files.has(".ruff.toml") || hasSection(files.read("pyproject.toml"), "tool.ruff");
}

function usesMypy(files: ProjectFiles): boolean {
  if (files.has("mypy.ini") || files.has(".mypy.ini")) return true;
  return hasSection(files.read("pyproject.toml"), "tool.mypy") || hasSection(files.read("setup.cfg"), "mypy");
}
