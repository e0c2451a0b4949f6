/** What a gate on a file is given: no file, an empty one, garbage, and a field-less document. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FieldGate, FileGate } from "../../core/gate.js";
import type { Trial, TrialRoom } from "../can-fail.js";
import { tryIn } from "./command.js";

export async function fileTrials(spec: FileGate | FieldGate, room: TrialRoom): Promise<Trial[]> {
  const contents: [string, string | null][] = [
    ["no such file", null],
    ["an empty file", ""],
    ["a file of garbage", '{"(((\n'],
    ...(spec.kind === "file" ? [] : [["a document without the field", "{}\n"] as [string, string]]),
  ];
  const trials: Trial[] = [];
  for (const [given, content] of contents) {
    const cwd = mkdtempSync(join(room.folder, "file-"));
    if (content !== null) {
      mkdirSync(dirname(join(cwd, spec.file)), { recursive: true });
      writeFileSync(join(cwd, spec.file), content);
    }
    // That a missing file fails is the driver's doing; what the gate itself tells apart shows in the others.
    trials.push(await tryIn(spec, room, { given, cwd, about: content === null ? "driver" : "content" }));
  }
  return trials;
}
