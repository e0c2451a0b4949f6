/** The `explore` tool: a sub-agent looks, and only its conclusion takes room in this context. */
import * as v from "valibot";
import { defineTool, refusal } from "./tool.js";

export const exploreTool = defineTool({
  name: "explore",
  order: "together",
  description:
    "Let a helper with a context of its own look through the code (it can only find, grep and read) and get back its conclusion. For questions that take many files, such as where something is decided or what depends on it; look yourself when you know the place.",
  schema: v.object({
    question: v.pipe(v.pipe(v.string(), v.nonEmpty()), v.description("All that the helper knows: what to find out, where to begin, and what to report.")),
  }),
  prepare: ({ question }, { explore }) => {
    if (explore === undefined) return refusal("an explorer has no explorers of its own");
    return { detail: {}, run: () => explore(question) };
  },
});
