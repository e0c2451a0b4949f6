/** The walk through an audit's sample in a terminal: each commit with its evidence, its diff on request, a verdict with its reason. */
import { spawn } from "node:child_process";

/** What the walk needs of one commit of the sample. */
export interface WalkStop {
  iteration: number;
  /** Heading, evidence and the changed files. */
  shown: string;
  diff(): Promise<Buffer>;
}

export interface Walking {
  stops: readonly WalkStop[];
  env: NodeJS.ProcessEnv;
  /** One answer of the person; null when there will be no more. */
  ask(question: string): Promise<string | null>;
  judge(said: { verdict: "pass" | "fail"; iteration: number; reason: string }): void;
  out(line: string): void;
  err(line: string): void;
}

export async function walk(walking: Walking): Promise<void> {
  const { stops, out } = walking;
  for (const [index, stop] of stops.entries()) {
    out(`\n(${index + 1} of ${stops.length})${stop.shown}`);
    if (!(await judgeOne(walking, stop))) {
      out("The rest waits for the next `ralphd audit`.");
      return;
    }
  }
}

/** False when the person wants to stop. */
async function judgeOne(walking: Walking, stop: WalkStop): Promise<boolean> {
  for (;;) {
    const word = (await walking.ask("[d]iff, [p]ass, [f]ail, [s]kip, [q]uit? "))?.trim().toLowerCase() ?? "q";
    if (word.startsWith("q")) return false;
    if (word.startsWith("s")) return true;
    if (word.startsWith("d")) await page(walking, await stop.diff());
    else if (word.startsWith("p") || word.startsWith("f")) {
      const reason = (await walking.ask("Why? "))?.trim() ?? "";
      if (reason !== "") {
        walking.judge({ verdict: word.startsWith("p") ? "pass" : "fail", iteration: stop.iteration, reason });
        return true;
      }
      walking.err("A judgement needs its reason.");
    } else walking.err("Answer with one of the letters.");
  }
}

/** By the pager that git would take; the variable is a command line, which the person's own shell takes apart. */
async function page({ env, out, err }: Walking, text: Buffer): Promise<void> {
  const pager = env["GIT_PAGER"] || env["PAGER"] || "less";
  const child = spawn("sh", ["-c", pager], { stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } });
  // A pager that is left early closes its end; the text is not needed any more then.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  if (code === 0) return;
  err(`The pager ${pager} ended with ${code ?? "an error"}; the diff follows.`);
  out(text.toString("utf8"));
}
