/** One computation that several callers wait for, and that is given up when the last of them has gone. Knows nothing of texts. */

export interface SharedComputation<Value> {
  /** The outcome, or the signal's reason as soon as it aborts. */
  wait(signal?: AbortSignal): Promise<Value>;
}

/**
 * @param compute its signal aborts when nobody waits any more
 * @param onEnd called once, with the value if there is one: when it is there, has failed, or nobody waits any more
 */
export function shareComputation<Value>(
  compute: (signal: AbortSignal) => Promise<Value>,
  onEnd: (value?: Value) => void,
): SharedComputation<Value> {
  const abandoned = new AbortController();
  let waiting = 0;
  let isOver = false;
  function end(value?: Value): void {
    if (isOver) return;
    isOver = true;
    onEnd(value);
  }
  const computation = compute(abandoned.signal).then(
    (value) => {
      end(value);
      return value;
    },
    (error: unknown) => {
      end();
      throw error;
    },
  );

  // Whoever waits is told by `wait`. Nobody may, where the last one had gone before: then this is a failure that nobody handles.
  computation.catch(() => undefined);

  return {
    wait(signal) {
      waiting += 1;
      // Whoever waits without a signal stays to the end.
      if (signal === undefined) return computation;
      return new Promise<Value>((resolve, reject) => {
        const leave = (): void => {
          const reason: unknown = signal.reason;
          reject(reason instanceof Error ? reason : new Error(String(reason)));
          waiting -= 1;
          if (waiting > 0) return;
          // At once, so that the next caller with the same text does not join what is being given up.
          end();
          abandoned.abort(reason);
        };
        if (signal.aborted) {
          leave();
          return;
        }
        signal.addEventListener('abort', leave, { once: true });
        void computation.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
  };
}
