/** What may stand in `.ralph/config.yaml`, the user's config and a plan's front matter; strict, so that nothing is ignored silently. */
import * as v from "valibot";
import { AGENT_KINDS } from "../core/agent-kinds.js";
import { PRESETS } from "../core/defaults.js";
import { noList } from "../core/no-list.js";
import { NOTICE_KINDS, NOTIFY_FORMATS } from "../core/notice.js";
import {
  agentName,
  argv,
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
  mapping,
  marker,
  money,
  setting,
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

const price = v.pipe(
  mapping({
    input: v.pipe(v.number(), v.finite(), v.minValue(0), v.description("Uncached input")),
    output: v.pipe(v.number(), v.finite(), v.minValue(0), v.description("Output")),
    cacheRead: v.pipe(v.number(), v.finite(), v.minValue(0), v.description("Input read from a cache")),
    cacheWrite: v.pipe(v.number(), v.finite(), v.minValue(0), v.description("Input written to a cache")),
  }),
  v.description("US dollars per million tokens"),
);

const agentSchema = mapping({
  kind: setting(
    agentName(),
    `Which agent: ${AGENT_KINDS.join(", ")}, or a name of \`agents\`; \`auto\` takes the first that is installed and logged in, \`acp:<command>\` speaks the Agent Client Protocol with it`,
  ),
  argv: setting(argv(), "Program and arguments of a `command` agent; for other agents the executable to use"),
  args: setting(list(v.string("must be text; put numbers in quotes"), "arguments"), "Extra arguments for the agent's own command line"),
  output: setting(choice(["text", "events"]), "What a `command` agent prints: plain text, or one AgentEvent a line"),
  model: setting(text("a model name"), "Model, as the agent names it"),
  effort: setting(text("an effort level"), "Reasoning effort, as the agent names it"),
  env: setting(choice(["inherit", "minimal"]), "Environment of the agent: everything but the driver's secrets, or only what a shell needs"),
  envPass: setting(list(text("a variable name"), "variable names"), "Variables that pass in any case"),
  envDeny: setting(list(text("a variable name"), "variable names"), "Variables that never pass"),
  envSet: setting(noList(v.record(v.string(), v.string("must be text; put numbers in quotes"))), "Variables that are set for this agent and its gates"),
  prices: setting(noList(v.record(v.string(), price)), "Prices by model id, in US dollars per million tokens"),
});

const limitsSchema = mapping({
  iterations: setting(limit({ min: 1, max: MAX_ITERATIONS }), "Iterations of the run"),
  tokens: setting(tokens(), "Uncached input plus output tokens of the run, such as 200k or 1.5M"),
  cost: setting(money(), "US dollars of the run, such as 5 or 2.50"),
  time: setting(duration(), "Wall clock of the run without pauses and waits for limits; there is always one"),
  iteration: setting(duration(), "Time of one iteration"),
  idle: setting(duration(), "Silence: no output, file activity or CPU use"),
  firstOutput: setting(duration(), "Time to the first output, for agents that stream"),
  limitWait: setting(duration(), "Total time that the run may wait for account limits"),
  fallbackAfter: setting(grace(), "A shorter wait for a limit is waited out although `fallback` names others"),
  resetSlack: setting(grace(), "Added to the reset time that a vendor names"),
});

const brakesSchema = mapping({
  onStuck: setting(choice(["stop", "park"]), "What a gutter rule does: stop the run, or park the task and go on"),
  gutterCommand: setting(
    mapping({
      count: setting(count({ min: 2, max: 1_000 }), "Failures that end it"),
      match: setting(choice(["outcome", "command"]), "`outcome`: failures with the same outcome. `command`: any failures of the command"),
    }),
    "How often one command may fail; a bare number stands for `count`",
  ),
  gutterThrash: setting(
    mapping({
      count: setting(count({ min: 2, max: 1_000 }), "Writes that end it"),
      window: setting(duration(), "Time within which they count"),
      match: setting(choice(["content", "any"]), "`content`: writes over the same lines or back to earlier content. `any`: every write"),
    }),
    "How often one file may be rewritten; a bare number stands for `count`",
  ),
  repeats: setting(times(), "Repeats of one action after the first, with no change in between"),
  noProgress: setting(times(), "Iterations without progress"),
  oscillation: setting(times(), "Returns to an earlier tree"),
  disagreement: setting(times(), "Claims of completion that gates refuse"),
  attempts: setting(times(), "Attempts on one task without progress before it is parked"),
  stepBack: setting(toggle(), "Spend one iteration on a diagnosis before `no_progress` ends the run"),
});

const notifySchema = mapping({
  kind: setting(choice(["desktop", "webhook", "command"]), "Where it goes; follows from `url` or `argv`"),
  url: setting(url(), "Address of a webhook; `${NAME}` is taken from the environment, so that no secret stands in a file"),
  format: setting(choice(NOTIFY_FORMATS), "Whose words a webhook speaks; json is the notice itself"),
  argv: setting(argv(), "Program and arguments of a command; it gets the notice as JSON on stdin"),
  on: setting(list(choice(NOTICE_KINDS), "occasions"), "What is told; everything without it"),
});

const hookSchema = mapping({
  run: setting(text("a command"), "Command for `sh -c` at the repository's root"),
  argv: setting(argv(), "Program and arguments, instead of `run`"),
  timeout: setting(duration(), "Time for the hook"),
});

const presetNames = Object.keys(PRESETS);

/** Settings that a plan may carry for its own run. */
const planShape = {
  preset: setting(choice(presetNames), `Limits for a kind of small job: ${presetNames.join(", ")}`),
  agent: setting(agentSchema, "The agent; a bare name stands for `kind`"),
  fallback: setting(
    list(agentSchema, "agents"),
    "Agents or models that go on, in this order, while the one before waits for a limit; a bare name stands for `kind`",
  ),
  limits: setting(limitsSchema, "Where the run ends"),
  brakes: setting(brakesSchema, "When the run counts as stuck"),
  context: setting(
    mapping({
      warn: setting(finiteTokens(), "The agent is told to come to an end; with `rotate` alone it keeps the proportion of the defaults"),
      rotate: setting(finiteTokens(), "The iteration ends and a fresh agent goes on"),
      share: setting(
        count({ min: 1, max: 100 }),
        "Percent of the model's window at which it ends at the latest, where the window is known (40; none where `rotate` is set)",
      ),
      windows: setting(noList(v.record(v.string(), finiteTokens())), "Windows in tokens by model id, beside and before the known ones"),
    }),
    "Tokens of one iteration's context: warn, then rotate to a fresh agent",
  ),
  gates: setting(list(gateSchema, "gates"), "Checks that the driver runs"),
  baseline: setting(choice(["require", "allow"]), "Default for gates that do not say it"),
  setup: setting(text("a command"), "Prepares a clean worktree for the final proof"),
  requireGate: setting(toggle(), "Without any gate a run can not end `done`"),
  protect: setting(list(glob(), "globs"), "Existing files that may grow but not lose lines"),
  freeze: setting(list(glob(), "globs"), "Files that must not change, beside the built-in ones"),
  keep: setting(
    list(text("a command line"), "command lines"),
    "Processes that stay when an agent has ended, by how their command line begins, such as `docker compose`",
  ),
  marker: setting(marker(), "Word of the completion marker"),
  taskSections: setting(list(text("a heading"), "headings"), "Headings whose tasks count; without it all do"),
  level: setting(count({ min: 1, max: 3 }), "1 reports, 2 works on a run branch, 3 commits where it stands"),
};

export const configSchema = mapping({
  ...planShape,
  branch: setting(branchName(), "Name of the run branch"),
  currentBranch: setting(toggle(), "Work on the current branch instead of a run branch"),
  worktree: setting(toggle(), "Work in a worktree of its own"),
  sandbox: setting(
    mapping({
      mode: setting(choice(["auto", "on", "off"]), "Where it works, always, never"),
      network: setting(choice(["open", "off"]), "off: the agent reaches its model's hosts alone, gates and hooks nothing"),
      hosts: setting(list(host(), "hosts"), "More hosts that the agent may reach with `network: off`, such as example.com or *.example.com:8443"),
    }),
    "Kernel isolation; a bare word stands for `mode`",
  ),
  signCommits: setting(toggle(), "Sign the driver's commits as git is configured to"),
  progressBytes: setting(bytes(), "Size to which progress.md is kept"),
  maxFileBytes: setting(bytes(), "Larger files are not committed"),
  retention: setting(
    mapping({
      days: setting(count({ min: 1, max: 36_500 }), "Older records are removed"),
      megabytes: setting(count({ min: 1, max: 10_000_000 }), "Of what is larger together, the oldest are removed"),
    }),
    "How long, and up to which size, the records of old runs are kept",
  ),
  backoff: setting(
    mapping({ first: setting(duration(), "The first wait"), max: setting(duration(), "The longest wait") }),
    "Waits after infrastructure failures and after WAIT double from `first` up to `max`",
  ),
  settleGrace: setting(grace(), "Time for a finished agent to exit by itself"),
  killGrace: setting(grace(), "Time between SIGTERM and SIGKILL"),
  audit: setting(
    mapping({
      low: setting(percent(), "Percent where the risk is low"),
      medium: setting(percent(), "Percent where it is medium"),
      high: setting(percent(), "Percent where it is high"),
    }),
    "Percent of a run's commits that `ralphd audit` draws, by risk of the paths they touch",
  ),
  notify: setting(list(notifySchema, "receivers"), "Who is told how a run ends, of long waits and of questions; sources add up"),
  notifyWait: setting(duration(), "Waits for limits longer than this are told"),
  heartbeat: setting(
    mapping({
      url: setting(url(), "Called while the driver lives; `${NAME}` is taken from the environment"),
      every: setting(duration(), "Time between two calls"),
    }),
    "A dead-man's switch, beside the file `<git dir>/ralphd/heartbeat`",
  ),
  hooks: setting(
    mapping({
      onStart: setting(hookSchema, "After the run has begun or goes on"),
      onIterationStart: setting(hookSchema, "Before each agent is started"),
      onIterationEnd: setting(hookSchema, "After each iteration was judged and kept"),
      onStop: setting(hookSchema, "After the final status is known"),
    }),
    "Commands at the turns of the loop; they get the event as JSON on stdin, and what goes wrong in them is a warning",
  ),
});

/** The user's own file may hold what no agent shall see, and programs that no repository may choose. */
export const userSchema = mapping({
  ...configSchema.entries,
  agents: setting(noList(v.record(v.string(), agentSchema)), "What is said of a kind of agent whenever it runs, and agents of your own by name"),
  hiddenGates: setting(list(gateSchema, "gates"), "Gates that run at the end and are never shown to the agent"),
});

/** `task` and `test_command` belong to RALPH_TASK.md; the plan reader turns them into gates. */
export const frontMatterSchema = mapping({
  ...planShape,
  task: setting(v.unknown(), "Title of a RALPH_TASK.md; read by people only"),
  testCommand: setting(v.unknown(), "Test command of a RALPH_TASK.md; becomes a gate"),
});

/** Flags and environment: what a person says for one run may also be what no file should say. */
export const runSchema = mapping({
  ...configSchema.entries,
  allowDirty: setting(toggle(), "Start although files differ from the last commit; those are then never touched"),
  once: setting(toggle(), "One iteration, then stop"),
});

/** One source's settings; every source is read into this. */
export type ConfigLayer = v.InferOutput<typeof runSchema> & Pick<v.InferOutput<typeof userSchema>, "hiddenGates" | "agents">;
export type GateEntry = v.InferOutput<typeof gateSchema>;
