/** Can something say no? Which gates refuse for real, shown by giving them what they must refuse. */
import { isDeterministic, type GateSpec, type RubricGate } from "../../core/gate.js";
import type { Settings } from "../../core/settings.js";
import { gatesPlace, type NamedGate, openRoom } from "../gates/place.js";
import { tryGates } from "../gates/trials.js";
import type { ChosenAgent, Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";

export async function checkRefuse(examined: Examined, chosen: ChosenAgent): Promise<Finding[]> {
  const { settings } = examined;
  return [present(examined), ...unattended(settings), ...reviewers(settings, chosen), ...setup(settings), protection(settings), ...(await trials(examined))];
}

/** Gates that refuse the end of a run; a gate for tasks refuses only those that name it. */
function present({ settings, tasks }: Examined): Finding {
  const required = settings.gates.filter((gate) => gate.required);
  const named = new Set(tasks?.flatMap((task) => task.gates) ?? []);
  const inUse = required.filter((gate) => gate.scope === "plan" || named.has(gate.name));
  if (inUse.length > 0) return ok("refuse.gates", `${inUse.length} required gate(s): ${inUse.map((gate) => gate.name).join(", ")}`);
  const why =
    settings.gates.length === 0 ? "there is no gate" : required.length === 0 ? "all gates are advisory" : "no task names a gate, and none judges the plan";
  return gap(
    "refuse.gates",
    `${why}: nothing but the agent's word says that work is done`,
    'Name a command in the plan (`gates:`), or with `ralphd run --gate "npm test"`; `ralphd init` proposes those that it finds. Without tests, a first good task is to write some.',
  );
}

function unattended({ level, gates }: Settings): Finding[] {
  if (level !== 3 || gates.some((gate) => gate.required && isDeterministic(gate))) return [];
  return [
    gap("refuse.unattended", "level 3 commits unattended, and no required gate of a fixed kind judges it", "Add a gate that runs a command, or use level 2."),
  ];
}

/** Its own model finds a maker's mistakes as plausible as the maker did. */
function reviewers(settings: Settings, chosen: ChosenAgent): Finding[] {
  const maker = { kind: chosen.kind === "none" ? settings.agent.kind : chosen.agent.kind, model: settings.agent.model };
  const rubrics = settings.gates.filter((gate): gate is RubricGate => gate.kind === "rubric");
  return rubrics.map((gate) => {
    if (!sameModel(gate, maker)) return ok("refuse.reviewer", `${gate.name} is asked of ${reviewerText(gate)}, the maker is ${makerText(maker)}`, gate.name);
    const alone = !settings.gates.some((one) => one.required && isDeterministic(one));
    const seen = `${gate.name} is reviewed by what also makes the work: ${makerText(maker)}`;
    const fix = "Name another model or vendor as its `reviewer`.";
    return alone ? gap("refuse.reviewer", `${seen}, and no other required gate judges it`, fix, gate.name) : hint("refuse.reviewer", seen, fix, gate.name);
  });
}

type Maker = { kind: string; model: string | null };

/** A program of the person's own is unknown, and taken for another model. */
export function sameModel({ reviewer }: Pick<RubricGate, "reviewer">, maker: Maker): boolean {
  if (reviewer.agent === "command") return false;
  if (reviewer.model !== null && maker.model !== null) return reviewer.model === maker.model;
  return reviewer.agent === maker.kind && reviewer.model === maker.model;
}

function makerText({ kind, model }: Maker): string {
  return `${kind}${model === null ? " with its default model" : ` with ${model}`}`;
}

function reviewerText({ reviewer }: RubricGate): string {
  return reviewer.agent === "command" ? (reviewer.argv[0] ?? "a command") : makerText({ kind: reviewer.agent, model: reviewer.model });
}

function setup({ setup: command, gates }: Settings): Finding[] {
  if (gates.every((gate) => gate.kind !== "run")) return [];
  if (command !== null) return [ok("refuse.proof", "the final commit is proved in a clean worktree of it, prepared by `setup`")];
  return [
    hint(
      "refuse.proof",
      "without `setup` the last gates run in the working tree, where ignored files can make them pass",
      "Name in `setup` what a fresh clone needs, such as `npm ci`.",
    ),
  ];
}

function protection({ protect }: Settings): Finding {
  if (protect.length === 0)
    return hint(
      "refuse.protect",
      "`protect` is empty: an agent may remove or weaken tests",
      "Leave `protect` out, which protects what looks like tests, or name their folders.",
    );
  return ok("refuse.protect", "existing tests may grow but not lose lines");
}

async function trials({ cwd, env, trusted }: Examined): Promise<Finding[]> {
  const place = await gatesPlace(cwd, null, env);
  if (place.gates.length === 0) return [];
  if (!trusted) {
    return [
      hint(
        "refuse.trial",
        "the gates were not tried: nobody has confirmed yet that this repository's commands may run here",
        "`ralphd gates test` shows them, asks, and tries them.",
      ),
    ];
  }
  const room = openRoom(place);
  try {
    const tested = await tryGates(place, place.gates, room);
    return tested.map((gate, at) => judged(gate, place.gates[at]));
  } finally {
    room.close(false);
  }
}

function judged(tested: { name: string; canFail: boolean; trials: { given: string; verdict: string; about: string }[] }, gate: NamedGate | undefined): Finding {
  const required = gate?.spec.required !== false;
  const refused = tested.trials.filter((trial) => trial.about === "content" && trial.verdict === "fail").map((trial) => trial.given);
  if (tested.canFail) return ok("refuse.trial", `${tested.name} refuses ${refused.join(" and ")}`, tested.name);
  const seen = `${tested.name} passes whatever it is given${gate === undefined ? "" : ` (${gateWord(gate.spec)})`}: it proves nothing`;
  const fix = `Correct it, or leave it out; \`ralphd gates test ${tested.name}\` shows what it was given.`;
  return required ? gap("refuse.trial", seen, fix, tested.name) : hint("refuse.trial", seen, fix, tested.name);
}

function gateWord(spec: GateSpec): string {
  return spec.kind === "run" ? spec.run : spec.kind;
}
