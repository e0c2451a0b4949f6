/** Files whose rewriting says nothing about being stuck: the loop's own, lock files, what tools generate. */
import picomatch from "picomatch/posix.js";
import { RALPH_DIR } from "../paths.js";

const PATTERNS = [
  `${RALPH_DIR}/**`,
  `**/${RALPH_DIR}/**`,
  "**/progress.md",
  "**/guardrails.md",
  "**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,deno.lock}",
  "**/{Cargo.lock,poetry.lock,uv.lock,pdm.lock,Pipfile.lock,Gemfile.lock,composer.lock,go.sum,flake.lock,mix.lock}",
  "**/*.lock",
  "**/*.{snap,snapshot}",
  "**/{__snapshots__,snapshots}/**",
  "**/*.min.{js,css}",
  "**/*.{map,log,tsbuildinfo}",
  "**/*.{generated,gen}.*",
  "**/*{_pb2,_pb2_grpc}.py",
  "**/*.pb.{go,cc,h}",
  "**/{generated,__generated__,node_modules,dist,build,out,coverage,target,vendor,.next,.git}/**",
];

const matches = picomatch(PATTERNS, { dot: true, nocase: true });

/** `exempt`: exact paths, such as the plan's, relative to the root. */
export function isOwnOrGenerated(path: string, exempt: readonly string[]): boolean {
  const plain = path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  const absolute = path.startsWith("/") || /^[A-Za-z]:/.test(path);
  const named = exempt.some((item) => item === plain || (absolute && plain.endsWith(`/${item}`)));
  return named || matches(plain);
}
