/** Promises of --perspective-column: which probabilities of ours stand for Perspective's thresholds, and how well. */
import { describe, expect, it } from 'vitest';
import { resultsSchema } from '../../../../benchmarks/accuracy/results.js';
import { jsonOf, run } from './command-run.js';
import { createScratchFolder } from './scratch-folder.js';

async function perspectiveOf(rows: readonly string[], ...more: readonly string[]) {
  const folder = createScratchFolder();
  const input = folder.file('a.csv', ['text,api', ...rows, ''].join('\n'));
  const json = folder.path('r.json');
  const flags = ['--input', input, '--text-column', 'text', '--perspective-column', 'api', '--json', json, ...more];
  const { status, stdout, stderr } = await run(flags);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [figures] = resultsSchema.parse(jsonOf(json)).perspective;
  return { figures, stdout };
}

describe('thresholds for those of Perspective', () => {
  it('flag as many, and agree best, by what is at or above them', async () => {
    // Perspective flags three at 0.5; ours agrees on the two highest, and has a harmless one between.
    const rows = ['0.95,0.9', '0.9,0.6', '0.7,0.2', '0.4,0.55', '0.1,0.1'];
    const { figures, stdout } = await perspectiveOf(rows, '--bootstrap', '0');
    expect(figures).toMatchObject({ label: 'toxicity', column: 'api', rows: 5 });
    expect(
      figures?.thresholds.map(({ threshold, flagged, asMany, agreesBest }) => [
        threshold,
        flagged,
        asMany.probability?.value,
        agreesBest.probability?.value,
      ]),
    ).toEqual([
      [0.5, 3, 0.7, 0.4],
      [0.6, 2, 0.9, 0.9],
      [0.7, 1, 0.95, 0.95],
      [0.8, 1, 0.95, 0.95],
      [0.9, 1, 0.95, 0.95],
    ]);
    expect(stdout).toContain('Thresholds of Perspective and of details.labels.toxicity');
  });

  it('leave out rows without a score, and are none where Perspective flags none', async () => {
    const { figures, stdout } = await perspectiveOf(['0.9,0.8', '0.8,', '0.1,0.2']);
    expect(figures?.rows).toBe(2);
    expect(figures?.thresholds.at(-1)).toMatchObject({ flagged: 0, asMany: { probability: null } });
    expect(stdout).toMatch(/>= 0\.9 +0 +n\/a +n\/a/);
  });

  it('come with intervals, and with the agreement on rows that had no part in fitting', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => `${row / 200},${row / 200}`);
    const { figures } = await perspectiveOf(rows);
    for (const { threshold, flagged, asMany, agreesBest } of figures?.thresholds ?? []) {
      expect(flagged).toBe(200 - 200 * threshold);
      for (const { probability, heldOut } of [asMany, agreesBest]) {
        expect(probability?.value).toBe(threshold);
        const [low, high] = probability?.interval ?? [NaN, NaN];
        expect(low).toBeLessThanOrEqual(threshold);
        expect(high).toBeGreaterThanOrEqual(threshold);
        expect(heldOut.f1).toBeGreaterThan(0.95);
      }
    }
  });
});
