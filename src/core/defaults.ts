/** Every default and preset; the source of each number is DESIGN's table of limits unless noted. */
import type { Settings } from "./settings.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const DEFAULT_GATE_TIMEOUT_MS = 10 * MINUTE;
/** A failing gate is run once more; a pass then is recorded as flaky. */
export const DEFAULT_GATE_RETRIES = 1;

/** A server on the same machine that needs longer than this does not answer. */
export const DEFAULT_HTTP_TIMEOUT_MS = 30_000;
/** The fewest with which a majority says more than one voice. */
export const DEFAULT_VOTES = 3;
/** Two of three agree. */
export const DEFAULT_MIN_CONFIDENCE = 0.6;

/** Globs of what looks like tests; existing files below them may grow but not lose lines. */
export const DEFAULT_PROTECT = [
  "**/test/**",
  "**/tests/**",
  "**/__tests__/**",
  "**/spec/**",
  "**/e2e/**",
  "**/*.test.*",
  "**/*.spec.*",
  "**/*_test.*",
  "**/*_spec.*",
  "**/test_*.*",
  "**/conftest.py",
];

export const DEFAULT_SETTINGS: Settings = {
  plan: null,
  objective: null,
  agent: {
    name: "auto",
    kind: "auto",
    argv: [],
    args: [],
    output: "text",
    model: null,
    effort: null,
    env: "inherit",
    envPass: [],
    envDeny: [],
    envSet: {},
    prices: {},
  },
  fallback: [],
  agents: [],
  limits: {
    iterations: 20,
    tokens: null,
    costMicroUsd: null,
    timeMs: 12 * HOUR,
    iterationMs: HOUR,
    idleMs: 10 * MINUTE,
    firstOutputMs: 5 * MINUTE,
    limitWaitMs: 24 * HOUR,
    fallbackAfterMs: 2 * MINUTE,
    resetSlackMs: MINUTE,
  },
  brakes: {
    onStuck: "stop",
    gutterCommand: { count: 3, match: "outcome" },
    gutterThrash: { count: 5, windowMs: 600_000, match: "content" },
    repeats: 2,
    noProgress: 2,
    oscillation: 2,
    disagreement: 3,
    attempts: 3,
    stepBack: false,
  },
  // 80,000 is 40 % of the 200,000 that the rule was made for.
  context: { warnTokens: 70_000, rotateTokens: 80_000, sharePercent: 40, windows: {} },
  backoff: { firstMs: 5_000, maxMs: 10 * MINUTE },
  gates: [],
  hiddenGates: [],
  setup: null,
  requireGate: false,
  protect: DEFAULT_PROTECT,
  freeze: [],
  branch: null,
  branchMode: "run",
  worktree: false,
  allowDirty: false,
  level: 2,
  sandbox: "auto",
  network: { access: "open", hosts: [] },
  /** Percent of the commits of each class of risk that a person is shown. */
  audit: { low: 10, medium: 30, high: 100 },
  signCommits: true,
  marker: "COMPLETE",
  taskSections: null,
  progressBytes: 16_384,
  maxFileBytes: 10 * 1024 * 1024,
  retention: { days: 30, megabytes: 1024 },
  settleGraceMs: 30_000,
  keep: [],
  killGraceMs: 5_000,
  once: false,
  notify: [],
  notifyWaitMs: 10 * MINUTE,
  heartbeat: { url: null, everyMs: 5 * MINUTE },
  hooks: {},
};

/** Iterations, tokens, no-progress by kind of small job. */
export const PRESETS: Readonly<Record<string, { iterations: number; tokens: number; noProgress: number }>> = {
  format: { iterations: 3, tokens: 20_000, noProgress: 1 },
  bugfix: { iterations: 5, tokens: 50_000, noProgress: 2 },
  docs: { iterations: 4, tokens: 30_000, noProgress: 2 },
  feature: { iterations: 8, tokens: 100_000, noProgress: 2 },
  integration: { iterations: 7, tokens: 80_000, noProgress: 3 },
};

/** Share of tokens, cost and time kept back for the wrap-up iteration. */
export const WRAP_UP_RESERVE = 0.1;
/** An agent that starts with less time than this is ended before it has read its prompt. */
export const MIN_WRAP_UP_MS = 30_000;
/** A wrap-up takes at least this share of what the cheapest iteration took; no source but caution. */
export const WRAP_UP_LEAST_SHARE = 0.05;
/** Tasks an agent may add in one iteration. */
export const MAX_ADDED_TASKS = 5;
/** An agent that is gone this soon without having done anything did not start. */
export const QUICK_EXIT_MS = 5_000;
/** Quick exits in a row that end the run with `cannot_start_agent`. */
export const MAX_QUICK_EXITS = 3;
/** Infrastructure endings in a row that end the run. */
export const MAX_INFRASTRUCTURE = 20;
/** Frozen paths touched this often, or compared paths in this many iterations in a row, end the run. */
export const MAX_FROZEN_TOUCHES = 2;
export const MAX_COMPARED_STREAK = 3;
/** First wait for an account limit without a reset time; doubles up to an hour. */
export const UNKNOWN_RESET_MS = 5 * MINUTE;
export const UNKNOWN_RESET_MAX_MS = HOUR;
