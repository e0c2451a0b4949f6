/** What a command gate is given: no files at all, the same files without their sense, and no time. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GateSpec, RunGate } from "../../core/gate.js";
import type { Trial, TrialRoom } from "../can-fail.js";

/** No language, no data format and no shell takes this for its own. */
const GARBAGE = "<<<<<<< (((( this file was replaced to see whether the gate notices \"'`{[\n";
/** Enough to be a project; more only costs time. */
const MAX_FILES = 5_000;
/** A tool that is missing in the stand-in tree must not be fetched from the network. */
const OFFLINE = { npm_config_offline: "true", npm_config_yes: "false", PIP_NO_INDEX: "1", CARGO_NET_OFFLINE: "true", GOPROXY: "off" };

export async function commandTrials(spec: RunGate, room: TrialRoom): Promise<Trial[]> {
  const empty = mkdtempSync(join(room.folder, "empty-"));
  const garbage = garbageTree(room);
  return [
    await tryIn(spec, room, { given: "an empty folder", cwd: empty, about: "content" }),
    await tryIn(spec, room, { given: "its files, replaced by garbage", cwd: garbage, about: "content" }),
    await tryIn({ ...spec, timeoutMs: 1 }, room, { given: "one millisecond of time", cwd: garbage, about: "driver" }),
  ];
}

export async function tryIn(
  spec: GateSpec,
  { gates, env, signal, folder }: TrialRoom,
  trial: { given: string; cwd: string; about: Trial["about"] },
): Promise<Trial> {
  const { cwd, given, about } = trial;
  const result = await gates.run(spec, { cwd, outputDir: join(folder, "logs"), env: { ...env, ...OFFLINE }, signal });
  return { given, about, verdict: result.verdict, reason: result.reason };
}

function garbageTree({ folder, files }: TrialRoom): string {
  const root = mkdtempSync(join(folder, "garbage-"));
  for (const path of files.slice(0, MAX_FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // Executable, so that a script is refused for what it says and not for its mode.
    writeFileSync(join(root, path), GARBAGE, { mode: 0o755 });
  }
  return root;
}
