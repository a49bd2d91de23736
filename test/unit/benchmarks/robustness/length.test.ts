import { describe, expect, it } from 'vitest';
import { hide, joined, LONG_CHARACTERS, PLACES } from '../../../../benchmarks/robustness/hiding.js';
import { measureLength } from '../../../../benchmarks/robustness/long-texts.js';
import { createRandom } from '../../../../benchmarks/robustness/random.js';
import { MAX_CONTENT_CHARACTERS } from '../../../../src/http/routes/schemas.js';
import { wordJudge } from './word-judge.js';

const HARMLESS = ['The bakery opens at eight.', 'We drove to the lake and back.'];

const judge = wordJudge((text) => text.includes('alarm'), 9);

describe('length', () => {
  it('counts what is harmless by its label, and what readers do not call abusive, alone and joined', async () => {
    const harmless = [...HARMLESS, 'A false alarm, you clown.'];
    const texts = { toxic: ['an alarm'], harmless, readHarmless: HARMLESS, readSevere: [] };
    expect(await measureLength(judge, texts, 1)).toEqual({
      byLabel: { texts: 3, shortFlagged: 1 / 3, longFlagged: 1 },
      byReaders: { texts: 2, shortFlagged: 0, longFlagged: 0 },
      longTexts: 1_000,
      found: { beginning: 1, middle: 1, end: 1, anywhere: 1 },
      hidden: 1,
      severe: { texts: 0, shortFlagged: 0, found: {} },
    });
  });

  it('hides what readers call severe at every place, found alone or not', async () => {
    const nearTheEnd = wordJudge((text) => text.slice(-40).includes('alarm'), 5);
    const texts = {
      toxic: ['an alarm'],
      harmless: HARMLESS,
      readHarmless: HARMLESS,
      readSevere: ['an alarm', 'a siren'],
    };
    const { severe } = await measureLength(nearTheEnd, texts, 1);
    expect(severe).toMatchObject({ texts: 2, shortFlagged: 0.5, found: { beginning: 0, middle: 0, end: 0.5 } });
  });
});

describe('a hidden text', () => {
  it.each(PLACES)('is whole, in a text that the service takes: %s', (place) => {
    const needle = 'an alarm '.repeat(30).trim();
    const text = hide(needle, joined(HARMLESS, LONG_CHARACTERS, createRandom(1)), place, createRandom(1));
    expect(text).toContain(needle);
    expect(text.length).toBeGreaterThan(MAX_CONTENT_CHARACTERS - 10);
    expect(text.length).toBeLessThanOrEqual(MAX_CONTENT_CHARACTERS);
  });
});
