/** Programs that the driver starts for itself: found on PATH when the first of them is needed, before any agent could put another one there. */
import { findExecutable } from "./agents/executable.js";

const OWN = ["bwrap", "git", "mkfifo", "notify-send", "osascript", "ps", "sh"] as const;
export type OwnProgram = (typeof OWN)[number];

/** What was not there then is not started later either. Starting it fails as for any missing program, and says so. */
const MISSING = "/proc/not-on-PATH";

const found = new Map<string, Record<OwnProgram, string>>();

/** Absolute path by the PATH of this process, unless another is given; all are looked up at once. */
export function ownProgram(name: OwnProgram, path: string = process.env["PATH"] ?? ""): string {
  const known = found.get(path) ?? lookUp(path);
  found.set(path, known);
  return known[name];
}

/** The same for a command line; a program that is none of the driver's own is left to whoever starts it. */
export function ownOrNamed(file: string): string {
  const own = OWN.find((name) => name === file);
  return own === undefined ? file : ownProgram(own);
}

function lookUp(path: string): Record<OwnProgram, string> {
  const place = (name: OwnProgram): string => {
    const place = findExecutable(name, { cwd: process.cwd(), path });
    return place.kind === "found" ? place.path : `${MISSING}/${name}`;
  };
  return Object.fromEntries(OWN.map((name) => [name, place(name)])) as Record<OwnProgram, string>;
}
