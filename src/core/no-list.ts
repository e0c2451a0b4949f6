/** Objects that are no lists: valibot takes a list for an object without keys, where whoever wrote it meant something else. */
import type * as v from "valibot";

/** The schema of an object or a record, which refuses lists too. Not needed where a key is required, since no list has it. */
export function noList<S extends v.GenericSchema>(schema: S): S {
  return {
    ...schema,
    "~run": (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) =>
      schema["~run"](Array.isArray(dataset.value) ? { ...dataset, value: null } : dataset, config),
  };
}
