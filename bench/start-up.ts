/** How long the commands take that people type often, against a Node that does nothing. */
import { type Benchmark, type Figure, atMost, median, medianRatio, plain } from "./figure.js";
import { AGENT, MAIN, scratchRepository, timed, timedRun } from "./scratch.js";

const ROUNDS = 21;
const GOAL = 1.6;
const COMMANDS: readonly string[][] = [["--version"], ["--help"], ["status"], ["status", "--json"]];

export const startUp: Benchmark = {
  name: "start-up",
  method: `${ROUNDS} rounds, each: \`node -e 0\` and every command once, in a repository with a finished run. Ratios are medians of the rounds' ratios.`,
  async run() {
    const scratch = scratchRepository(AGENT);
    await timedRun(scratch, 2);
    const where = { cwd: scratch.root, env: scratch.env };
    const pairs = COMMANDS.map(() => [] as { ours: number; floor: number }[]);
    for (let round = 0; round < ROUNDS; round++) {
      const floor = (await timed(process.execPath, ["-e", "0"], where)).ms;
      for (const [index, command] of COMMANDS.entries()) {
        const { ms, code } = await timed(process.execPath, [MAIN, ...command], where);
        if (code !== 0) throw new Error(`ralphd ${command.join(" ")} exited with ${code}`);
        pairs[index]?.push({ ours: ms, floor });
      }
    }
    scratch.dispose();
    return [
      plain("node -e 0", median((pairs[0] ?? []).map(({ floor }) => floor)), "ms"),
      ...COMMANDS.flatMap((command, index) => figuresOf(command, pairs[index] ?? [])),
    ];
  },
};

function figuresOf(command: readonly string[], pairs: readonly { ours: number; floor: number }[]): Figure[] {
  const name = `ralphd ${command.join(" ")}`;
  return [plain(name, median(pairs.map(({ ours }) => ours)), "ms"), atMost(`${name} / node -e 0`, medianRatio(pairs), "", GOAL)];
}
