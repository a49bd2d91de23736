/**
 * Bounds how many of many texts of a project are with the model at once, whatever the number of its batches: its requests of one text
 * then find a queue that batches cannot fill, and other projects do not notice. Knows nothing of texts.
 */
import type { Caller } from '../caller.js';

export interface ConcurrencyLimit {
  /**
   * Works on all items, as many at once as a project has places. Where several callers share the places, each gets its turn.
   *
   * @param work what it does after the signal has aborted must cost nothing: it is then called without a turn
   * @param caller.signal nobody waits for the results any more, or not for those that are not there yet
   * @returns the results in the order of the items; rejects with the first failure, after which nothing new is begun
   */
  each<Item, Result>(
    items: readonly Item[],
    work: (item: Item, index: number) => Promise<Result>,
    caller?: Caller,
  ): Promise<Result[]>;
}

/** Of one project. */
interface Places {
  taken: number;
  readonly waiting: Set<() => void>;
}

export function createConcurrencyLimit(placesOfProject: number): ConcurrencyLimit {
  const projects = new Map<string | undefined, Places>();

  function placesOf(project: string | undefined): Places {
    const known = projects.get(project);
    if (known !== undefined) return known;
    const places: Places = { taken: 0, waiting: new Set() };
    projects.set(project, places);
    return places;
  }

  /** @returns whether a place was got; false when the signal aborts before that */
  function turn({ waiting }: Places, signal: AbortSignal | undefined): Promise<boolean> {
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

  async function inTurn<Result>(work: () => Promise<Result>, { project, signal }: Caller): Promise<Result> {
    if (signal?.aborted === true) return work();
    const places = placesOf(project);
    if (places.taken < placesOfProject) places.taken += 1;
    else if (!(await turn(places, signal))) return work();
    try {
      return await work();
    } finally {
      // The place goes to whoever waits longest; only where nobody waits is it free.
      const [next] = places.waiting;
      if (next !== undefined) next();
      else {
        places.taken -= 1;
        if (places.taken === 0) projects.delete(project);
      }
    }
  }

  return {
    async each(items, work, caller = {}) {
      const results = new Map<number, Awaited<ReturnType<typeof work>>>();
      const entries = items.entries();
      let failed = false;
      /** Takes one item after another: a caller never has more than a project's places in line, so another's turn comes soon. */
      async function takeItems(): Promise<void> {
        for (const [index, item] of entries) {
          if (failed) return;
          try {
            results.set(index, await inTurn(() => work(item, index), caller));
          } catch (error) {
            failed = true;
            throw error;
          }
        }
      }
      const takers = Array.from({ length: Math.min(placesOfProject, items.length) }, takeItems);
      const outcomes = await Promise.allSettled(takers);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
    },
  };
}
