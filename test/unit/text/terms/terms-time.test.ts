/** The promise that terms take time in proportion to the length of a text, whatever the text and whatever ten thousand terms. */
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { madeUpTerms } from '../../../support/terms/made-up-terms.js';
import type { CompiledTerms } from '../../../../src/text/terms/term-matcher.js';
import { termsOf } from '../../../support/terms/compiled-terms.js';

const TERMS = 10_000;
const LONG = 10_000;
const TIMES_LONGER = 8;
/** Of processor time. Quadratic time would be many seconds. */
const TIME_LIMIT_MS = 2000;
const PATIENCE_MS = 30_000;

/** Combinations of some pieces, shortest first. */
function combinations(pieces: readonly string[], border: string): string[] {
  const made = [...pieces];
  for (let at = 0; made.length < TERMS; at += 1) {
    for (const piece of pieces) if (made.length < TERMS) made.push(`${made[at] ?? ''}${border}${piece}`);
  }
  return made;
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  'made-up words': madeUpTerms(TERMS),
  'words that each begin the next': Array.from({ length: 99 }, (_, index) => 'a'.repeat(index + 1)),
  'words that fit everything': Array.from({ length: TERMS }, (_, index) => {
    const [one, other] = [1 + (index % 49), 1 + (Math.floor(index / 49) % 49)];
    return ['a', 'b', ''].map((letter) => letter.repeat(one) + '*' + 'a'.repeat(other))[index % 3] ?? '';
  }),
  'parts of words': Array.from({ length: 98 }, (_, index) => `*${'a'.repeat(index + 1)}*`),
  'many words that fit one word': combinations(['a', 'a*', '*a', '*a*'], ' ').filter((term) => term.length <= 100),
  'one word again and again': Array.from({ length: 50 }, (_, index) => 'a '.repeat(index + 1)),
  'letters of a script without spaces': Array.from({ length: 100 }, (_, index) => '笨'.repeat(index + 1)),
};

const TEXTS: Readonly<Record<string, string>> = {
  'a long word': 'a',
  'words of the longest term': `${'a'.repeat(100)} `,
  letters: 'a ',
  'letters with signs': 'a.a*',
  'leetspeak of short words': 'a4a@1 ',
  'letters of two scripts': 'аaaa ',
  'a script without spaces': '笨',
  emoji: '🍆',
  marks: 'a\u0301\u0316',
};

describe.each(Object.entries(LISTS))('with %s as terms', (_list, list) => {
  const terms = termsOf({ blocked: list, ignored: list.slice(0, 100) });

  it.each(Object.entries(TEXTS))('time is linear in the length of %s', { timeout: PATIENCE_MS }, (_text, unit) => {
    const long = unit.repeat(Math.ceil(LONG / unit.length));
    const short = long.slice(0, LONG / TIMES_LONGER);
    const longMs = fastestMs(terms, long);
    expect(longMs).toBeLessThan(TIME_LIMIT_MS);
    // Quadratic time would be the square of it.
    expect(longMs).toBeLessThan(3 * TIMES_LONGER * Math.max(fastestMs(terms, short), 10));
  });
});

function fastestMs(terms: CompiledTerms, text: string): number {
  let fastest = Infinity;
  for (let run = 0; run < 3; run += 1) {
    const begun = process.cpuUsage();
    terms.find(text);
    const { user, system } = process.cpuUsage(begun);
    fastest = Math.min(fastest, (user + system) / 1000);
    if (fastest > TIME_LIMIT_MS / 4) break;
  }
  return fastest;
}
