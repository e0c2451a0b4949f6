/** Go and Rust projects, whose tools bring their own test runner. */
import { gate, hasSection, NOTHING, type ProjectFiles, type Proposal } from "./types.js";

export function detectGo(files: ProjectFiles): Proposal {
  if (!files.has("go.mod")) return NOTHING;
  return { tools: ["go"], setup: null, gates: [gate("test", "go test ./..."), gate("lint", "go vet ./...")], notes: [] };
}

export function detectCargo(files: ProjectFiles): Proposal {
  const manifest = files.read("Cargo.toml");
  if (manifest === null) return NOTHING;
  const workspace = hasSection(manifest, "workspace") ? " --workspace" : "";
  const gates = [gate("test", `cargo test${workspace}`)];
  const clippy =
    files.has("clippy.toml") || files.has(".clippy.toml") || hasSection(manifest, "lints.clippy") || hasSection(manifest, "workspace.lints.clippy");
  if (clippy) gates.push(gate("lint", `cargo clippy${workspace} --all-targets -- -D warnings`));
  return { tools: ["cargo"], setup: null, gates, notes: [] };
}
