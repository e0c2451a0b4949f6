/** Keeps the machine from falling asleep while a run goes on, where the system offers that. A favour: it never fails a run. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

export interface AwakeFacts {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Whose end ends the keeping. */
  pid: number;
  exists(path: string): boolean;
}

/** Where systemd's login manager listens; without it systemd-inhibit can only complain. */
const SYSTEM_BUS = "/run/dbus/system_bus_socket";
const SYSTEMD = "/run/systemd/system";

/** Null where nothing is known to help. */
export function awakeCommand({ platform, env, pid, exists }: AwakeFacts): string[] | null {
  if (platform === "darwin") return ["caffeinate", "-i", "-w", String(pid)];
  if (platform !== "linux") return null;
  const bus = (env["DBUS_SYSTEM_BUS_ADDRESS"] ?? "") !== "" || exists(SYSTEM_BUS);
  if (!bus || !exists(SYSTEMD)) return null;
  // `cat` ends when the pipe of this process closes, however this process ended.
  return ["systemd-inhibit", "--what=idle:sleep", "--who=ralphd", "--why=a run of coding agents is going on", "--mode=block", "cat"];
}

export function awakeFacts(env: NodeJS.ProcessEnv): AwakeFacts {
  return { platform: process.platform, env, pid: process.pid, exists: existsSync };
}

/** Returns what ends it. */
export function keepAwake(command: string[] | null, env: NodeJS.ProcessEnv): () => void {
  const [program, ...args] = command ?? [];
  if (program === undefined) return () => undefined;
  // In a session of its own, so that Ctrl-C at the terminal, which only asks for an end, does not end it.
  const child = spawn(program, args, { env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Not installed, or not allowed: the machine sleeps as it would have without us, and the run survives that.
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.unref();
  return () => {
    child.stdin.destroy();
    child.kill("SIGTERM");
  };
}
