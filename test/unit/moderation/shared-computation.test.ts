import { describe, expect, it } from 'vitest';
import { shareComputation } from '../../../src/moderation/shared-computation.js';
import { deferred } from '../../support/deferred.js';

function begin() {
  const outcome = deferred<string>();
  const ends: (string | undefined)[] = [];
  let given: AbortSignal | undefined;
  const computation = shareComputation(
    (signal) => {
      given = signal;
      return outcome.promise;
    },
    (value) => ends.push(value),
  );
  const isGivenUp = (): boolean => given?.aborted === true;
  return { computation, outcome, ends, isGivenUp };
}

describe('a shared computation', () => {
  it('gives everybody who waits its value, and ends once', async () => {
    const { computation, outcome, ends } = begin();
    const answers = [computation.wait(), computation.wait(new AbortController().signal), computation.wait()];
    outcome.resolve('value');
    expect(await Promise.all(answers)).toEqual(['value', 'value', 'value']);
    expect(ends).toEqual(['value']);
  });

  it('passes its failure on to everybody', async () => {
    const failure = new Error('no model');
    const ends: unknown[] = [];
    const computation = shareComputation(
      () => Promise.reject(failure),
      (value) => ends.push(value),
    );
    const waiting = [computation.wait(), computation.wait(new AbortController().signal)];
    for (const outcome of await Promise.allSettled(waiting)) expect(outcome).toMatchObject({ reason: failure });
    expect(ends).toEqual([undefined]);
  });

  it('goes on while anybody waits', async () => {
    const { computation, outcome, isGivenUp, ends } = begin();
    const one = new AbortController();
    const leaving = computation.wait(one.signal);
    const staying = computation.wait(new AbortController().signal);
    one.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(isGivenUp()).toBe(false);
    outcome.resolve('value');
    await expect(staying).resolves.toBe('value');
    expect(ends).toEqual(['value']);
  });

  it('goes on for those who wait without a signal', async () => {
    const { computation, outcome, isGivenUp } = begin();
    const staying = computation.wait();
    const one = new AbortController();
    const leaving = computation.wait(one.signal);
    one.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(isGivenUp()).toBe(false);
    outcome.resolve('value');
    await expect(staying).resolves.toBe('value');
  });

  it('is given up with the last, and ends at once so that nobody joins it', async () => {
    const { computation, ends, isGivenUp } = begin();
    const controllers = [new AbortController(), new AbortController()];
    const waiting = controllers.map(({ signal }) => computation.wait(signal));
    for (const controller of controllers) controller.abort(new Error('gone'));
    expect(isGivenUp()).toBe(true);
    expect(ends).toEqual([undefined]);
    for (const outcome of await Promise.allSettled(waiting)) expect(outcome).toMatchObject({ status: 'rejected' });
  });

  it('has ended for good when it is given up, whatever comes of it later', async () => {
    const { computation, outcome, ends } = begin();
    const only = new AbortController();
    const waiting = computation.wait(only.signal);
    only.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    outcome.resolve('late');
    await expect(computation.wait()).resolves.toBe('late');
    expect(ends).toEqual([undefined]);
  });

  it('is not given up by whoever goes after the answer', async () => {
    const { computation, outcome, isGivenUp } = begin();
    const only = new AbortController();
    const waiting = computation.wait(only.signal);
    outcome.resolve('value');
    await waiting;
    // The listener is taken away one turn after the answer is given.
    await Promise.resolve();
    only.abort(new Error('gone'));
    expect(isGivenUp()).toBe(false);
  });

  it('says why as an error, whatever reason was given', async () => {
    const { computation } = begin();
    const waiting = computation.wait(AbortSignal.abort('no time'));
    await expect(waiting).rejects.toThrow(new Error('no time'));
  });

  it('may fail with nobody left to be told: that is no failure which nobody handles', async () => {
    const computation = shareComputation(
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      () => undefined,
    );
    await expect(computation.wait(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    // Vitest fails on a rejection that nobody handles.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('refuses who has gone before, as anybody who leaves', async () => {
    const { computation, isGivenUp } = begin();
    await expect(computation.wait(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(isGivenUp()).toBe(true);
  });
});
