/** Counts what the API would read from its prompt cache, from where requests set their breakpoints. */
import { CHARACTERS_PER_TOKEN } from "../src/core/context-warning.js";

export interface Counted {
  read: number;
  written: number;
  /** Neither: behind the last breakpoint. */
  fresh: number;
}

interface Block {
  text: string;
  tokens: number;
  breakpoint: boolean;
}

interface Body {
  tools?: object[];
  system?: object[];
  messages: { role: string; content: object[] }[];
}

/** From each breakpoint the API looks this many blocks back for what it has. */
const LOOKBACK = 20;
/** Shorter beginnings are not kept; models differ between 512 and 4,096. */
const LEAST_TOKENS = 1_024;

/** One cache for all requests, in their order; nothing in it expires. */
export function countCache(bodies: readonly unknown[]): Counted[] {
  const cached = new Set<string>();
  return bodies.map((body) => countOne(blocksOf(body as Body), cached));
}

function countOne(blocks: readonly Block[], cached: Set<string>): Counted {
  const sums: number[] = [];
  const prefixes: string[] = [];
  for (const { text, tokens } of blocks) {
    sums.push((sums.at(-1) ?? 0) + tokens);
    prefixes.push(`${prefixes.at(-1) ?? ""}\n${text}`);
  }
  const marks = blocks.flatMap(({ breakpoint }, at) => (breakpoint && (sums[at] ?? 0) >= LEAST_TOKENS ? [at] : []));
  const hits = marks.flatMap((mark) => Array.from({ length: LOOKBACK }, (_, back) => mark - back)).filter((at) => at >= 0 && cached.has(prefixes[at] ?? ""));
  const read = hits.length === 0 ? 0 : (sums[Math.max(...hits)] ?? 0);
  for (const mark of marks) cached.add(prefixes[mark] ?? "");
  const kept = marks.length === 0 ? 0 : (sums[Math.max(...marks)] ?? 0);
  return { read, written: kept - read, fresh: (sums.at(-1) ?? 0) - kept };
}

/** In cache order: tools, system, messages. A breakpoint is not part of the text. */
function blocksOf({ tools = [], system = [], messages }: Body): Block[] {
  const all = [...tools, ...system, ...messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block })))];
  return all.map((block) => {
    const { cache_control: mark, ...rest } = block as { cache_control?: object };
    const text = JSON.stringify(rest);
    return { text, tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN), breakpoint: mark !== undefined };
  });
}
