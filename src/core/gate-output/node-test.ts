/** node:test in its spec, TAP and dot reporters. The dot reporter prints no counts. */
import { captures, messageFrom, numbered, sumOf, type Reader } from "./reading.js";
import { textAt } from "../text-at.js";

const COUNT = (name: string): RegExp => new RegExp(String.raw`^(?:#|ℹ) ${name} (\d+)$`);
const TAP_FAILURE = /^\s*not ok \d+ - (.+?)(?: # .*)?$/;
const SPEC_FAILURE = /^\s*✖ (.+) \(\d+(?:\.\d+)?ms\)(?: # .*)?$/;

export const readNodeTest: Reader = (lines) => {
  const total = sumOf(lines, COUNT("tests"));
  const failCount = sumOf(lines, COUNT("fail"));
  // `| tail` may have cut the total off; the dot reporter never prints one.
  if (total === null && failCount === null && !lines.includes("Failed tests:")) return null;
  const failed = failures(lines);
  // Skipped and todo tests are listed in the total although they prove nothing.
  const idle = (sumOf(lines, COUNT("skipped")) ?? 0) + (sumOf(lines, COUNT("todo")) ?? 0);
  return {
    testsRun: total === null ? null : Math.max(0, total - idle),
    testsFailed: failCount === null ? failed.names.length : failCount + (sumOf(lines, COUNT("cancelled")) ?? 0),
    failing: numbered(failed.names),
    firstError: failed.firstError,
  };
};

interface Failures {
  names: string[];
  firstError: string | null;
}

function failures(lines: readonly string[]): Failures {
  const tap = tapFailures(lines);
  return tap.names.length > 0 ? tap : specFailures(lines);
}

function tapFailures(lines: readonly string[]): Failures {
  const names: string[] = [];
  let firstError: string | null = null;
  lines.forEach((line, index) => {
    const name = TAP_FAILURE.exec(line)?.[1];
    if (name === undefined || / # (?:TODO|SKIP)/.test(line)) return;
    const block = yamlBlock(lines, index + 1);
    if (isParent(block)) return;
    names.push(name);
    firstError ??= tapError(block);
  });
  return { names, firstError };
}

function yamlBlock(lines: readonly string[], from: number): string[] {
  if (lines[from]?.trim() !== "---") return [];
  const end = lines.findIndex((line, index) => index > from && line.trim() === "...");
  return lines.slice(from + 1, end === -1 ? lines.length : end);
}

/** A suite fails because its tests do; naming it would hide which. */
function isParent(block: readonly string[]): boolean {
  return captures(block, /^\s*failureType: '(subtestsFailed)'/).length > 0;
}

function tapError(block: readonly string[]): string | null {
  const at = block.findIndex((line) => /^\s*error: /.test(line));
  if (at === -1) return null;
  const value = textAt(block, at).replace(/^\s*error: /, "");
  if (!/^[|>]-?$/.test(value)) return value.replace(/^(['"])(.*)\1$/, "$2");
  return messageFrom(block, at + 1);
}

function specFailures(lines: readonly string[]): Failures {
  // The reporter lists failures a second time below this heading, without their parents.
  const heading = lines.findIndex((line) => line === "✖ failing tests:" || line === "Failed tests:");
  const listed = heading === -1 ? lines : lines.slice(heading + 1);
  const names: string[] = [];
  let firstError: string | null = null;
  listed.forEach((line, index) => {
    const name = SPEC_FAILURE.exec(line)?.[1];
    if (name === undefined) return;
    const error = messageFrom(listed, index + 1);
    if (error !== null && /^'?\d+ subtests? failed'?$/.test(error)) return;
    names.push(name);
    if (error !== null && !SPEC_FAILURE.test(error)) firstError ??= error;
  });
  return { names, firstError };
}
