import { describe, expect, it } from 'vitest';
import { listsTogether, measureHiddenKinds } from '../../../../benchmarks/robustness/hidden-kinds.js';
import { wordJudge } from './word-judge.js';

const HARMLESS = ['The bakery opens at eight.', 'We drove to the lake and back.', 'Has anybody seen my umbrella?'];

/** Finds "alarm" in texts of up to 1,000 characters, "siren" in any, and "quiet" in none. */
const judge = wordJudge((text) => text.includes('siren') || (text.includes('alarm') && text.length <= 1000), 8);

/** Shares found in 600 characters, and in more. */
const found = (texts: number, short: number, long: number) => ({ texts, found: new Map([[600, short], [2500, long], [9900, long]]) }); // prettier-ignore
const everywhere = (texts: number) => found(texts, 1, 1);
const inShortTexts = (texts: number) => found(texts, 1, 0);
const nowhere = { texts: 0, found: new Map<number, number>() };

const harm = (text: string, isSevere = false) => ({ text, isSevere });

describe('hidden kinds', () => {
  it('counts what is found within harmless texts, of what is found alone', async () => {
    const kinds = new Map([
      ['loud', [harm('a siren'), harm('a second siren'), harm('quiet')]],
      ['diluted', [harm('an alarm')]],
      ['silent', [harm('quiet')]],
    ]);
    expect(await measureHiddenKinds(judge, kinds, HARMLESS, 1)).toEqual([
      { kind: 'loud', ...everywhere(2), toxicAlone: everywhere(2), severe: nowhere },
      { kind: 'diluted', ...inShortTexts(1), toxicAlone: inShortTexts(1), severe: nowhere },
      { kind: 'silent', ...nowhere, toxicAlone: nowhere, severe: nowhere },
    ]);
  });

  it('counts all that is severe, found alone or not', async () => {
    const kinds = new Map([['mixed', [harm('a siren'), harm('an alarm', true), harm('quiet', true)]]]);
    const [figures] = await measureHiddenKinds(judge, kinds, HARMLESS, 1);
    const [alone, severe] = [found(2, 1, 0.5), found(2, 0.5, 0)];
    expect(figures).toEqual({ kind: 'mixed', ...alone, toxicAlone: alone, severe });
  });

  it('pools the kinds of a list, and the lists, by the number of their texts', () => {
    const figures = [
      { kind: 'first list: loud', ...everywhere(3), toxicAlone: everywhere(2), severe: everywhere(1) },
      { kind: 'first list: diluted', ...inShortTexts(1), toxicAlone: nowhere, severe: nowhere },
      { kind: 'second list: diluted', ...inShortTexts(4), toxicAlone: inShortTexts(3), severe: inShortTexts(4) },
      { kind: 'of no list', ...everywhere(9), toxicAlone: everywhere(9), severe: everywhere(9) },
    ];
    expect(listsTogether(figures)).toEqual([
      { kind: 'first list: all', ...found(4, 1, 0.75), toxicAlone: everywhere(2), severe: everywhere(1) },
      { kind: 'second list: all', ...inShortTexts(4), toxicAlone: inShortTexts(3), severe: inShortTexts(4) },
      { kind: 'all lists', ...found(8, 1, 0.375), toxicAlone: found(5, 1, 0.4), severe: found(5, 1, 0.2) },
    ]);
    expect(listsTogether([{ kind: 'of no list', ...everywhere(9), toxicAlone: nowhere, severe: nowhere }])).toEqual([]);
  });
});
