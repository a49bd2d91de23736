/** What is remembered is what was made of the word, is bounded, and does not keep the text that the word came from. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { remembering } from '../../../../src/text/disguises/remembered-words.js';

function asked(most: number, longest: number) {
  const words: string[] = [];
  const upper = remembering({ most, longest }, (word) => {
    words.push(word);
    return word.toUpperCase();
  });
  return { words, upper };
}

it('asks once for a word that comes again, and always for one that is too long', () => {
  const { words, upper } = asked(10, 4);
  expect(['word', 'words', 'word', 'words'].map(upper)).toEqual(['WORD', 'WORDS', 'WORD', 'WORDS']);
  expect(words).toEqual(['word', 'words', 'words']);
});

it('forgets all words when there are too many', () => {
  const { words, upper } = asked(2, 4);
  expect(['a', 'b', 'c', 'c', 'a'].map(upper)).toEqual(['A', 'B', 'C', 'C', 'A']);
  expect(words).toEqual(['a', 'b', 'c', 'a']);
});

it('does not keep the text that a word, or what was made of it, is a part of', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const withoutScheme = remembering({ most: 10_000, longest: 64 }, (word) => word.slice('https://'.length));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 2_000; number += 1) {
    const text = Buffer.from(`${'x'.repeat(10_000)} https://example.org/${number}`).toString();
    expect(withoutScheme(text.slice(10_001))).toBe(`example.org/${number}`);
  }
  collectGarbage();
  const grownBytes = process.memoryUsage().heapUsed - before;
  expect(withoutScheme('https://example.org/0')).toBe('example.org/0');
  // The texts are 20 MB.
  expect(grownBytes).toBeLessThan(5_000_000);
});
