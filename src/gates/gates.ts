/** The port by which the driver runs gates and `setup`: a verdict whatever happens, never a throw. */
import { DEFAULT_GATE_TIMEOUT_MS } from "../core/defaults.js";
import type { GateResult, GateSpec } from "../core/gate.js";
import type { Gates } from "../driver/ports.js";
import { type GatesOptions, runOnce } from "./run-gate.js";
import { runGate } from "./tries.js";

export type { GatesOptions } from "./run-gate.js";

const SETUP_TIMEOUT_MS = 3 * DEFAULT_GATE_TIMEOUT_MS;

export function createGates(options: GatesOptions): Gates {
  return {
    async run(spec, context) {
      try {
        return await runGate(options, spec, context);
      } catch (error) {
        // Whatever broke, nothing was proved.
        return unreadable(spec, error);
      }
    },
    async setup(command, context) {
      try {
        const timeoutMs = options.setupTimeoutMs ?? SETUP_TIMEOUT_MS;
        const { judged } = await runOnce(options, { name: "setup", command, timeoutMs, counts: false }, context);
        const detail = judged.detail === null || judged.detail === judged.reason ? judged.reason : `${judged.reason}\n${judged.detail}`;
        return { ok: judged.verdict === "pass", detail };
      } catch (error) {
        return { ok: false, detail: `setup could not be run: ${messageOf(error)}` };
      }
    },
  };
}

function unreadable(spec: GateSpec, error: unknown): GateResult {
  const reason = `could not be judged: ${messageOf(error)}`;
  return {
    name: spec.name,
    verdict: "fail",
    reason,
    required: spec.required,
    failing: [],
    fingerprint: reason,
    testsRun: null,
    exitCode: null,
    durationMs: 0,
    flaky: false,
    outputPath: null,
    detail: reason,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
