/** Random numbers that are the same in every run, so that two models are measured on the same texts. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `bound`. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** The mulberry32 generator: 32 bits of state, good enough to choose texts and letters. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}

/** @returns `count` different items in random order, or all of them if there are fewer */
export function sample<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  const rest = [...items];
  const taken: Item[] = [];
  while (taken.length < count && rest.length > 0) taken.push(...rest.splice(random.below(rest.length), 1));
  return taken;
}

/** @returns the share of the count as a whole number, at least 1 of what there is */
export function partOf(count: number, share: number): number {
  return Math.min(count, Math.max(1, Math.round(count * share)));
}
