/** Uses of keys and statistics: written now and then, added up over servers, and never lost to a clock that was wrong. */
import { describe, expect, it } from 'vitest';
import { overviewOf } from '../../../src/dashboard/routes/overview.js';
import type { StatisticsRepository } from '../../../src/storage/store.js';
import { DAY_MS, REQUEST, standingClock, verifierOf } from '../../unit/storage/store-folder.js';
import { setUp, type StoreEngine } from './store-engine.js';

const ANSWER = { keyId: 'key_a', flagged: true, cached: false, latencyMs: 7 };

export function describeCounts(engine: StoreEngine): void {
  describe('time of last use', () => {
    it('is written by a flush and not by a request', async () => {
      const { keys, usage, verifier, clock } = await setUp(engine);
      const { key } = await keys.create(REQUEST);
      clock.advance(5000);
      await verifier.verify(key);
      expect((await keys.list())[0]?.lastUsedAt).toBeNull();
      await usage.flush();
      expect((await keys.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:05.000Z');
    });

    it('does not count refused requests', async () => {
      const { keys, usage, verifier } = await setUp(engine);
      const { key, record } = await keys.create(REQUEST);
      await keys.revoke(record.id);
      await verifier.verify(key);
      await usage.flush();
      expect((await keys.list())[0]?.lastUsedAt).toBeNull();
    });

    it('changes nothing else: a key that was revoked since stays so', async () => {
      const { keys, usage, verifier } = await setUp(engine);
      const { key, record } = await keys.create(REQUEST);
      await verifier.verify(key);
      const after = await keys.revoke(record.id);
      await usage.flush();
      expect(await keys.list()).toEqual([{ ...after, lastUsedAt: '2030-01-01T00:00:00.000Z' }]);
    });

    it('only moves forward, whichever server flushes last', async () => {
      const { keys, usage, verifier, clock, open } = await setUp(engine);
      const { key } = await keys.create(REQUEST);
      const other = await open({ now: clock.now });
      await verifier.verify(key);
      clock.advance(1000);
      await verifierOf(other, clock.now).verify(key);
      await other.usage.flush();
      await usage.flush();
      expect((await keys.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:01.000Z');
    });

    it('is not left in the future by a clock that was ahead', async () => {
      const { keys, usage, verifier, clock } = await setUp(engine);
      const { key, record } = await keys.create(REQUEST);
      clock.advance(70 * DAY_MS);
      await verifier.verify(key);
      await usage.flush();
      clock.advance(-70 * DAY_MS);
      expect((await keys.list())[0]?.lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
      const other = await keys.create(REQUEST);
      await verifier.verify(other.key);
      await usage.flush();
      clock.advance(1000);
      // The time that was to come has been written as the time of the flush.
      expect((await keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual(
        Array(2).fill('2030-01-01T00:00:00.000Z'),
      );
      expect((await keys.revoke(record.id)).lastUsedAt).toBe('2030-01-01T00:00:00.000Z');
    });
  });

  describe('statistics', () => {
    it('survive a restart, and count at once what is not written yet', async () => {
      const { server, requests } = await setUpStatistics();
      const statistics = await server();
      statistics.note(ANSWER);
      expect([await requests(statistics), await requests()]).toEqual([1, 0]);
      await statistics.flush();
      statistics.note(ANSWER);
      expect([await requests(statistics), await requests()]).toEqual([2, 1]);
    });

    it('of several servers add up', async () => {
      const { server, requests } = await setUpStatistics();
      const servers = await Promise.all(Array.from({ length: 5 }, server));
      for (const each of servers) each.note(ANSWER);
      await Promise.all(servers.map((each) => each.flush()));
      expect(await requests()).toBe(5);
    });

    it('are not erased by a clock that jumps ahead, and what it counted is counted with the hour of its return', async () => {
      const { server, clock, requests } = await setUpStatistics();
      const statistics = await server();
      statistics.note(ANSWER);
      await statistics.flush();
      clock.advance(70 * DAY_MS);
      statistics.note(ANSWER);
      await statistics.flush();
      clock.advance(-70 * DAY_MS);
      expect(await requests()).toBe(2);
      statistics.note(ANSWER);
      await statistics.flush();
      expect(await requests()).toBe(3);
      expect(Object.keys((await (await server()).current()).days)).toEqual(['2030-01-01T00:00:00.000Z']);
    });

    it('and uses that were not written yet are written when the store is closed', async () => {
      const { keys, clock, open } = await setUp(engine);
      const { record } = await keys.create(REQUEST);
      const closing = await open({ now: clock.now });
      closing.usage.note(record.id, clock.now());
      closing.statistics.note({ ...ANSWER, keyId: record.id });
      await closing.close();
      expect(await keys.list()).toMatchObject([{ lastUsedAt: clock.now().toISOString() }]);
      const { statistics } = await open({ now: clock.now });
      expect(Object.values((await statistics.current()).days)).toMatchObject([{ [record.id]: { requests: 1 } }]);
    });
  });

  async function setUpStatistics() {
    const open = await engine.fresh();
    const clock = standingClock('2030-01-01T12:30:00.000Z');
    const server = async () => (await open({ now: clock.now })).statistics;
    const requests = async (statistics?: StatisticsRepository) =>
      overviewOf(await (statistics ?? (await server())).current(), [], '24h', clock.now()).total.requests;
    return { clock, server, requests };
  }
}
