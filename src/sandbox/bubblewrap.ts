/** The command line of bubblewrap: the whole file system as it is, some paths read-only, a PID namespace of its own. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ownProgram } from "../own-program.js";

/** In order: a later one lies over an earlier one. A writable folder becomes a mount point, which nobody can rename away. */
export interface Mount {
  path: string;
  /** `empty`: a folder with nothing in it, gone with the process. */
  mode: "readOnly" | "writable" | "empty";
  /** What appears at `path`; the same path without it. */
  from?: string;
}

/** `relayed`: cut off as well, with the right to listen on low ports of its own loopback. */
export type Network = "open" | "off" | "relayed";

/**
 * As root the sandbox keeps root's capabilities; these ones undo a mount, reach the disk below it, or open a file
 * past it by its handle. An ordinary user has none of them inside.
 */
const DROPPED = ["CAP_SYS_ADMIN", "CAP_DAC_READ_SEARCH", "CAP_MKNOD", "CAP_SYS_RAWIO", "CAP_SYS_MODULE", "CAP_SYS_BOOT"];
const PROBE_TIMEOUT_MS = 10_000;

export function bubblewrapArgv(argv: readonly string[], cwd: string, mounts: readonly Mount[], network: Network = "open"): string[] {
  return [
    ownProgram("bwrap"),
    ...["--dev-bind", "/", "/"],
    ...mounts.flatMap(({ path, mode, from = path }) =>
      mode === "empty" ? ["--tmpfs", path] : [mode === "readOnly" ? "--ro-bind-try" : "--bind-try", from, path],
    ),
    // With the namespace every process in it ends when its first one does, and that one ends with the driver.
    ...["--unshare-pid", "--proc", "/proc", "--die-with-parent"],
    ...(network === "open" ? [] : ["--unshare-net"]),
    ...(network === "relayed" && process.getuid?.() !== 0 ? ["--cap-add", "CAP_NET_BIND_SERVICE"] : []),
    ...(process.getuid?.() === 0 ? DROPPED.flatMap((name) => ["--cap-drop", name]) : []),
    ...["--chdir", cwd, "--", ...argv],
  ];
}

export type Probe = { kind: "works"; version: string } | { kind: "fails"; why: string };

/** Starts `true` in it, once a run: only the kernel knows whether this user may have namespaces here. */
export async function probeBubblewrap(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform, network: Network = "open"): Promise<Probe> {
  if (platform !== "linux") return { kind: "fails", why: `there is none for ${platform}` };
  const run = promisify(execFile);
  const [, ...args] = bubblewrapArgv(["true"], "/", [], network);
  const file = ownProgram("bwrap", env["PATH"] ?? "");
  try {
    const options = { env, timeout: PROBE_TIMEOUT_MS };
    await run(file, args, options);
    const { stdout } = await run(file, ["--version"], options);
    return { kind: "works", version: stdout.trim() };
  } catch (error) {
    return { kind: "fails", why: whyNot(error) };
  }
}

function whyNot(error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: string };
  if (code === "ENOENT") return "bubblewrap (bwrap) is not installed; `apt-get install bubblewrap` or the like does it";
  const said = (stderr ?? "").trim().split("\n").at(-1) ?? "";
  return `bubblewrap can't make namespaces here: ${said === "" ? String(error) : said}`;
}
