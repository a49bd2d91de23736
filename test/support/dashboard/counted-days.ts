/** Two days of which the overview can tell something. */
import type { SqlDatabase } from '../../../src/storage/sql/sql-database.js';
import { HOUR_MS } from '../../../src/durations.js';
import { startOf } from '../../../src/storage/statistics/spans.js';
import { createStatistics } from '../../../src/storage/statistics/statistics.js';

/** How many hours ago. */
export const BAD_HOUR = 5;

/** A hundred texts an hour, of which two fail; in the bad one forty, all of them German, and one is refused. */
export async function countTwoDays(sql: SqlDatabase, keyId: string): Promise<void> {
  const present = startOf(Date.now(), HOUR_MS);
  for (let hoursAgo = 47; hoursAgo >= 0; hoursAgo -= 1) {
    const statistics = createStatistics({
      sql,
      now: () => new Date(present - hoursAgo * HOUR_MS),
      onProblem(problem) {
        throw new Error(problem);
      },
    });
    for (let text = 0; text < 100; text += 1) {
      const failed = text < (hoursAgo === BAD_HOUR ? 40 : 2);
      statistics.note({
        keyId,
        door: '/v1/analyze',
        analysis: {
          verdict: failed
            ? { passed: false, score: 8, categories: ['toxic', 'insult'] }
            : { passed: true, score: 0, categories: [] },
          probabilities: { language: { tag: failed ? 'de' : 'en' } },
          cached: false,
        },
        latencyMs: 8,
      });
    }
    if (hoursAgo === BAD_HOUR) statistics.refuse({ keyId, door: '/v1/analyze', code: 'queue_full' });
    await statistics.flush();
  }
}
