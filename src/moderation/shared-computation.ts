/**
 * One value that several callers wait for. Each project has it computed in a turn of its own, so that nobody waits for the turn of
 * another: the first value is everybody's, and the other computations are given up. Knows nothing of texts.
 */
/** Its signal aborts when nobody of the project waits any more, or when the value is there. */
export type Compute<Value> = (signal?: AbortSignal) => Promise<Value>;

export interface SharedComputation<Value> {
  /**
   * The value, or the failure of the project's own computation, or the signal's reason as soon as it aborts.
   *
   * @param compute called if nobody of this project waits yet
   */
  wait(project: string | undefined, compute: Compute<Value>, signal?: AbortSignal): Promise<Value>;
}

/** The computation of one project, and those who wait for it. */
interface Attempt<Value> {
  readonly waiting: Set<Waiting<Value>>;
  readonly controller: AbortController;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** @param onEnd called once, with the value if there is one: when it is there, or all have failed or gone */
export function shareComputation<Value>(onEnd: (value?: Value) => void): SharedComputation<Value> {
  const attempts = new Map<string | undefined, Attempt<Value>>();

  function succeed(value: Value, first: Attempt<Value>): void {
    if (attempts.size === 0) return;
    const all = [...attempts.values()];
    attempts.clear();
    onEnd(value);
    for (const attempt of all) {
      for (const { resolve } of attempt.waiting) resolve(value);
      if (attempt !== first) attempt.controller.abort(new Error('another computation was first'));
    }
  }

  function end(project: string | undefined, attempt: Attempt<Value>, reason: Error): void {
    // At once, so that the next caller does not join what is being given up.
    if (attempts.get(project) !== attempt) return;
    attempts.delete(project);
    if (attempts.size === 0) onEnd();
    for (const { reject } of attempt.waiting) reject(reason);
    attempt.controller.abort(reason);
  }

  function begin(project: string | undefined, compute: Compute<Value>): Attempt<Value> {
    const attempt: Attempt<Value> = { waiting: new Set(), controller: new AbortController() };
    attempts.set(project, attempt);
    compute(attempt.controller.signal).then(
      (value) => succeed(value, attempt),
      (error: unknown) => end(project, attempt, errorOf(error)),
    );
    return attempt;
  }

  return {
    wait(project, compute, signal) {
      const attempt = attempts.get(project) ?? begin(project, compute);
      return new Promise<Value>((resolve, reject) => {
        const leave = (): void => {
          if (signal === undefined) return;
          const reason = signal.reason as Error;
          reject(reason);
          attempt.waiting.delete(caller);
          if (attempt.waiting.size === 0) end(project, attempt, reason);
        };
        const stay = (): void => signal?.removeEventListener('abort', leave);
        const caller: Waiting<Value> = {
          resolve(value) {
            stay();
            resolve(value);
          },
          reject(error) {
            stay();
            reject(error);
          },
        };
        attempt.waiting.add(caller);
        if (signal?.aborted === true) leave();
        else signal?.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
