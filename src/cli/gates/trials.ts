/** Gives gates what they must refuse, with the files of this working tree as material. */
import { canFail, type CanFail } from "../../gates/can-fail.js";
import { type GateRoom, type GatesPlace, type NamedGate, repoOf } from "./place.js";

/** One after the other, since each may use the machine as much as it likes. */
export async function tryGates(place: GatesPlace, gates: readonly NamedGate[], room: GateRoom): Promise<CanFail[]> {
  const git = repoOf(place);
  const { tree } = await git.capture({ against: null, exclude: [] });
  const files = (await git.changes(null, tree)).map((change) => change.path);
  await git.close();
  const tested: CanFail[] = [];
  for (const { spec } of gates) tested.push(await canFail(spec, { ...room, files }));
  return tested;
}
