/** Promises of the ordered map: the order of the items, a bound on what runs at a time, and an end at the first failure. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapInOrder } from '../../../../benchmarks/accuracy/ordered-map.js';

// eslint-disable-next-line @typescript-eslint/require-await -- a source that happens to have its items at once
async function* upTo(count: number): AsyncGenerator<number> {
  for (let item = 0; item < count; item += 1) yield item;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('ordered map', () => {
  it('keeps the order and the bound, however long each item takes', async () => {
    const durations = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(durations, fc.integer({ min: 1, max: 6 }), async (turnsOf, concurrency) => {
        let running = 0;
        let most = 0;
        const work = async (item: number): Promise<number> => {
          running += 1;
          most = Math.max(most, running);
          await turns(turnsOf[item] ?? 0);
          running -= 1;
          return item;
        };
        const results: number[] = [];
        for await (const result of mapInOrder(upTo(turnsOf.length), work, { concurrency })) results.push(result);
        expect(results).toEqual(turnsOf.map((_, index) => index));
        expect(most).toBeLessThanOrEqual(concurrency);
      }),
    );
  });

  it('begins nothing more after a failure', async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<number> => {
      begun.push(item);
      await turns(5);
      if (item === 1) throw new Error('cannot');
      return item;
    };
    const results = mapInOrder(upTo(100), work, { concurrency: 2 });
    expect((await results.next()).value).toBe(0);
    await expect(results.next()).rejects.toThrow('cannot');
    const begunAtFailure = begun.length;
    await turns(100);
    expect(begun).toHaveLength(begunAtFailure);
  });
});
