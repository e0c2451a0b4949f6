/** Are its writes safe twice? Commands that a run repeats and that change something elsewhere, and writes with an unknown end. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gateCommand } from "../../core/gate.js";
import { gateScripts } from "../../core/guard/gate-scripts.js";
import { pinnedScripts } from "../../core/guard/package-scripts.js";
import { HOOK_NAMES } from "../../core/notice.js";
import { ONCE_DIR, TRUTH_DIR } from "../../core/paths.js";
import { remoteWrites } from "../../core/remote-writes.js";
import type { Settings } from "../../core/settings.js";
import { plural } from "../../report/format.js";
import { oneLine } from "../../report/markdown-text.js";
import { entryDirs, readEntry } from "../../once/entry.js";
import { driverStore } from "../../once/store.js";
import { hasHook } from "../../workspace/hooks.js";
import { readLock } from "../../workspace/lock-state.js";
import type { Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";

/** The commit hooks that the driver runs. */
export const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"] as const;
/** Longer scripts are read up to here. */
const MAX_SCRIPT_BYTES = 64 * 1024;

export function checkWrites({ repo, settings }: Examined, hooksDir: string | null): Finding[] {
  if (repo === null) return [];
  const sources = [...commandSources(settings, repo.root), ...hookSources(hooksDir)];
  const found = sources.flatMap(({ what, text }) => remoteWrites(text).map((write) => ({ subject: what, ...write })));
  const findings = found.map(({ subject, command, what }) =>
    hint(
      "writes.elsewhere",
      `${subject} ${what}, judged by its words: ${oneLine(command, 120)}. A retry, a restart or the final proof does it again`,
      `Put it behind a key: \`ralphd once KEY -- ${oneLine(command, 60)}\`, or leave it to a person.`,
      subject,
    ),
  );
  return [
    ...(findings.length > 0
      ? findings
      : [
          ok(
            "writes.elsewhere",
            sources.length === 0
              ? "no gate, setup or hook runs a command"
              : `none of ${plural(sources.length, "command")} of gates, setup and hooks writes elsewhere, judged by its words`,
          ),
        ]),
    ...records([join(repo.commonDir, TRUTH_DIR, ONCE_DIR), driverStore(repo.commonDir)]),
  ];
}

interface Source {
  /** `gate tests`, `hook onStop`, `git hook pre-commit`. */
  what: string;
  text: string;
}

/** Commands with what they call in the repository: package scripts and script files. Deeper calls are not followed. */
function commandSources(settings: Settings, root: string): Source[] {
  const typed: Source[] = [
    ...settings.gates.flatMap((gate) => {
      const text = gateCommand(gate);
      return text === null ? [] : [{ what: `gate ${gate.name}`, text }];
    }),
    ...(settings.setup === null ? [] : [{ what: "setup", text: settings.setup }]),
    ...HOOK_NAMES.flatMap((name) =>
      settings.hooks[name] === undefined ? [] : [{ what: `hook ${name}`, text: settings.hooks[name].argv.map(quoted).join(" ") }],
    ),
  ];
  const manifest = readScript(join(root, "package.json"));
  return typed.flatMap(({ what, text }) => {
    const scripts =
      manifest === null
        ? []
        : pinnedScripts(text, manifest).flatMap(({ name, value }) => (value === null ? [] : [{ what: `${what} (script ${name})`, text: value }]));
    const files = gateScripts(text, (path) => isFile(join(root, path))).flatMap((path) =>
      shellText(root, path).map((content) => ({ what: `${what} (${path})`, text: content })),
    );
    return [{ what, text }, ...scripts, ...files];
  });
}

function hookSources(hooksDir: string | null): Source[] {
  if (hooksDir === null) return [];
  return COMMIT_HOOKS.flatMap((hook) => {
    const text = hasHook(hooksDir, hook) ? readScript(join(hooksDir, hook)) : null;
    return text === null ? [] : [{ what: `git hook ${hook}`, text }];
  });
}

/** Other languages are not read: their words mean other things. */
function shellText(root: string, path: string): string[] {
  const text = readScript(join(root, path));
  return text !== null && (/\.(?:sh|bash)$/.test(path) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text)) ? [text] : [];
}

function readScript(path: string): string | null {
  try {
    return readFileSync(path).toString("utf8", 0, MAX_SCRIPT_BYTES);
  } catch {
    // What can't be read has no words to judge; a gate that can't read it fails by itself.
    return null;
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function records(stores: readonly string[]): Finding[] {
  const dirs = stores.flatMap(entryDirs);
  const open = dirs.flatMap((dir) => {
    const reading = readEntry(dir);
    if (reading.kind === "damaged")
      return [
        gap(
          "writes.once",
          `the record ${reading.path} can't be read, so nobody knows whether that write happened`,
          "Look at the other side, then `ralphd once --resolve KEY done` or `retry`.",
        ),
      ];
    if (reading.kind === "none" || reading.entry.state === "done") return [];
    const { key, state, note, startedAtMs } = reading.entry;
    if (state === "pending" && readLock(dir).kind === "held") return [];
    const why = note ?? "the call that started it ended before its result was known";
    return [
      gap(
        "writes.once",
        `whether ${key} happened is unknown: ${why} (${new Date(startedAtMs).toISOString()})`,
        `Look at the other side, then \`ralphd once --resolve ${key} done\` or \`ralphd once --resolve ${key} retry\`.`,
        key,
      ),
    ];
  });
  return open.length > 0 ? open : [ok("writes.once", `${plural(dirs.length, "recorded write")}, none with an unknown result`)];
}
