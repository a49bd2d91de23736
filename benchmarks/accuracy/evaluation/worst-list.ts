/** Keeps the few worst of many, so that the texts of a large file are not all held in memory. */

export interface WorstList<Item> {
  offer(item: Item, badness: number): void;
  /** The worst first; of equally bad ones the earliest. */
  items(): readonly Item[];
}

export function createWorstList<Item>(limit: number): WorstList<Item> {
  const kept: { readonly item: Item; readonly badness: number }[] = [];
  return {
    offer(item, badness) {
      const after = kept.findIndex((other) => other.badness < badness);
      if (after === -1 && kept.length >= limit) return;
      kept.splice(after === -1 ? kept.length : after, 0, { item, badness });
      if (kept.length > limit) kept.pop();
    },
    items: () => kept.map(({ item }) => item),
  };
}
