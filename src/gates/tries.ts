/** Runs a gate of any kind, again where it may be flaky, and turns its tries into one result. */
import { randomUUID } from "node:crypto";
import { partToken, TOKEN_VARIABLE } from "../agents/process/process-table.js";
import type { GateResult, GateSpec, RubricGate } from "../core/gate.js";
import type { GateContext } from "../driver/ports.js";
import { judgeDiff } from "./diff-gate.js";
import { judgeField, judgeFile } from "./file-gate.js";
import { judgeHttp } from "./http-gate.js";
import { type GatesOptions, runCommandGate, strayed, type Try } from "./run-gate.js";

export async function runGate(options: GatesOptions, spec: GateSpec, context: GateContext): Promise<GateResult> {
  const first = await tryOnce(options, spec, context);
  let last = first;
  let tries = 1;
  let durationMs = first.durationMs;
  while (last.judged.verdict === "fail" && !last.final && tries <= spec.retries && !context.signal.aborted) {
    last = await tryOnce(options, spec, context);
    durationMs += last.durationMs;
    tries += 1;
  }
  const flaky = last.judged.verdict === "pass" && tries > 1;
  const reason = flaky
    ? `flaky: passed at try ${tries} after ${first.judged.reason}`
    : tries > 1
      ? `${last.judged.reason} (${tries} tries)`
      : last.judged.reason;
  return { name: spec.name, required: spec.required, ...last.judged, reason, durationMs: Math.round(durationMs), flaky, outputPath: last.logPath };
}

async function tryOnce(options: GatesOptions, spec: GateSpec, context: GateContext): Promise<Try> {
  if (spec.kind === "run") return runCommandGate(options, spec, context);
  const started = performance.now();
  const judged = await judgeOther(options, spec, context);
  return { judged: redacted(judged, options), durationMs: performance.now() - started, logPath: null, final: false };
}

async function judgeOther(options: GatesOptions, spec: Exclude<GateSpec, { kind: "run" }>, context: GateContext): Promise<Try["judged"]> {
  const root = context.cwd === "" ? options.root : context.cwd;
  switch (spec.kind) {
    case "file":
      return judgeFile(spec, root);
    case "json":
    case "yaml":
      return judgeField(spec, root);
    case "http":
      return judgeHttp(spec, context.signal);
    case "diff":
      return judgeDiff(spec, context.trees);
    case "rubric":
      return askRubric(options, spec, { context, root });
  }
}

async function askRubric(options: GatesOptions, spec: RubricGate, { context, root }: { context: GateContext; root: string }): Promise<Try["judged"]> {
  const stray = options.stray?.() ?? null;
  if (stray !== null) return strayed(stray);
  const [{ judgeRubric }, { askReviewer }] = await Promise.all([import("./rubric-gate.js"), import("../agents/review/reviewer.js")]);
  const { reviewer } = spec;
  const env = reviewer.agent === "command" ? context.env : (options.reviewerEnv?.(reviewer.agent) ?? context.env);
  return judgeRubric(spec, {
    root,
    trees: context.trees,
    ask: (prompt) =>
      askReviewer(reviewer, {
        prompt,
        root,
        env,
        timeoutMs: spec.timeoutMs,
        signal: context.signal,
        token: partToken(context.env[TOKEN_VARIABLE] ?? options.run, randomUUID()),
        killGraceMs: options.killGraceMs,
        prices: options.prices ?? {},
        wrap: options.wrap,
      }),
  });
}

/** Found values and cited lines may hold a secret as well as any log. */
function redacted(judged: Try["judged"], { redact }: GatesOptions): Try["judged"] {
  if (redact === undefined) return judged;
  const { reason, detail, failing, fingerprint } = judged;
  return { ...judged, reason: redact(reason), detail: detail === null ? null : redact(detail), failing: failing.map(redact), fingerprint: redact(fingerprint) };
}
