import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit } from '../../../src/threads/concurrency-limit.js';
import { deferred, type Deferred } from '../../support/deferred.js';

/** Work that begins when it gets its turn and ends when the test says so. */
function controlledWork() {
  const begun: string[] = [];
  const ends = new Map<string, Deferred<string>>();
  return {
    begun,
    work: (name: string): Promise<string> => {
      begun.push(name);
      const end = deferred<string>();
      ends.set(name, end);
      return end.promise;
    },
    finish: async (name: string): Promise<void> => {
      ends.get(name)?.resolve(`${name} done`);
      // Everything that follows from it has been done when the queue of promises is empty.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a concurrency limit', () => {
  it('work on as many items at once as there are places, and answer in the order of the items', async () => {
    const { begun, work, finish } = controlledWork();
    const results = createConcurrencyLimit(2).each(['a', 'b', 'c'], work);
    expect(begun).toEqual(['a', 'b']);
    await finish('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await finish('c');
    await finish('a');
    expect(await results).toEqual(['a done', 'b done', 'c done']);
  });

  it('share the places between callers: one that comes later need not wait for all items of the first', async () => {
    const { begun, work, finish } = controlledWork();
    const turns = createConcurrencyLimit(1);
    const first = turns.each(['a1', 'a2', 'a3'], work);
    const second = turns.each(['b1', 'b2'], work);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await finish(name);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    expect((await first).length + (await second).length).toBe(5);
  });

  it('begin nothing new after a failure, and free the places', async () => {
    const turns = createConcurrencyLimit(1);
    const begun: number[] = [];
    const failing = turns.each([1, 2, 3], (item) => {
      begun.push(item);
      return Promise.reject(new Error(`item ${item}`));
    });
    await expect(failing).rejects.toThrow('item 1');
    expect(begun).toEqual([1]);
    expect(await turns.each(['x'], (item) => Promise.resolve(item))).toEqual(['x']);
  });

  it('are no longer waited for once the signal has aborted: what is left is settled at once', async () => {
    const { begun, work, finish } = controlledWork();
    const turns = createConcurrencyLimit(1);
    const other = turns.each(['long'], work);
    const controller = new AbortController();
    const settled = turns.each(
      ['a', 'b'],
      (name) => Promise.resolve(controller.signal.aborted ? `${name} late` : name),
      { signal: controller.signal },
    );
    controller.abort();
    expect(await settled).toEqual(['a late', 'b late']);
    expect(begun).toEqual(['long']);
    const next = turns.each(['next'], work);
    expect(begun).toEqual(['long']);
    await finish('long');
    expect(begun).toEqual(['long', 'next']);
    await finish('next');
    expect([await other, await next]).toEqual([['long done'], ['next done']]);
  });

  it('are a project’s own: another need not wait for them', async () => {
    const { begun, work, finish } = controlledWork();
    const turns = createConcurrencyLimit(1);
    const first = turns.each(['a1', 'a2'], work, { project: 'a' });
    const other = turns.each(['b1'], work, { project: 'b' });
    expect(begun).toEqual(['a1', 'b1']);
    for (const name of ['b1', 'a1', 'a2']) await finish(name);
    expect([await first, await other]).toEqual([['a1 done', 'a2 done'], ['b1 done']]);
  });
});
