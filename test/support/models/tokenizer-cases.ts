/** Texts with the ids that Python's tokenizers give them, made by models/training/parapet_training/tokenizer_cases.py, and what every tokenizer keeps to. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { z } from 'zod';
import type { TokenizedPiece } from '../../../src/inference/sequences.js';

const caseSchema = z.object({ text: z.string(), ids: z.array(z.int()) });

/** @param file beside the tests of the contract; U+2028 and U+0085 are letters of a text in it, not ends of lines */
export function tokenizerCases(file: string): z.output<typeof caseSchema>[] {
  return gunzipSync(readFileSync(new URL(`../../contract/${file}`, import.meta.url)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => caseSchema.parse(JSON.parse(line)));
}

/** In the order of the text and within it. A character may be of several pieces where `mayOverlap` says so. */
export function expectWellFormed(
  text: string,
  pieces: readonly TokenizedPiece[],
  mostIds: number,
  mayOverlap = false,
): void {
  let least = 0;
  for (const { start, end, ids } of pieces) {
    expect(start).toBeGreaterThanOrEqual(least);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(text.length);
    expect(ids.length).toBeGreaterThanOrEqual(1);
    expect(ids.length).toBeLessThanOrEqual(mostIds);
    least = mayOverlap ? start : end;
  }
}
