/** Lines of real streams, short enough to mutate many times. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shippedFile } from "../../src/shipped.js";

const STREAMS = shippedFile("test/fixtures/streams");

export const CORPUS = readdirSync(STREAMS)
  .filter((name) => name.endsWith(".jsonl") && name !== "META.jsonl")
  .flatMap((name) => readFileSync(join(STREAMS, name), "utf8").split("\n"))
  .filter((line) => line.length > 0 && line.length < 4_000);
