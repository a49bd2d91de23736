/** The promise that what is remembered of a text does not keep the text. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { copyOf } from '../../../src/inference/string-copy.js';

it('a copy of a word does not keep the text that it came from', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const remembered: string[] = [];
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 2_000; number += 1) {
    const text = Buffer.from(`${'x'.repeat(10_000)} https://example.org/${number}`).toString();
    const word = text.slice(10_001);
    remembered.push(copyOf(word));
    expect(remembered[number]).toBe(word);
  }
  collectGarbage();
  const grownBytes = process.memoryUsage().heapUsed - before;
  expect(remembered).toHaveLength(2_000);
  // The texts are 20 MB.
  expect(grownBytes).toBeLessThan(5_000_000);
});
