import { describe, expect, it } from 'vitest';
import { measureSurroundings } from '../../../../benchmarks/robustness/measurements.js';
import { wordJudge } from './word-judge.js';

const VILE = ['an alarm', 'another alarm'];

/** Finds "alarm" unless the text rustles; takes "rough" for harmful where it stands alone. */
const judge = wordJudge((text) => (text.includes('alarm') && !text.includes('rustle')) || text === 'a rough word', 9);

describe('surroundings', () => {
  it('are measured alone, joined, and with a vile text in them, each kind for itself', async () => {
    const kinds = new Map([
      ['calm', ['The bakery opens at eight.', 'We drove to the lake and back.']],
      ['rough', ['a rough word', 'and a mild one']],
      ['loud', ['leaves rustle']],
    ]);
    expect(await measureSurroundings(judge, VILE, kinds, 1)).toEqual([
      { kind: 'calm', shortFlagged: 0, longFlagged: 0, found: 1, hidden: 2 },
      { kind: 'rough', shortFlagged: 0.5, longFlagged: 0, found: 1, hidden: 2 },
      { kind: 'loud', shortFlagged: 0, longFlagged: 0, found: 0, hidden: 2 },
    ]);
  });

  it('hide only what is vile and short', async () => {
    const [figures] = await measureSurroundings(
      judge,
      ['an alarm', 'a mild word', 'alarm '.repeat(30)],
      new Map([['calm', ['The bakery opens at eight.']]]),
      1,
    );
    expect(figures?.hidden).toBe(1);
  });

  it('say nothing of what is found where there is nothing to hide or nothing to hide it in', async () => {
    const [rough] = await measureSurroundings(judge, VILE, new Map([['rough', ['a rough word']]]), 1);
    expect([rough?.found, rough?.hidden]).toEqual([undefined, 0]);
    const [calm] = await measureSurroundings(judge, ['a mild word'], new Map([['calm', ['The bakery opens.']]]), 1);
    expect([calm?.found, calm?.hidden]).toEqual([undefined, 0]);
  });
});
