/** What may stand in `.ralph/config.yaml`, the user's config and a plan's front matter; strict, so that nothing is ignored silently. */
import { z } from "zod";
import { AGENT_KINDS } from "../core/agent-kinds.js";
import { PRESETS } from "../core/defaults.js";
import { NOTICE_KINDS, NOTIFY_FORMATS } from "../core/notice.js";
import {
  agentName,
  branchName,
  bytes,
  choice,
  count,
  duration,
  finiteTokens,
  glob,
  grace,
  host,
  limit,
  list,
  marker,
  money,
  text,
  toggle,
  tokens,
  url,
} from "./fields.js";
import { gateSchema } from "./gate-schema.js";

/** More iterations than this is a loop without a limit by another name. */
export const MAX_ITERATIONS = 100_000;
const percent = () => count({ min: 0, max: 100 });
const times = () => count({ min: 1, max: 1_000 });

const price = z
  .strictObject({
    input: z.number().nonnegative().describe("Uncached input"),
    output: z.number().nonnegative().describe("Output"),
    cacheRead: z.number().nonnegative().describe("Input read from a cache"),
    cacheWrite: z.number().nonnegative().describe("Input written to a cache"),
  })
  .describe("US dollars per million tokens");

const agentSchema = z.strictObject({
  kind: agentName()
    .optional()
    .describe(
      `Which agent: ${AGENT_KINDS.join(", ")}, or a name of \`agents\`; \`auto\` takes the first that is installed and logged in, \`acp:<command>\` speaks the Agent Client Protocol with it`,
    ),
  argv: list(z.string({ error: "must be text; put numbers in quotes" }), "arguments, the program first")
    .min(1, { error: "must name a program" })
    .optional()
    .describe("Program and arguments of a `command` agent; for other agents the executable to use"),
  args: list(z.string({ error: "must be text; put numbers in quotes" }), "arguments")
    .optional()
    .describe("Extra arguments for the agent's own command line"),
  output: choice(["text", "events"]).optional().describe("What a `command` agent prints: plain text, or one AgentEvent a line"),
  model: text("a model name").optional().describe("Model, as the agent names it"),
  effort: text("an effort level").optional().describe("Reasoning effort, as the agent names it"),
  env: choice(["inherit", "minimal"]).optional().describe("Environment of the agent: everything but the driver's secrets, or only what a shell needs"),
  envPass: list(text("a variable name"), "variable names").optional().describe("Variables that pass in any case"),
  envDeny: list(text("a variable name"), "variable names").optional().describe("Variables that never pass"),
  envSet: z
    .record(z.string(), z.string({ error: "must be text; put numbers in quotes" }))
    .optional()
    .describe("Variables that are set for this agent and its gates"),
  prices: z.record(z.string(), price).optional().describe("Prices by model id, in US dollars per million tokens"),
});

const limitsSchema = z.strictObject({
  iterations: limit({ min: 1, max: MAX_ITERATIONS }).optional().describe("Iterations of the run"),
  tokens: tokens().optional().describe("Uncached input plus output tokens of the run, such as 200k or 1.5M"),
  cost: money().optional().describe("US dollars of the run, such as 5 or 2.50"),
  time: duration().optional().describe("Wall clock of the run without pauses and waits for limits; there is always one"),
  iteration: duration().optional().describe("Time of one iteration"),
  idle: duration().optional().describe("Silence: no output, file activity or CPU use"),
  firstOutput: duration().optional().describe("Time to the first output, for agents that stream"),
  limitWait: duration().optional().describe("Total time that the run may wait for account limits"),
  fallbackAfter: grace().optional().describe("A shorter wait for a limit is waited out although `fallback` names others"),
  resetSlack: grace().optional().describe("Added to the reset time that a vendor names"),
});

const brakesSchema = z.strictObject({
  onStuck: choice(["stop", "park"]).optional().describe("What a gutter rule does: stop the run, or park the task and go on"),
  gutterCommand: z
    .strictObject({
      count: count({ min: 2, max: 1_000 }).optional().describe("Failures that end it"),
      match: choice(["outcome", "command"]).optional().describe("`outcome`: failures with the same outcome. `command`: any failures of the command"),
    })
    .optional()
    .describe("How often one command may fail; a bare number stands for `count`"),
  gutterThrash: z
    .strictObject({
      count: count({ min: 2, max: 1_000 }).optional().describe("Writes that end it"),
      window: duration().optional().describe("Time within which they count"),
      match: choice(["content", "any"]).optional().describe("`content`: writes over the same lines or back to earlier content. `any`: every write"),
    })
    .optional()
    .describe("How often one file may be rewritten; a bare number stands for `count`"),
  repeats: times().optional().describe("Repeats of one action after the first, with no change in between"),
  noProgress: times().optional().describe("Iterations without progress"),
  oscillation: times().optional().describe("Returns to an earlier tree"),
  disagreement: times().optional().describe("Claims of completion that gates refuse"),
  attempts: times().optional().describe("Attempts on one task without progress before it is parked"),
  stepBack: toggle().optional().describe("Spend one iteration on a diagnosis before `no_progress` ends the run"),
});

const argv = () => list(z.string({ error: "must be text; put numbers in quotes" }), "arguments, the program first").min(1, { error: "must name a program" });

const notifySchema = z.strictObject({
  kind: choice(["desktop", "webhook", "command"]).optional().describe("Where it goes; follows from `url` or `argv`"),
  url: url().optional().describe("Address of a webhook; `${NAME}` is taken from the environment, so that no secret stands in a file"),
  format: choice(NOTIFY_FORMATS).optional().describe("Whose words a webhook speaks; json is the notice itself"),
  argv: argv().optional().describe("Program and arguments of a command; it gets the notice as JSON on stdin"),
  on: list(choice(NOTICE_KINDS), "occasions").optional().describe("What is told; everything without it"),
});

const hookSchema = z.strictObject({
  run: text("a command").optional().describe("Command for `sh -c` at the repository's root"),
  argv: argv().optional().describe("Program and arguments, instead of `run`"),
  timeout: duration().optional().describe("Time for the hook"),
});

const presetNames = Object.keys(PRESETS);

/** Settings that a plan may carry for its own run. */
const planShape = {
  preset: choice(presetNames)
    .optional()
    .describe(`Limits for a kind of small job: ${presetNames.join(", ")}`),
  agent: agentSchema.optional().describe("The agent; a bare name stands for `kind`"),
  fallback: list(agentSchema, "agents")
    .optional()
    .describe("Agents or models that go on, in this order, while the one before waits for a limit; a bare name stands for `kind`"),
  limits: limitsSchema.optional().describe("Where the run ends"),
  brakes: brakesSchema.optional().describe("When the run counts as stuck"),
  context: z
    .strictObject({
      warn: finiteTokens().optional().describe("The agent is told to come to an end; with `rotate` alone it keeps the proportion of the defaults"),
      rotate: finiteTokens().optional().describe("The iteration ends and a fresh agent goes on"),
      share: count({ min: 1, max: 100 })
        .optional()
        .describe("Percent of the model's window at which it ends at the latest, where the window is known (40; none where `rotate` is set)"),
      windows: z.record(z.string(), finiteTokens()).optional().describe("Windows in tokens by model id, beside and before the known ones"),
    })
    .optional()
    .describe("Tokens of one iteration's context: warn, then rotate to a fresh agent"),
  gates: list(gateSchema, "gates").optional().describe("Checks that the driver runs"),
  baseline: choice(["require", "allow"]).optional().describe("Default for gates that do not say it"),
  setup: text("a command").optional().describe("Prepares a clean worktree for the final proof"),
  requireGate: toggle().optional().describe("Without any gate a run can not end `done`"),
  protect: list(glob(), "globs").optional().describe("Existing files that may grow but not lose lines"),
  freeze: list(glob(), "globs").optional().describe("Files that must not change, beside the built-in ones"),
  keep: list(text("a command line"), "command lines")
    .optional()
    .describe("Processes that stay when an agent has ended, by how their command line begins, such as `docker compose`"),
  marker: marker().optional().describe("Word of the completion marker"),
  taskSections: list(text("a heading"), "headings").optional().describe("Headings whose tasks count; without it all do"),
  level: count({ min: 1, max: 3 }).optional().describe("1 reports, 2 works on a run branch, 3 commits where it stands"),
};

export const configSchema = z.strictObject({
  ...planShape,
  branch: branchName().optional().describe("Name of the run branch"),
  currentBranch: toggle().optional().describe("Work on the current branch instead of a run branch"),
  worktree: toggle().optional().describe("Work in a worktree of its own"),
  sandbox: z
    .strictObject({
      mode: choice(["auto", "on", "off"]).optional().describe("Where it works, always, never"),
      network: choice(["open", "off"]).optional().describe("off: the agent reaches its model's hosts alone, gates and hooks nothing"),
      hosts: list(host(), "hosts").optional().describe("More hosts that the agent may reach with `network: off`, such as example.com or *.example.com:8443"),
    })
    .optional()
    .describe("Kernel isolation; a bare word stands for `mode`"),
  signCommits: toggle().optional().describe("Sign the driver's commits as git is configured to"),
  progressBytes: bytes().optional().describe("Size to which progress.md is kept"),
  maxFileBytes: bytes().optional().describe("Larger files are not committed"),
  retention: z
    .strictObject({
      days: count({ min: 1, max: 36_500 }).optional().describe("Older records are removed"),
      megabytes: count({ min: 1, max: 10_000_000 }).optional().describe("Of what is larger together, the oldest are removed"),
    })
    .optional()
    .describe("How long, and up to which size, the records of old runs are kept"),
  backoff: z
    .strictObject({ first: duration().optional().describe("The first wait"), max: duration().optional().describe("The longest wait") })
    .optional()
    .describe("Waits after infrastructure failures and after WAIT double from `first` up to `max`"),
  settleGrace: grace().optional().describe("Time for a finished agent to exit by itself"),
  killGrace: grace().optional().describe("Time between SIGTERM and SIGKILL"),
  audit: z
    .strictObject({
      low: percent().optional().describe("Percent where the risk is low"),
      medium: percent().optional().describe("Percent where it is medium"),
      high: percent().optional().describe("Percent where it is high"),
    })
    .optional()
    .describe("Percent of a run's commits that `ralphd audit` draws, by risk of the paths they touch"),
  notify: list(notifySchema, "receivers").optional().describe("Who is told how a run ends, of long waits and of questions; sources add up"),
  notifyWait: duration().optional().describe("Waits for limits longer than this are told"),
  heartbeat: z
    .strictObject({
      url: url().optional().describe("Called while the driver lives; `${NAME}` is taken from the environment"),
      every: duration().optional().describe("Time between two calls"),
    })
    .optional()
    .describe("A dead-man's switch, beside the file `<git dir>/ralphd/heartbeat`"),
  hooks: z
    .strictObject({
      onStart: hookSchema.optional().describe("After the run has begun or goes on"),
      onIterationStart: hookSchema.optional().describe("Before each agent is started"),
      onIterationEnd: hookSchema.optional().describe("After each iteration was judged and kept"),
      onStop: hookSchema.optional().describe("After the final status is known"),
    })
    .optional()
    .describe("Commands at the turns of the loop; they get the event as JSON on stdin, and what goes wrong in them is a warning"),
});

/** The user's own file may hold what no agent shall see, and programs that no repository may choose. */
export const userSchema = configSchema.extend({
  agents: z.record(z.string(), agentSchema).optional().describe("What is said of a kind of agent whenever it runs, and agents of your own by name"),
  hiddenGates: list(gateSchema, "gates").optional().describe("Gates that run at the end and are never shown to the agent"),
});

/** `task` and `test_command` belong to RALPH_TASK.md; the plan reader turns them into gates. */
export const frontMatterSchema = z.strictObject({
  ...planShape,
  task: z.unknown().optional().describe("Title of a RALPH_TASK.md; read by people only"),
  testCommand: z.unknown().optional().describe("Test command of a RALPH_TASK.md; becomes a gate"),
});

/** Flags and environment: what a person says for one run may also be what no file should say. */
export const runSchema = configSchema.extend({
  allowDirty: toggle().optional().describe("Start although files differ from the last commit; those are then never touched"),
  once: toggle().optional().describe("One iteration, then stop"),
});

/** One source's settings; every source is read into this. */
export type ConfigLayer = z.output<typeof runSchema> & Pick<z.output<typeof userSchema>, "hiddenGates" | "agents">;
export type GateEntry = z.output<typeof gateSchema>;
