/** Promises of the raw loop: the service's runs in its order, times that belong to their texts, and processor time of all sessions. */
import { describe, expect, it } from 'vitest';
import { judgeText } from '../../../../benchmarks/load/peers/judge-text.js';
import type { EncodedText } from 'parapet/engine';
import { together } from '../../../../benchmarks/load/peers/raw-loop.js';

describe('a text in the raw loop', () => {
  const [whole, first, second] = [Int32Array.of(1), Int32Array.of(2), Int32Array.of(3)];

  async function runsOf(text: EncodedText, exited: boolean, tellsHighest = false): Promise<Int32Array[]> {
    const runs: Int32Array[] = [];
    await judgeText(text, { tellsHighest, run: (ids) => Promise.resolve(runs.push(ids)).then(() => exited) });
    return runs;
  }

  it('is read as a whole first where there is one, then by segment', async () => {
    expect(await runsOf({ whole, segments: [first, second] }, false)).toEqual([whole, first, second]);
  });

  it('is read once where the network tells the worst of several segments', async () => {
    expect(await runsOf({ whole, segments: [first, second] }, false, true)).toEqual([whole]);
  });

  it.each([false, true])('is read by all of its segments, whatever they say, where it is no one run', async (tells) => {
    expect(await runsOf({ whole: undefined, segments: [first, second] }, true, tells)).toEqual([first, second]);
  });
});

describe('the sessions of the raw loop', () => {
  const session = { elapsedMs: 100, cpuSeconds: 0.09, runs: 6, tokens: 30 };

  it('give each text the median of its times, whoever judged it and wherever the measuring began', () => {
    // Texts 0, 2 and 4 are of the first session, 1 and 3 of the second.
    const { textMs } = together(
      [
        { ...session, first: 2, timesMs: [4, 0, 2, 6] },
        { ...session, first: 1, timesMs: [3, 1, 5, 1] },
      ],
      5,
    );
    expect(Array.from(textMs)).toEqual([0, 1, 2, 4, 5]);
  });
});
