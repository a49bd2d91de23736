/** Families of texts that are meant to take long: what a pattern repeats, begins with and ends with can each make an expression go back. */
import process from 'node:process';
import type { Random } from '../../benchmarks/robustness/random.js';

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
  ...['aaab', 'q'.repeat(99)],
];

/** Every fragment alone, and combinations of several that depend on nothing but the seed. */
export function familiesOf(random: Random, combinations: number): Family[] {
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

export function isSuperlinear({ shortMs, longMs }: Growth): boolean {
  return longMs > NOISE_MS && longMs > 2.5 * GROWTH * shortMs;
}

/** The least of several measurements; stops as soon as the work is seen to be fast: a first run is compiled meanwhile. */
export function growthOf(
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
