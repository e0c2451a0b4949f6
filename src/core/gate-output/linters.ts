/** tsc, eslint and biome: every error is a failing check, named without its line, which moves with every edit. */
import { numbered, type Reader } from "./reading.js";

const TSC = /^(.+?)(?:\((\d+),\d+\): |:\d+:\d+ - )error (TS\d+): (.*)$/;

export const readTsc: Reader = (lines) => {
  const errors = lines.flatMap((line) => TSC.exec(line) ?? []).length > 0 ? lines.filter((line) => TSC.test(line)) : [];
  const general = lines.filter((line) => /^error TS\d+: /.test(line));
  if (errors.length + general.length === 0) return null;
  const names = errors.map((line) => line.replace(TSC, "$1: $3 $4"));
  return lint(numbered([...names, ...general]), errors[0] ?? general[0]);
};

const ESLINT_ERROR = /^\s+\d+:\d+\s+error\s+(.+?)(?:\s{2,}(\S+))?$/;
const ESLINT_FILE = /^(?:\/|[A-Za-z]:\\|\.{0,2}\/?[\w@-]).*\.\w+$/;

export const readEslint: Reader = (lines) => {
  if (!lines.some((line) => /^✖ \d+ problems? \(/.test(line))) return null;
  const names: string[] = [];
  let file = "";
  let first: string | undefined;
  for (const line of lines) {
    if (ESLINT_FILE.test(line)) file = line;
    const match = ESLINT_ERROR.exec(line);
    if (match === null) continue;
    names.push(`${file}: ${match[2] ?? match[1]}`);
    first ??= `${file}: ${match[1]}`;
  }
  return lint(numbered(names), first);
};

const BIOME_HEAD = /^(\S+?)(?::\d+:\d+)? (\w+(?:\/\w+)*|format|parse)\b.* ━{3,}$/;

export const readBiome: Reader = (lines) => {
  if (!lines.some((line) => /^Checked \d+ files? in /.test(line) || /━{20,}$/.test(line))) return null;
  const names: string[] = [];
  let first: string | undefined;
  lines.forEach((line, index) => {
    const head = BIOME_HEAD.exec(line);
    const body =
      lines
        .slice(index + 1)
        .find((next) => next.trim() !== "")
        ?.trim() ?? "";
    // A cross is an error, an exclamation mark a warning that does not fail the run.
    if (head === null || !body.startsWith("×")) return;
    names.push(`${head[1]}: ${head[2]}`);
    first ??= `${head[1]}: ${body.slice(1).trim()}`;
  });
  return names.length === 0 ? null : lint(numbered(names), first);
};

function lint(failing: string[], firstError: string | undefined): ReturnType<Reader> {
  return { testsRun: null, testsFailed: null, failing, firstError: firstError ?? null };
}
