/** Promises of the progress line: how far, how fast, how long still, and not more often than anyone can read. */
import { describe, expect, it } from 'vitest';
import { createProgress, describeProgress } from '../../../../benchmarks/accuracy/progress.js';

function follow(isTTY: boolean, everyMs: number, rows: number): string[] {
  const written: string[] = [];
  let nowMs = 0;
  const stream = { isTTY, write: (text: string) => written.push(text) };
  const progress = createProgress({ stream, total: rows, now: () => nowMs });
  for (let row = 0; row < rows; row += 1) {
    nowMs += everyMs;
    progress.rowDone();
  }
  progress.end();
  return written;
}

describe('progress', () => {
  it('says how far it is, how fast, and how long it still takes', () => {
    expect(describeProgress(50, 200, 10)).toBe('50 of 200 rows (25%), 5.0 rows/s, 30 s left');
    expect(describeProgress(1000, 100_000, 10)).toBe('1000 of 100000 rows (1%), 100 rows/s, 17 min left');
    expect(describeProgress(10, 100_000, 1)).toBe('10 of 100000 rows (0%), 10 rows/s, 2 h 47 min left');
  });

  it('writes a line every ten seconds where there is no terminal', () => {
    expect(follow(false, 1000, 25)).toEqual([
      '10 of 25 rows (40%), 1.0 rows/s, 15 s left\n',
      '20 of 25 rows (80%), 1.0 rows/s, 5 s left\n',
    ]);
  });

  it('rewrites one line on a terminal and clears it at the end', () => {
    const written = follow(true, 100, 10);
    expect(written).toHaveLength(6);
    expect(written.every((text) => text.startsWith('\r'))).toBe(true);
    expect(written.join('')).not.toContain('\n');
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  it('is silent about short runs', () => {
    expect(follow(false, 1, 500)).toEqual([]);
  });
});
