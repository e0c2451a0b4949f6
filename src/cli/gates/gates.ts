/** `ralphd gates`: which gates are in force, what they say now, and whether each can say no at all. */
import { gateText, isDeterministic, judgesTree, type GateResult } from "../../core/gate.js";
import { duration } from "../../report/format.js";
import { oneLine } from "../../report/markdown-text.js";
import { askForTrust } from "../ask-for-trust.js";
import { chosen, gatesPlace, type GateRoom, type GatesPlace, type NamedGate, openRoom, repoOf, treesNow } from "./place.js";
import { table } from "./table.js";
import { tryGates } from "./trials.js";

export interface GatesRequest {
  kind: "list" | "run" | "test";
  name: string | null;
  plan: string | null;
  json: boolean;
  trust: boolean;
  cwd: string;
  env: NodeJS.ProcessEnv;
  out(line: string): void;
  err(line: string): void;
}

export async function runGatesCommand(request: GatesRequest): Promise<number> {
  const place = await gatesPlace(request.cwd, request.plan, request.env);
  const gates = chosen(place, request.name);
  if (request.kind === "list") return list(request, gates);
  if (gates.length === 0) {
    if (request.json) request.out(JSON.stringify({ gates: [] }));
    else request.out(NONE);
    return 0;
  }
  await askForTrust(place.repo.root, place.repositoryCommands, request.trust);
  const room = openRoom(place);
  let keep = false;
  try {
    if (request.kind === "test") return await testGates(request, place, { gates, room });
    const ran = await runNow(request, place, { gates, room });
    keep = ran.keep;
    return ran.code;
  } finally {
    room.close(keep);
  }
}

const NONE = "There is no gate. Name one in the plan's front matter (`gates:`), in .ralph/config.yaml, or with `ralphd run --gate CMD`.";

function list({ json, out }: GatesRequest, gates: readonly NamedGate[]): number {
  const rows = gates.map(({ spec, origin, hidden }) => ({
    name: spec.name,
    kind: spec.kind,
    scope: spec.scope,
    when: spec.when,
    required: spec.required,
    hidden,
    origin,
    check: gateText(spec),
  }));
  if (json) out(JSON.stringify({ gates: rows }));
  else if (rows.length === 0) out(NONE);
  else {
    const cells = rows.map((row) => [
      row.name,
      row.kind,
      row.hidden ? "hidden" : row.scope,
      row.required ? "required" : "advisory",
      row.origin,
      oneLine(row.check, 120),
    ]);
    for (const line of table([["NAME", "KIND", "FOR", "WEIGHT", "FROM", "CHECK"], ...cells])) out(line);
  }
  return 0;
}

interface Work {
  gates: readonly NamedGate[];
  room: GateRoom;
}

/** On the files as they are. Deterministic gates first; a model is asked only when they let it through. */
async function runNow(request: GatesRequest, place: GatesPlace, { gates, room }: Work): Promise<{ code: number; keep: boolean }> {
  const { out, err, json } = request;
  const git = repoOf(place);
  try {
    // Only then, because it writes objects, which an agent's sandbox may not allow.
    const seen = gates.some(({ spec }) => judgesTree(spec)) ? await treesNow(place, git) : null;
    if (seen !== null && !json) err(`Changes are judged since ${seen.since}.`);
    const results: GateResult[] = [];
    for (const { spec } of [...gates].sort((a, b) => Number(isDeterministic(b.spec)) - Number(isDeterministic(a.spec)))) {
      const refused = results.some((result) => result.required && result.verdict === "fail");
      if (!isDeterministic(spec) && refused) err(`${spec.name}: not asked, since another gate fails.`);
      else results.push(await room.gates.run(spec, { cwd: place.repo.root, outputDir: room.folder, env: room.env, signal: room.signal, trees: seen?.trees }));
    }
    const failed = results.filter((result) => result.verdict === "fail");
    if (json) out(JSON.stringify({ gates: results }));
    else for (const line of table([["GATE", "VERDICT", "TIME", "REASON"], ...results.map(resultRow)])) out(line);
    const logs = failed.flatMap((result) => (result.outputPath === null ? [] : [`${result.name}: ${result.outputPath}`]));
    if (!json && logs.length > 0) err(`Whole output:\n${logs.map((line) => `  ${line}`).join("\n")}`);
    return { code: failed.some((result) => result.required) ? 1 : 0, keep: logs.length > 0 };
  } finally {
    await git.close();
  }
}

function resultRow({ name, verdict, durationMs, reason, required, flaky }: GateResult): string[] {
  return [name, `${verdict}${flaky ? " (flaky)" : ""}${required ? "" : " (advisory)"}`, duration(durationMs), oneLine(reason, 200)];
}

/** Exit code 1 when a gate passes whatever it is given. */
async function testGates(request: GatesRequest, place: GatesPlace, { gates, room }: Work): Promise<number> {
  const { out, json } = request;
  const tested = await tryGates(place, gates, room);
  const never = tested.filter((gate) => !gate.canFail);
  if (json) out(JSON.stringify({ gates: tested }));
  else {
    const cells = tested.flatMap((gate) =>
      gate.trials.map((trial) => [gate.name, trial.given, trial.verdict === "fail" ? "refused" : "PASSED", oneLine(trial.reason, 120)]),
    );
    for (const line of table([["GATE", "GIVEN", "", "REASON"], ...cells])) out(line);
    for (const { name, note } of tested) if (note !== null) out(`${name}: ${note}.`);
    for (const { name } of never) out(`${name} passes whatever it is given: it proves nothing. Correct it, or leave it out.`);
    if (never.length === 0) out(`${tested.length} gate(s): each can say no.`);
  }
  return never.length === 0 ? 0 : 1;
}
