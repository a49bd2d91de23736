import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProbabilityCache } from '../../../src/moderation/probability-cache.js';
import { deferred } from '../../support/deferred.js';

const NAMESPACE = 'model@1.0.0';

/** Of an ordinary value. */
const bytesOf = (): number => 1000;

function counting() {
  let computations = 0;
  return {
    compute: () => Promise.resolve({ number: ++computations }),
    get computations() {
      return computations;
    },
  };
}

describe('verdict cache', () => {
  it('computes a text once and remembers it', async () => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries: 10, bytesOf });
    const source = counting();
    expect(await cache.get('text', source.compute)).toEqual({ value: { number: 1 }, cached: false });
    expect(await cache.get('text', source.compute)).toEqual({ value: { number: 1 }, cached: true });
    expect(cache.stats()).toEqual({ entries: 1, hits: 1, misses: 1 });
  });

  it('computes once for equal texts that arrive together', async () => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries: 10, bytesOf });
    const source = counting();
    const lookups = await Promise.all(Array.from({ length: 20 }, () => cache.get('text', source.compute)));
    expect(source.computations).toBe(1);
    expect(lookups.filter((lookup) => !lookup.cached)).toHaveLength(1);
  });

  it.each([10, 0])('begins nothing for one who has gone, with room for %i', async (maxEntries) => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries, bytesOf });
    const source = counting();
    await expect(cache.get('text', source.compute, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
      'gone',
    );
    expect(source.computations).toBe(0);
  });

  it('passes a failure to all who wait, and does not remember it', async () => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries: 10, bytesOf });
    const failing = () => Promise.reject(new Error('no model'));
    const waiting = [cache.get('text', failing), cache.get('text', failing)];
    for (const outcome of await Promise.allSettled(waiting)) expect(outcome.status).toBe('rejected');
    expect((await cache.get('text', counting().compute)).cached).toBe(false);
  });

  it('gives a computation up when all who waited for it have gone, and begins anew for who comes then', async () => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries: 10, bytesOf });
    const gone = new AbortController();
    let isGivenUp = false;
    const endless = (signal?: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          isGivenUp = true;
          reject(new Error('given up'));
        });
      });
    const waiting = [
      cache.get('text', endless, { signal: gone.signal }),
      cache.get('text', endless, { signal: gone.signal }),
    ];
    gone.abort(new Error('gone'));
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
    }
    expect(isGivenUp).toBe(true);
    const source = counting();
    expect(await cache.get('text', source.compute)).toEqual({ value: { number: 1 }, cached: false });
    expect(cache.stats().entries).toBe(1);
  });

  it('never holds more than its entries', async () => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries: 3, bytesOf });
    const source = counting();
    for (const text of ['a', 'b', 'c', 'd', 'e']) await cache.get(text, source.compute);
    expect(cache.stats().entries).toBe(3);
    expect((await cache.get('e', source.compute)).cached).toBe(true);
    expect((await cache.get('a', source.compute)).cached).toBe(false);
  });

  it('never holds more bytes than so many ordinary values take: large ones make others leave', async () => {
    const cache = createProbabilityCache<{ bytes: number }>({
      namespace: NAMESPACE,
      maxEntries: 10,
      bytesOf: ({ bytes }) => bytes,
    });
    const remember = (text: string, bytes: number) => cache.get(text, () => Promise.resolve({ bytes }));
    for (const text of ['a', 'b', 'c', 'd']) await remember(text, 1000);
    await remember('large', 18_000);
    expect(cache.stats().entries).toBe(3);
    expect((await remember('large', 18_000)).cached).toBe(true);
    expect((await remember('a', 1000)).cached).toBe(false);
  });

  it('gives a value that is too large to remember to who asked for it, and keeps the others', async () => {
    const cache = createProbabilityCache<{ bytes: number }>({
      namespace: NAMESPACE,
      maxEntries: 2,
      bytesOf: ({ bytes }) => bytes,
    });
    await cache.get('small', () => Promise.resolve({ bytes: 1000 }));
    expect((await cache.get('huge', () => Promise.resolve({ bytes: 100_000 }))).value).toEqual({ bytes: 100_000 });
    expect((await cache.get('small', () => Promise.resolve({ bytes: 1 }))).value).toEqual({ bytes: 1000 });
    expect((await cache.get('huge', () => Promise.resolve({ bytes: 1 }))).cached).toBe(false);
  });

  it('computes again for whoever needs more of a value than it has, and keeps the fuller one', async () => {
    const cache = createProbabilityCache<{ isFull: boolean }>({ namespace: NAMESPACE, maxEntries: 10, bytesOf });
    const full = { suffices: ({ isFull }: { isFull: boolean }) => isFull };
    const values = { partial: { isFull: false }, full: { isFull: true } };
    const slow = deferred<{ isFull: boolean }>();
    const partial = cache.get('text', () => slow.promise);
    const fuller = await cache.get('text', () => Promise.resolve(values.full), {}, full);
    expect(fuller).toEqual({ value: values.full, cached: false });
    slow.resolve(values.partial);
    expect(await partial).toEqual({ value: values.partial, cached: false });
    const never = (): Promise<never> => Promise.reject(new Error('computed again'));
    expect((await cache.get('text', never, {}, full)).value).toEqual(values.full);
    expect((await cache.get('text', never)).value).toEqual(values.full);
    await cache.get('other', () => Promise.resolve(values.partial));
    expect((await cache.get('other', never)).value).toEqual(values.partial);
    await expect(cache.get('other', never, {}, full)).rejects.toThrow('computed again');
  });

  it('is off at 0 entries: equal texts are computed each time', async () => {
    const cache = createProbabilityCache<{ number: number }>({ namespace: NAMESPACE, maxEntries: 0, bytesOf });
    const source = counting();
    await Promise.all([cache.get('text', source.compute), cache.get('text', source.compute)]);
    expect(source.computations).toBe(2);
    expect(cache.stats().entries).toBe(0);
  });

  it('tells apart any two texts that differ, also in lone surrogates only', async () => {
    const cache = createProbabilityCache<{ text: string }>({ namespace: NAMESPACE, maxEntries: 100_000, bytesOf });
    const pairs = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(pairs, async ([a, b]) => {
        expect((await cache.get(a, () => Promise.resolve({ text: a }))).value.text).toBe(a);
        expect((await cache.get(b, () => Promise.resolve({ text: b }))).value.text).toBe(b);
      }),
    );
    for (const text of ['\ud800', '\ud801', '\udc00', '\ufffd']) {
      expect((await cache.get(text, () => Promise.resolve({ text }))).value.text).toBe(text);
    }
  });
});
