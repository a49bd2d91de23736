/** The operator's password, and who is signed in. */
import { describe, expect, it } from 'vitest';
import { hashAdminPassword } from '../../../src/admin-password.js';
import { setUp, type StoreEngine } from './store-engine.js';

const LIMITS = { idleMs: 60_000, absoluteMs: 600_000, most: 3 };

export function describeAdmin(engine: StoreEngine): void {
  describe('the password', () => {
    it('is none until it is set, and then the latest in every server', async () => {
      const { adminPassword, open } = await setUp(engine);
      const cost = { log2N: 14, blockSize: 8, parallelism: 1 };
      const hashes = await Promise.all(
        ['first password', 'second password'].map((each) => hashAdminPassword(each, cost)),
      );
      expect(await adminPassword.get()).toBeUndefined();
      const other = await open();
      for (const hash of hashes) {
        await other.adminPassword.set(hash);
        expect(await adminPassword.get()).toEqual(hash);
      }
    });
  });

  describe('a session', () => {
    it('holds in every server until it ends', async () => {
      const { sessions, clock, open } = await setUp(engine);
      const other = await open();
      expect(await sessions.find('one')).toBeUndefined();
      await sessions.start('one', clock.now(), LIMITS);
      const startedAt = clock.now();
      clock.advance(1000);
      await other.sessions.use('one', clock.now());
      expect(await sessions.find('one')).toEqual({ startedAt, usedAt: clock.now() });
      await other.sessions.end('one');
      await sessions.use('one', clock.now());
      expect(await sessions.find('one')).toBeUndefined();
    });

    it('that is over goes when another begins, and beyond the most the one that was idle for longest', async () => {
      const { sessions, clock } = await setUp(engine);
      const present = async () => {
        const all = ['a', 'b', 'c', 'd', 'e'];
        const found = await Promise.all(all.map((each) => sessions.find(each)));
        return all.filter((_, index) => found[index] !== undefined);
      };
      for (const each of ['a', 'b', 'c']) {
        await sessions.start(each, clock.now(), LIMITS);
        clock.advance(1000);
      }
      await sessions.use('a', clock.now());
      await sessions.start('d', clock.now(), LIMITS);
      expect(await present()).toEqual(['a', 'c', 'd']);
      clock.advance(LIMITS.idleMs - 1000);
      await sessions.use('d', clock.now());
      clock.advance(1000);
      await sessions.start('e', clock.now(), LIMITS);
      expect(await present()).toEqual(['d', 'e']);
    });
  });
}
