import { describe, expect, it } from 'vitest';
import { measureHiddenKinds } from '../../../../benchmarks/robustness/measurements.js';
import { wordJudge } from './word-judge.js';

const HARMLESS = ['The bakery opens at eight.', 'We drove to the lake and back.', 'Has anybody seen my umbrella?'];

/** Finds "alarm" in texts of up to 1,000 characters, "siren" in any, and "quiet" in none. */
const judge = wordJudge((text) => text.includes('siren') || (text.includes('alarm') && text.length <= 1000), 8);

describe('hidden kinds', () => {
  it('counts what is found within harmless texts, of what is found alone', async () => {
    const kinds = new Map([
      ['loud', ['a siren', 'a second siren', 'quiet']],
      ['diluted', ['an alarm']],
      ['silent', ['quiet']],
    ]);
    expect(await measureHiddenKinds(judge, kinds, HARMLESS, 1)).toEqual([
      { kind: 'loud', texts: 2, found: new Map([[600, 1], [2500, 1], [9900, 1]]) }, // prettier-ignore
      { kind: 'diluted', texts: 1, found: new Map([[600, 1], [2500, 0], [9900, 0]]) }, // prettier-ignore
      { kind: 'silent', texts: 0, found: new Map() },
    ]);
  });

  it('does not hide texts among harmless ones that are flagged themselves', async () => {
    const kinds = new Map([['diluted', ['an alarm']]]);
    const [figures] = await measureHiddenKinds(judge, kinds, [...HARMLESS, 'the siren of the fire brigade'], 1);
    expect(figures?.found.get(9900)).toBe(0);
  });

  it('does not count long texts of harm', async () => {
    const [figures] = await measureHiddenKinds(judge, new Map([['loud', ['siren '.repeat(51)]]]), HARMLESS, 1);
    expect(figures?.texts).toBe(0);
  });
});
