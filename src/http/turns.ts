/**
 * Bounds how many texts of batches are with the model at once, whatever the number of batches: requests of one text then find a
 * queue that batches cannot fill. Knows nothing of texts.
 */

export interface Turns {
  /**
   * Works on all items, as many at once as there are places. Where several callers share the places, each gets its turn.
   *
   * @param work what it does after the signal has aborted must cost nothing: it is then called without a turn
   * @param signal nobody waits for the results any more, or not for those that are not there yet
   * @returns the results in the order of the items; rejects with the first failure, after which nothing new is begun
   */
  each<Item, Result>(
    items: readonly Item[],
    work: (item: Item, index: number) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result[]>;
}

export function createTurns(places: number): Turns {
  let free = places;
  const waiting = new Set<() => void>();

  /** @returns whether a place was got; false when the signal aborts before that */
  function turn(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        waiting.delete(enter);
        resolve(true);
      };
      const leave = (): void => {
        waiting.delete(enter);
        resolve(false);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(enter);
    });
  }

  async function inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    if (signal?.aborted === true) return work();
    if (free > 0) free -= 1;
    else if (!(await turn(signal))) return work();
    try {
      return await work();
    } finally {
      // The place goes to whoever waits longest; only where nobody waits is it free.
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    }
  }

  return {
    async each(items, work, signal) {
      const results = new Map<number, Awaited<ReturnType<typeof work>>>();
      const entries = items.entries();
      let failed = false;
      /** Takes one item after another: a caller never has more than `places` in line, so another's turn comes soon. */
      async function takeItems(): Promise<void> {
        for (const [index, item] of entries) {
          if (failed) return;
          try {
            results.set(index, await inTurn(() => work(item, index), signal));
          } catch (error) {
            failed = true;
            throw error;
          }
        }
      }
      const outcomes = await Promise.allSettled(Array.from({ length: Math.min(places, items.length) }, takeItems));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
    },
  };
}
