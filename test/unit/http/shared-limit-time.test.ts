/** What a request pays for its limit: a promise about time, on a real Redis and PostgreSQL of this machine. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../../src/http/auth/rate-limit.js';
import { openSharing } from '../../../src/sharing/sharing.js';
import { hasPostgres, startPostgres } from '../../support/servers/postgres.js';
import { hasValkey, startValkey } from '../../support/servers/valkey.js';

const NEVER_OVER = 100_000_000;
const NONE = { valkeyUrl: undefined, databaseUrl: undefined, sharedCache: false };

async function createLimiter(place: Partial<Record<'valkeyUrl' | 'databaseUrl', string>>): Promise<RateLimiter> {
  const sharing = await openSharing({ ...NONE, ...place, onProblem: () => undefined });
  onTestFinished(() => sharing.close());
  sharing.connect();
  return createRateLimiter(sharing.createCounter('key'));
}

/** Of questions one after another, so many at a time. */
async function timesOf(limiter: RateLimiter, count: number, atATime: number): Promise<number[]> {
  const times: number[] = [];
  const ask = async (caller: number): Promise<void> => {
    for (let question = 0; question < count; question += 1) {
      const begun = performance.now();
      await limiter.take(`key_${caller}`, NEVER_OVER);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atATime }, (_, caller) => ask(caller)));
  return times;
}

describe.skipIf(!hasValkey || !hasPostgres)('the limit of a request', () => {
  it.each([1, 16])(
    'costs next to nothing in memory, and a round trip in Redis or PostgreSQL, with %d at a time',
    async (atATime) => {
      const valkey = await startValkey();
      onTestFinished(() => valkey.kill());
      const postgres = await startPostgres();
      onTestFinished(() => postgres.close());
      const kinds = {
        memory: await createLimiter({}),
        redis: await createLimiter({ valkeyUrl: valkey.url }),
        postgres: await createLimiter({ databaseUrl: await postgres.freshDatabase() }),
      };
      const times = { memory: [] as number[], redis: [] as number[], postgres: [] as number[] };
      // In turn: whatever else the machine does meets all of them.
      for (let round = 0; round < 40; round += 1) {
        for (const kind of ['memory', 'redis', 'postgres'] as const) {
          const some = await timesOf(kinds[kind], 50, atATime);
          if (round >= 5) times[kind].push(...some);
        }
      }
      const at = (share: number) =>
        Object.entries(times).map(([kind, all]) => {
          const sorted = all.sort((one, other) => one - other);
          return [kind, Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3))] as const;
        });
      console.log(`${atATime} at a time, ms`, { p50: Object.fromEntries(at(0.5)), p99: Object.fromEntries(at(0.99)) });
      const { memory = 1, redis = 1, postgres: database = 1 } = Object.fromEntries(at(0.5));
      expect(memory).toBeLessThan(0.1);
      expect(redis).toBeLessThan(atATime === 1 ? 1 : 4);
      expect(database).toBeLessThan(atATime === 1 ? 2 : 16);
    },
  );
});
