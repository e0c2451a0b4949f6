/** Decides whether a run is isolated by the kernel, and wraps command lines so that they are. */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { findExecutable } from "../agents/executable.js";
import type { Settings } from "../core/settings.js";
import type { Wrap } from "../driver/ports.js";
import { bubblewrapArgv, type Network, type Probe, probeBubblewrap } from "./bubblewrap.js";
import type { MountPlan } from "./read-only.js";

export type SandboxChoice =
  | { kind: "kernel"; note: string }
  /** `note` says why and what holds instead. */
  | { kind: "compared"; note: string }
  | { kind: "refused"; message: string };

export async function chooseSandbox(
  mode: Settings["sandbox"],
  env: NodeJS.ProcessEnv,
  probe: typeof probeBubblewrap = probeBubblewrap,
): Promise<SandboxChoice> {
  if (mode === "off") return { kind: "compared", note: "sandbox: off; what must not change is compared after each iteration and put back" };
  return judgeProbe(mode, await probe(env));
}

/** Only namespaces can take the network away, so nothing else will do. */
export async function chooseClosedSandbox(
  mode: Settings["sandbox"],
  env: NodeJS.ProcessEnv,
  probe: typeof probeBubblewrap = probeBubblewrap,
): Promise<SandboxChoice> {
  const way = "or leave sandbox.network open";
  if (mode === "off")
    return { kind: "refused", message: `sandbox.network: off needs the sandbox, which sandbox: off forbids.\nAllow it with --sandbox auto, ${way}.` };
  const probed = await probe(env, process.platform, "relayed");
  if (probed.kind === "works") return judgeProbe(mode, probed);
  return { kind: "refused", message: `sandbox.network: off needs the sandbox, and it does not work: ${probed.why}.\nMake it work, ${way}.` };
}

function judgeProbe(mode: "auto" | "on", probed: Probe): SandboxChoice {
  if (probed.kind === "works") return { kind: "kernel", note: `sandbox: ${probed.version}; frozen paths are read-only for agent, gates and hooks` };
  if (mode === "auto") return { kind: "compared", note: `sandbox: none (${probed.why}); what must not change is compared after each iteration and put back` };
  return {
    kind: "refused",
    message: `The sandbox was asked for and does not work: ${probed.why}.\nMake it work, or run with --sandbox auto or --sandbox off, where frozen paths are compared and put back.`,
  };
}

/** Every process of agent, gates, setup and hooks goes through this one function. `inside`: what starts the process there. */
export function sandboxWrap(plan: MountPlan, network: Network = "open", inside: (argv: readonly string[]) => readonly string[] = (argv) => argv): Wrap {
  return (argv, { cwd, env, writable = [] }) => {
    // What can't be started is started as it is, so that it fails in its own words.
    if (!canStart(argv[0] ?? "", cwd, env["PATH"])) return [...argv];
    return bubblewrapArgv(inside(argv), cwd, [...plan(), ...writable.map((path) => ({ path, mode: "writable" as const }))], network);
  };
}

/** Longer first lines are cut by the kernel, too. */
const MAX_FIRST_LINE = 255;

function canStart(file: string, cwd: string, path: string | undefined): boolean {
  if (!existsSync(cwd)) return false;
  const found = findExecutable(file, { cwd, path });
  if (found.kind !== "found") return false;
  const interpreter = /^#!\s*([^ \t\n]+)/.exec(firstBytes(found.path))?.[1];
  return interpreter === undefined || existsSync(interpreter);
}

function firstBytes(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(MAX_FIRST_LINE);
      return buffer.toString("latin1", 0, readSync(file, buffer, 0, MAX_FIRST_LINE, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    // Executable but not readable: it has no first line that we could judge.
    return "";
  }
}
