/** Promises of the measurement of cores that work at once: it ends with all of them. */
import { expect, it } from 'vitest';
import { countsUpTo } from '../../../../benchmarks/capacity/crowding.js';

it.each([
  [1, [1]],
  [2, [1, 2]],
  [6, [1, 2, 4, 6]],
  [16, [1, 2, 4, 8, 16]],
])('of %i cores runs as many at once as powers of two allow, and all', (cores, counts) => {
  expect(countsUpTo(cores)).toEqual(counts);
});
