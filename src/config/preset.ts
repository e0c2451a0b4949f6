/** The limits of a named kind of job, as the lowest source above the defaults. */
import { PRESETS } from "../core/defaults.js";
import { Precedence, type Source } from "./precedence.js";

export function presetSource(sources: readonly Source[]): Source | null {
  const name = new Precedence(sources).pick("preset", null);
  const preset = name === null ? undefined : PRESETS[name];
  if (preset === undefined) return null;
  return {
    name: "preset",
    layer: {
      values: { limits: { iterations: preset.iterations, tokens: preset.tokens }, brakes: { noProgress: preset.noProgress } },
      origin: () => `preset ${name}`,
      spot: () => null,
    },
  };
}
