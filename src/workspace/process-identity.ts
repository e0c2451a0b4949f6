/** Tells a process from a later one with the same number: by its start time, and by the boot it belongs to. */
import { execFileSync } from "node:child_process";
import { readTextOrNull } from "../quiet-files.js";
import { ownProgram } from "../own-program.js";

/** Opaque; equal means the same process. null when there is no such process. */
export function processStart(pid: number): string | null {
  const stat = readTextOrNull(`/proc/${pid}/stat`);
  if (stat !== null) {
    // The program's name may hold spaces and brackets; field 22 counts from the last bracket, which closes field 2.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; only its parent has not noticed.
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  }
  return bootId() === null ? startFromPs(pid) : null;
}

/** null where the system does not name its boots. */
export function bootId(): string | null {
  return readTextOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? null;
}

function startFromPs(pid: number): string | null {
  try {
    const output = execFileSync(ownProgram("ps"), ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      timeout: 5_000,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LC_ALL: "C" },
    });
    return output.trim() || null;
  } catch {
    // ps exits with 1 when there is no such process.
    return null;
  }
}
