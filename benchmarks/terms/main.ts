/** The process behind `npm run bench:terms`: what an operator's terms cost a text, and how much memory a compiled list takes. */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { readText } from '../../src/text/read-text.js';
import { compileTerms, type Terms } from '../../src/text/terms/term-matcher.js';
import { readFlags, runCommand, wholeNumber } from '../command.js';
import { loadTextPool } from '../load/texts/text-pool.js';
import { createTextSequence } from '../load/texts/text-sequence.js';
import { madeUpTerms } from './word-lists.js';

const DEFAULT_TEXTS = '2000';
const ROUNDS = 5;
const LISTS = 5;
const SIZES = [0, 100, 10_000] as const;
const LONG_CHARACTERS = 10_000;
const LONG_TEXTS = 40;

const HELP = `Usage: npm run --silent bench:terms -- [--texts N]

Reads the texts of the load benchmark without terms, and with ${SIZES.join(', ')} terms of five scripts, half of them
blocked and half ignored, and says what a text takes in microseconds of one core: the normaliser and segments with the
terms, and how much of that is theirs. Short texts, and long ones of ${LONG_CHARACTERS} characters. Before that, the memory
of a compiled list.

  --texts N             short texts (${DEFAULT_TEXTS})

Exit status: 0, or 2 with the reason on standard error.
`;

await runCommand(HELP, async (argv) => {
  const { texts } = readFlags(argv, { texts: { type: 'string', default: DEFAULT_TEXTS } });
  const count = wholeNumber('texts', texts, 1);
  const pool = await loadTextPool(undefined);
  const sequence = createTextSequence(pool.texts);
  reportMemory();
  process.stdout.write(`${pool.description}\n`);
  compare(
    'short texts',
    Array.from({ length: count }, (_, index) => sequence.unique(index)),
  );
  compare(
    'long texts',
    Array.from({ length: LONG_TEXTS }, (_, index) => sequence.sized(index, LONG_CHARACTERS)),
  );
});

function compare(name: string, texts: readonly string[]): void {
  const ways: { readonly label: string; readonly terms: Terms | undefined }[] = [
    { label: 'without terms', terms: undefined },
    ...SIZES.map((size) => ({ label: `${size} terms`, terms: compiled(madeUpTerms(size)) })),
  ];
  const best = ways.map(() => Infinity);
  // In turns, so that whatever else the machine does falls on all alike.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { terms }] of ways.entries()) {
      const begun = performance.now();
      for (const text of texts) readText(text, terms);
      best[index] = Math.min(best[index] ?? Infinity, ((performance.now() - begun) * 1000) / texts.length);
    }
  }
  const [without = 0] = best;
  for (const [index, { label }] of ways.entries()) {
    const us = best[index] ?? 0;
    process.stdout.write(
      `${name}, ${label.padEnd(14)} ${us.toFixed(1).padStart(9)} µs a text, ${(us - without).toFixed(1).padStart(8)} µs of it for terms\n`,
    );
  }
}

function compiled(list: readonly string[]): Terms {
  const half = Math.floor(list.length / 2);
  return compileTerms({ blocked: list.slice(0, half), ignored: list.slice(half) });
}

function reportMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = z.custom<() => void>((value) => typeof value === 'function').parse(runInNewContext('gc'));
  const used = (): number => {
    for (let turn = 0; turn < 3; turn += 1) collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const most = SIZES[SIZES.length - 1] ?? 0;
  // What is loaded and compiled by the first list is nobody's list.
  compiled(madeUpTerms(most, 0));
  const before = used();
  const lists = Array.from({ length: LISTS }, (_, index) =>
    // Copied: a string that was put together keeps its parts.
    madeUpTerms(most, index + 1).map((term) => Buffer.from(term).toString()),
  );
  const withLists = used();
  const begun = performance.now();
  const allTerms = lists.map(compiled);
  const compileMs = (performance.now() - begun) / LISTS;
  const withTerms = used();
  const kib = (bytes: number): string => `${Math.round(bytes / LISTS / 1024)} KiB`;
  const bytes = allTerms.reduce((sum, terms) => sum + terms.bytes, 0);
  process.stdout.write(
    `${most} terms: ${kib(withLists - before)} as strings, ${kib(withTerms - withLists)} more compiled ` +
      `(${kib(bytes)} in arrays), compiled in ${Math.round(compileMs)} ms; mean of ${lists.length} lists\n`,
  );
}
