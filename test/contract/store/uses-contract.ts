/** Uses of keys: written now and then, and never lost to a clock that was wrong. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, REQUEST, verifierOf } from '../../unit/storage/store-folder.js';
import { setUp, type StoreEngine } from './store-engine.js';

export function describeUses(engine: StoreEngine): void {
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
}
