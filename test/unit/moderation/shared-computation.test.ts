import { describe, expect, it } from 'vitest';
import { shareComputation } from '../../../src/moderation/probability-cache.js';
import { deferred, type Deferred } from '../../support/deferred.js';

function begin() {
  const ends: (string | undefined)[] = [];
  const computation = shareComputation<string>((value) => ends.push(value));
  const attempts: { outcome: Deferred<string>; signal: AbortSignal | undefined }[] = [];
  const compute = (signal?: AbortSignal): Promise<string> => {
    const outcome = deferred<string>();
    attempts.push({ outcome, signal });
    return outcome.promise;
  };
  return {
    ends,
    attempts,
    wait: (signal?: AbortSignal, project?: string) => computation.wait(project, compute, signal),
    isGivenUp: (): boolean => attempts[0]?.signal?.aborted === true,
    succeed: (value: string): void => attempts[0]?.outcome.resolve(value),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a shared computation', () => {
  it('goes on while anybody waits', async () => {
    const { wait, succeed, isGivenUp, ends } = begin();
    const one = new AbortController();
    const leaving = wait(one.signal);
    const staying = wait(new AbortController().signal);
    one.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(isGivenUp()).toBe(false);
    succeed('value');
    await expect(staying).resolves.toBe('value');
    expect(ends).toEqual(['value']);
  });

  it('goes on for those who wait without a signal', async () => {
    const { wait, succeed, isGivenUp } = begin();
    const staying = wait();
    const one = new AbortController();
    const leaving = wait(one.signal);
    one.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(isGivenUp()).toBe(false);
    succeed('value');
    await expect(staying).resolves.toBe('value');
  });

  it('has ended for good when it is given up, whatever comes of it later', async () => {
    const { wait, succeed, ends } = begin();
    const only = new AbortController();
    const waiting = wait(only.signal);
    only.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    succeed('late');
    await settled();
    expect(ends).toEqual([undefined]);
  });

  it('is not given up by whoever goes after the answer', async () => {
    const { wait, succeed, isGivenUp } = begin();
    const only = new AbortController();
    const waiting = wait(only.signal);
    succeed('value');
    await waiting;
    only.abort(new Error('gone'));
    expect(isGivenUp()).toBe(false);
  });

  it('may fail with nobody left to be told: that is no failure which nobody handles', async () => {
    const computation = shareComputation(() => undefined);
    const compute = (signal?: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(computation.wait(undefined, compute, gone)).rejects.toThrow('gone');
    // Vitest fails on a rejection that nobody handles.
    await settled();
  });
});

describe('a computation that projects share', () => {
  it('has a turn in each project, and the first value is everybody’s: the other turns are given up', async () => {
    const { wait, attempts, ends } = begin();
    const flooding = wait(undefined, 'flood');
    const other = wait(undefined, 'other');
    expect(attempts).toHaveLength(2);
    attempts[1]?.outcome.resolve('value');
    expect(await Promise.all([flooding, other])).toEqual(['value', 'value']);
    expect(attempts.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    expect(ends).toEqual(['value']);
  });

  it('fails only those whose project’s turn failed', async () => {
    const { wait, attempts, ends } = begin();
    const flooding = wait(undefined, 'flood');
    const other = wait(undefined, 'other');
    attempts[0]?.outcome.reject(new Error('queue full'));
    await expect(flooding).rejects.toThrow('queue full');
    expect(ends).toEqual([]);
    attempts[1]?.outcome.resolve('value');
    await expect(other).resolves.toBe('value');
    expect(ends).toEqual(['value']);
  });

  it('is given up for a project when its last has gone, and goes on for the others', async () => {
    const { wait, attempts, ends } = begin();
    const gone = new AbortController();
    const leaving = wait(gone.signal, 'flood');
    const staying = wait(undefined, 'other');
    gone.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(attempts.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    attempts[1]?.outcome.resolve('value');
    await expect(staying).resolves.toBe('value');
    expect(ends).toEqual(['value']);
  });
});
