/** Works on many items at a time and gives the results in the order of the items. Knows nothing of what the work is. */

export interface OrderedMapOptions {
  /** Most items that are worked on at a time. */
  readonly concurrency: number;
}

/** Finished results wait here for a slow one before them: one long text must not leave the other workers idle. */
const HELD_PER_WORKER = 8;

/** After a failure, or when the reader stops early, nothing that has not begun begins any more. */
export async function* mapInOrder<In, Out>(
  items: AsyncIterable<In>,
  work: (item: In) => Promise<Out>,
  { concurrency }: OrderedMapOptions,
): AsyncGenerator<Out> {
  const gate = createGate(concurrency);
  const pending: Promise<Out>[] = [];
  const start = (item: In): void => {
    const result = gate.enter().then(async () => {
      try {
        return await work(item);
      } catch (error) {
        // Items enter in their order: those before this one have begun, and end in their turn.
        gate.shut();
        throw error;
      } finally {
        gate.leave();
      }
    });
    // It is awaited in its turn; until then Node must not take a failure for one that nobody handles.
    result.catch(() => undefined);
    pending.push(result);
  };
  try {
    for await (const item of items) {
      start(item);
      const [first] = pending;
      if (first !== undefined && pending.length >= concurrency * HELD_PER_WORKER) {
        yield await first;
        void pending.shift();
      }
    }
    for (const result of pending) yield await result;
  } finally {
    gate.shut();
  }
}

interface Gate {
  enter(): Promise<void>;
  leave(): void;
  shut(): void;
}

/** Lets `width` in at a time, in the order of arrival; once shut, those outside stay there for good. */
function createGate(width: number): Gate {
  const outside: (() => void)[] = [];
  let free = width;
  let isShut = false;
  return {
    enter() {
      if (isShut) return new Promise(() => undefined);
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => void outside.push(resolve));
    },
    leave() {
      const next = outside.shift();
      if (next === undefined) free += 1;
      else next();
    },
    shut() {
      isShut = true;
      outside.length = 0;
    },
  };
}
