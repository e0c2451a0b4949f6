/** One process of a soak: plays the chunks that it is sent, until its parent lets go of it. */
import { playNights } from "./nights.js";
import type { Chunk } from "./soak.js";

process.on("message", (chunk: Chunk) => {
  void playNights(chunk.first, chunk.nights).then((played) => process.send?.(played));
});
// The parent says what came of a Ctrl-C, and ends this process.
process.on("SIGINT", () => undefined);
