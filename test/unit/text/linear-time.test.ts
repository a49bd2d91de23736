/**
 * The promise that no text takes more than its share of time before it is judged: all that looks at characters takes time in
 * proportion to their number, also where a text is made to be slow.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRandom, type Random } from '../../../benchmarks/robustness/random.js';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { normalise } from '../../../src/text/normalise.js';
import { readText } from '../../../src/text/read-text.js';
import { segmentsOf } from '../../../src/text/segments.js';
import { SEED, sized, TIME_LIMIT_MS } from '../../hardening/scale.js';

const LONGEST_TEXT = 10_000;
const MAX_PIECE_IDS = 94;

const COMBINATIONS = sized({ short: 30, long: 1_000 });

const tokenizer = createTextTokenizer(
  z
    .looseObject({})
    .parse(JSON.parse(readFileSync(new URL('../../../models/parapet-en/tokenizer.json', import.meta.url), 'utf8'))),
  MAX_PIECE_IDS,
);

const STAGES: Readonly<Record<string, { readonly run: (text: string) => unknown; readonly limitMs: number }>> = {
  'undoing disguises': { run: normalise, limitMs: 200 },
  'cutting into segments': { run: segmentsOf, limitMs: 100 },
  'finding segments in the text as sent': { run: readText, limitMs: 300 },
  tokenising: { run: (text) => tokenizer.tokenize(text), limitMs: 300 },
};

describe('time in proportion to the length of a text', () => {
  it.each(Object.entries(STAGES))(
    'is all that %s takes, whatever the text',
    (_name, { run, limitMs }) => {
      let slowestMs = 0;
      for (const family of familiesOf(createRandom(SEED), COMBINATIONS)) {
        const growth = growthOf(run, family, LONGEST_TEXT, limitMs);
        slowestMs = Math.max(slowestMs, growth.longMs);
        expect(isSuperlinear(growth), `${JSON.stringify(family)}: ${JSON.stringify(growth)}`).toBe(false);
      }
      expect(slowestMs).toBeLessThan(limitMs);
      console.info(`${_name}: at most ${slowestMs.toFixed(1)} ms of processor time for ${LONGEST_TEXT} characters`);
    },
    TIME_LIMIT_MS,
  );

  it('is all that undoing marks out of order takes', () => {
    const growth = growthOf(normalise, MARKS, LONGEST_TEXT);
    expect(isSuperlinear(growth), JSON.stringify(growth)).toBe(false);
  });
});

/** A text of those that are meant to take long: what a pattern repeats, begins with and ends with can each make an expression go back. */
interface Family {
  readonly head: string;
  readonly body: string;
  readonly tail: string;
}

/** Characters and words that the clean-up, the tokenizer or the segmenter treat in a way of their own. */
const FRAGMENTS: readonly string[] = [
  ...['a', 'b', 'k', 'i', '4', '1', '!', '|', '$', '@', '*', '.', ',', '-', '_', ' ', '  ', '\n', '\t', "'", '’', '('],
  ...[')', '[', '/', '\\', '<', '=', '#', '~', '^', '•', '…', '—', ':', ';', '?', '&', '%', '+', '"', '`', '{', '>'],
  ...['\u200b', '\u200d', '\ufe0f', '\u0301', '\u20e3', '\u202e', '\u202c', '\ud800', '\udc00', '\u0000', '\u0085'],
  ...['\ufeff', 'а', 'е', 'о', 'α', 'Δ', 'ß', 'ſ', 'İ', 'ﬃ', 'ﷺ', 'ℌ', 'ａ', '你', 'ก', 'ำ', 'ा', 'ّ', 'ㅋ', 'é', 'ф'],
  ...['😀', '👨', '👨‍👩‍👧', '🇫', '🏽', '☆', '1\ufe0f\u20e3', 'com', 'http://', 'www.', '◆', 'k◆i◆', '◆kill', 'ʰ'],
  ...['ʰk', '①', 'ツ', 'ツk', 'k+', '<b>', '<a b="', '&#105;', '&amp;', '\ue000', '\u0378', 'a.com', 'x@y.de'],
  ...['U.S.', 'e.g. ', '<!--', '</', '<svg>', '<title>', '</title>', 'a[abcd]', '[/b]', '||'],
  ...['Mr. ', '1.5', 'fuck', 'shit', 'you', 'f*', 's h ', 'fu ck ', 'fuuck ', 'mother-', 'a4a4 ', 'аa '],
  ...['aaab', 'q'.repeat(99), 'a.', 'a ', '!!a ', '1!', 'a4', '$!', 'a@', '.com', "a'", 'a_', 'a\u0301'],
  ...['аa', 'ก้', '\u202ea', 'c4ke d0or a1l1l1i1l1i1l1 ', 's h i t ', 'f.u c-k ', 'f*************** ', 'fu.ck'],
  ...['y o u r '],
  ...['a1!$|+ ', 'f\u0301u\u200b*\ud800 4а.🇫!', '<x', '<x ', '<b a=1 ', '</b>', '<br>', '<script></script>', 'a<b &&>'],
  ...['&a', '&#0', '&shy', '[a]', '[/a]', '[a=', 'a||', '||a', '<p title="&lt;b&gt;">'],
  ...['. ', '."', '! a', '" ', '…a', '. a\n', 'a 你', 'a ф 1 «', 'שa'],
];

/** Marks out of order, of a letter that may have some. */
const MARKS: Family = { head: `\u05d0${'\u0301'.repeat(5000)}`, body: '\u0316', tail: '' };

/** Every fragment alone, and combinations of several that depend on nothing but the seed. */
function familiesOf(random: Random, combinations: number): Family[] {
  const pick = (most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(FRAGMENTS)).join('');
  return [
    ...FRAGMENTS.map((body) => ({ head: '', body, tail: '' })),
    ...Array.from({ length: combinations }, () => ({ head: pick(2), body: pick(4), tail: pick(3) })),
  ];
}

/** The text of a family that has exactly so many UTF-16 units. */
function textOf({ head, body, tail }: Family, length: number): string {
  const middle = Math.max(0, length - head.length - tail.length);
  return (head + body.repeat(Math.ceil(middle / body.length)).slice(0, middle) + tail).slice(0, length);
}

/** Time of the processor, not of the clock: a machine that is busy with other things makes no work look slow. */
function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Growth {
  readonly shortMs: number;
  readonly longMs: number;
}

/** How many times longer the long text is than the short one. */
const GROWTH = 4;

/**
 * Quadratic time would make the long text 16 times slower. What takes less than this is not told apart from the noise of a garbage
 * collection, and could not hold anybody up.
 */
const NOISE_MS = 20;

function isSuperlinear({ shortMs, longMs }: Growth): boolean {
  return longMs > NOISE_MS && longMs > 2.5 * GROWTH * shortMs;
}

/** The least of several measurements; stops as soon as the work is seen to be fast: a first run is compiled meanwhile. */
function growthOf(
  work: (text: string) => unknown,
  family: Family,
  longest: number,
  limitMs = Number.POSITIVE_INFINITY,
): Growth {
  const long = textOf(family, longest);
  const short = textOf(family, longest / GROWTH);
  let growth: Growth = { shortMs: Infinity, longMs: Infinity };
  for (let run = 0; run < 8 && (isSuperlinear(growth) || growth.longMs >= limitMs || run === 0); run += 1) {
    growth = {
      longMs: Math.min(
        growth.longMs,
        cpuMsOf(() => work(long)),
      ),
      // The first run of the long text has warmed the code for the short one.
      shortMs: Math.min(
        growth.shortMs,
        cpuMsOf(() => work(short)),
      ),
    };
  }
  return growth;
}
