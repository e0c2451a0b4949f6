/** Opens the sandbox of a run: what is read-only in it, and what the run says about it. */
import { join } from "node:path";
import { userConfigDir } from "../config/files.js";
import type { TaskIdentity } from "../core/journal-event.js";
import type { Settings } from "../core/settings.js";
import type { Agent, Repo, Wrap } from "../driver/ports.js";
import { planMounts } from "../sandbox/read-only.js";
import { chooseSandbox, sandboxWrap } from "../sandbox/sandbox.js";
import type { RepoPlace } from "../workspace/discover.js";
import { Refusal } from "./refusal.js";

export interface RunSandbox {
  /** Whether the kernel keeps frozen paths from being written. */
  isolated: boolean;
  /** One line for people. */
  note: string;
}

/** Refuses when the sandbox was asked for and does not work. */
export async function requireSandbox(settings: Pick<Settings, "sandbox">, env: NodeJS.ProcessEnv): Promise<RunSandbox> {
  const choice = await chooseSandbox(settings.sandbox, env);
  if (choice.kind === "refused") throw new Refusal(choice.message);
  return { isolated: choice.kind === "kernel", note: choice.note };
}

export async function openSandbox(options: {
  repo: RepoPlace;
  env: NodeJS.ProcessEnv;
  settings: Settings;
  tasks: readonly TaskIdentity[];
  control: Pick<Repo, "gitControlFiles">;
}): Promise<Wrap> {
  const { repo, env, settings, tasks, control } = options;
  const { root, gitDir, commonDir } = repo;
  const gitControl = (await control.gitControlFiles()).map((file) => file.path);
  const plan = planMounts(
    { root, gitDir, commonDir, gitControl, personal: [userConfigDir(env), ...userGitConfig(env)] },
    { settings, edits: tasks.flatMap((task) => task.edits) },
  );
  return sandboxWrap(plan);
}

/** Every process of this agent starts in the sandbox. */
export function isolated(agent: Agent, wrap: Wrap): Agent {
  return {
    kind: agent.kind,
    reach: agent.reach,
    check: () => agent.check(),
    start: (request) => agent.start({ ...request, wrap }),
    replayStream: (raw) => agent.replayStream(raw),
    reap: (token) => agent.reap(token),
  };
}

/** The person's own git configuration: a filter or alias in it would run in the driver's git as well. */
function userGitConfig(env: NodeJS.ProcessEnv): string[] {
  const named = env["GIT_CONFIG_GLOBAL"];
  const home = env["HOME"];
  const files = home === undefined ? [] : [join(home, ".gitconfig"), join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "git")];
  return named === undefined || named === "/dev/null" ? files : [...files, named];
}
