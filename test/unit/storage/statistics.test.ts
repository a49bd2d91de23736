/** Promises of the statistics that need no database: they wait for one that fails, in little memory, and stop nothing. */
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quantileMs } from '../../../src/dashboard/routes/overview/overview.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import type { Ask } from '../../../src/storage/sql/sql-database.js';
import { countVerdict, outcomeAndCell, type Counts } from '../../../src/storage/statistics/counts.js';
import { createStatistics } from '../../../src/storage/statistics/statistics.js';
import { DAY_MS, FAILED_VERDICT, freshKeyFile, standingClock } from './store-folder.js';

describe('statistics', () => {
  it('wait for a database that does not answer, say so once, and are whole when it does', async () => {
    const clock = standingClock();
    const problems: string[] = [];
    const written: { readonly span: unknown; readonly total: unknown }[] = [];
    const ask: Ask = (sql, values = []) => {
      if (sql.startsWith('insert into parapet.statistics_count')) written.push({ span: values[0], total: values[4] });
      return Promise.resolve([]);
    };
    let fails = true;
    const statistics = createStatistics({
      sql: { change: (work) => (fails ? Promise.reject(new Error('away')) : work(ask)) },
      now: clock.now,
      onProblem: (problem) => problems.push(problem),
    });
    for (let hour = 0; hour < 100; hour += 1) {
      statistics.note(FAILED_VERDICT);
      await statistics.flush();
      clock.advance(3_600_000);
    }
    expect(problems).toEqual(['Statistics could not be written: away']);
    fails = false;
    await statistics.flush();
    const days = written.filter(({ span }) => span === DAY_MS);
    expect(days.reduce((sum, { total }) => sum + Number(total), 0)).toBe(200);
    // Each hour has a verdict and its latency; of 100 hours 48 are apart.
    expect(written.filter(({ span }) => span === 3_600_000)).toHaveLength(96);
  });

  it('tell of a verdict its cell and its class of latency', () => {
    const counts: Counts = new Map();
    for (const latencyMs of [1, 5, 6, 2500, 2501]) countVerdict(counts, { ...FAILED_VERDICT, latencyMs });
    expect([...counts].map(([key, total]) => [outcomeAndCell(key), total])).toEqual([
      [
        {
          outcome: 'failed',
          cell: { keyId: 'key_a', door: '/v1/analyze', language: 'de', score: 8, categories: ',insult,toxic,' },
        },
        5,
      ],
      ...['within_5', 'within_10', 'within_2500', 'longer'].map((outcome, index) => [
        { outcome, cell: { keyId: 'key_a', door: '/v1/analyze', language: '', score: -1, categories: '' } },
        index === 0 ? 2 : 1,
      ]),
    ]);
  });

  it('give quantiles of latency that are exact to a class of the histogram', () => {
    const latency = [4, 0, 0, 2, 0, 0, 0, 0, 0, 0];
    expect(quantileMs(latency, 0.5)).toBeLessThanOrEqual(5);
    expect(quantileMs(latency, 0.95)).toBeGreaterThan(25);
    expect(quantileMs(latency, 0.95)).toBeLessThanOrEqual(50);
    expect(quantileMs([], 0.5)).toBeNull();
  });

  it.each(['', '{', '{"version":1}', '[]'])(
    'begin anew where the file of an earlier release holds %j, which is told and stays',
    async (damage) => {
      const keysFile = freshKeyFile();
      const file = keysFile.replace('.json', '.statistics.json');
      writeFileSync(file, damage);
      const problems: string[] = [];
      const store = openFileStore(keysFile, {
        onProblem: (problem) => problems.push(problem),
      });
      store.statistics.note(FAILED_VERDICT);
      await store.close();
      expect(problems).toEqual([expect.stringContaining('it is damaged: remove it')]);
      expect(existsSync(file)).toBe(true);
    },
  );
});
