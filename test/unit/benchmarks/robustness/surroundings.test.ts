import { describe, expect, it } from 'vitest';
import { measureSurroundings } from '../../../../benchmarks/robustness/surroundings.js';
import { wordJudge } from './word-judge.js';

const NEEDLES = { toxic: ['an alarm', 'another alarm'], severeSentences: ['one more alarm', 'a whisper', 'hush'] };

/** Finds "alarm" unless the text rustles; takes "rough" for harmful where it stands alone. */
const judge = wordJudge((text) => (text.includes('alarm') && !text.includes('rustle')) || text === 'a rough word', 9);

describe('surroundings', () => {
  it('are measured alone, joined, and with a severe text in them, each kind for itself', async () => {
    const kinds = new Map([
      ['calm', ['The bakery opens at eight.', 'We drove to the lake and back.']],
      ['rough', ['a rough word', 'and a mild one']],
      ['loud', ['leaves rustle']],
    ]);
    const [all, none] = [1, 0].map((share) => ({ hidden: 2, share }));
    const one = { hidden: 3, share: 1 / 3 };
    expect(await measureSurroundings(judge, NEEDLES, kinds, 1)).toEqual([
      { kind: 'calm', shortFlagged: 0, longFlagged: 0, severeTexts: all, severeSentences: one },
      { kind: 'rough', shortFlagged: 0.5, longFlagged: 0, severeTexts: all, severeSentences: one },
      { kind: 'loud', shortFlagged: 0, longFlagged: 0, severeTexts: none, severeSentences: { hidden: 3, share: 0 } },
    ]);
  });

  it('hide a share of the sentences from all over their list, which has its kinds one after the other', async () => {
    const severeSentences = [...Array<string>(50).fill('a whisper'), ...Array<string>(50).fill('an alarm')];
    const calm = new Map([['calm', ['The bakery opens at eight.']]]);
    const [figures] = await measureSurroundings(judge, { toxic: [], severeSentences }, calm, 1, 0.4);
    expect(figures?.severeSentences.hidden).toBe(40);
    expect(figures?.severeSentences.share).toBeGreaterThan(0.25);
    expect(figures?.severeSentences.share).toBeLessThan(0.75);
  });

  it('hide of toxic texts only what is severe and short', async () => {
    const [figures] = await measureSurroundings(
      judge,
      { toxic: ['an alarm', 'a mild word', 'alarm '.repeat(30)], severeSentences: [] },
      new Map([['calm', ['The bakery opens at eight.']]]),
      1,
    );
    expect(figures?.severeTexts.hidden).toBe(1);
  });

  it('say nothing of what is found where there is nothing to hide or nothing to hide it in', async () => {
    const nothing = { hidden: 0, share: undefined };
    const [rough] = await measureSurroundings(judge, NEEDLES, new Map([['rough', ['a rough word']]]), 1);
    expect([rough?.severeTexts, rough?.severeSentences]).toEqual([nothing, nothing]);
    const calmKind = new Map([['calm', ['The bakery opens.']]]);
    const [calm] = await measureSurroundings(judge, { toxic: ['a mild word'], severeSentences: [] }, calmKind, 1);
    expect([calm?.severeTexts, calm?.severeSentences]).toEqual([nothing, nothing]);
  });
});
