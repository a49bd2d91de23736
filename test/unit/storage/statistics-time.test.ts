/** What the overview of 90 days costs at its most, and what a verdict pays to be counted. */
import { describe, expect, it } from 'vitest';
import { overviewOf } from '../../../src/dashboard/routes/overview/overview.js';
import { overviewQuery } from '../../../src/dashboard/routes/overview/overview-schemas.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { countVerdict, MOST_IN_FULL, type Counts } from '../../../src/storage/statistics/counts.js';
import { DAY_MS } from '../../../src/durations.js';
import { startOf } from '../../../src/storage/statistics/spans.js';
import { FAILED_VERDICT, freshKeyFile } from './store-folder.js';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

/** In milliseconds. */
async function fastestOf(times: number, work: () => unknown): Promise<number> {
  const taken: number[] = [];
  for (let each = 0; each < times; each += 1) {
    const begunAt = performance.now();
    await work();
    taken.push(performance.now() - begunAt);
  }
  return Math.min(...taken);
}

describe('statistics', () => {
  it('of 90 days, each with as much as is told apart, are shown in less than 50 ms, also filtered', async () => {
    const store = openFileStore(freshKeyFile());
    const now = new Date();
    const cells = Array.from(
      { length: MOST_IN_FULL },
      (_, id) => `(${id}, 'key_${id % 11}', '/v1/analyze', '${LANGUAGES[id % 7]}', ${id % 11}, ',toxic,')`,
    );
    await store.sql.change(async (ask) => {
      await ask(
        `insert into parapet.statistics_cell (id, key_id, door, language, score, categories) values ${cells.join(', ')}`,
      );
      for (let day = 0; day < 180; day += 1) {
        const start = startOf(now.getTime(), DAY_MS) - day * DAY_MS;
        const counts = ['passed', 'failed', 'within_10'].flatMap((outcome) =>
          cells
            .map((_, id) => `(${DAY_MS}, ${start}, '${outcome}', ${id}, 7)`)
            .slice(0, outcome === 'failed' ? 250 : 75),
        );
        await ask(
          `insert into parapet.statistics_count (span, start, outcome, cell, total) values ${counts.join(', ')}`,
        );
      }
    });
    for (const query of [{}, { language: 'de' }, { band: 'Toxic', key: 'key_1', category: 'toxic' }]) {
      const asked = overviewQuery.parse({ period: '90d', ...query });
      expect(await fastestOf(5, () => overviewOf(store.sql.read, asked, [], now))).toBeLessThan(50);
    }
    await store.close();
  });

  it('cost a verdict less than 5 µs', async () => {
    const counts: Counts = new Map();
    const verdicts = 20_000;
    const takenMs = await fastestOf(5, () => {
      for (let each = 0; each < verdicts; each += 1) countVerdict(counts, FAILED_VERDICT);
    });
    expect((takenMs / verdicts) * 1000).toBeLessThan(5);
  });
});
