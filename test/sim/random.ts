/** A seeded source of chance: the same seed gives the same night. */

export interface Random {
  /** 0 <= value < 1 */
  next(): number;
  chance(probability: number): boolean;
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: 32 bits of state, good enough to draw scenarios. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    below: (limit) => Math.floor(next() * limit),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
