/** What is too frequent to be written at once: collected in memory, and added to what is kept now and then. */

interface WriteBehindDeps<Batch> {
  readonly empty: () => Batch;
  readonly isEmpty: (batch: Batch) => boolean;
  /** Adds it to what is kept. */
  readonly add: (batch: Batch) => Promise<void>;
  readonly sumOf: (earlier: Batch, later: Batch) => Batch;
  /** Told of the first in a row of failures. */
  readonly onFailure: (error: unknown) => void;
}

interface WriteBehind<Batch> {
  /** What is not written yet, to be changed in place. */
  pending(): Batch;
  /** Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export function createWriteBehind<Batch>(deps: WriteBehindDeps<Batch>): WriteBehind<Batch> {
  const { empty, isEmpty, add, sumOf, onFailure } = deps;
  let pending = empty();
  let failing = false;
  let flushing = Promise.resolve();

  async function flushNow(): Promise<void> {
    if (isEmpty(pending)) return;
    const writing = pending;
    pending = empty();
    try {
      await add(writing);
      failing = false;
    } catch (error) {
      pending = sumOf(writing, pending);
      if (!failing) onFailure(error);
      failing = true;
    }
  }

  return { pending: () => pending, flush: () => (flushing = flushing.then(flushNow)) };
}
