/** What every engine promises of accounts, invitations, admin tokens and lists of sessions. */
import { describe, expect, it } from 'vitest';
import { createSessions } from '../../../src/dashboard/session/sessions.js';
import { createAccounts } from '../../../src/people/accounts.js';
import { createAdminTokens } from '../../../src/people/admin-tokens.js';
import { createInvitations } from '../../../src/people/invitations.js';
import { OWNER } from '../../../src/people/roles.js';
import { setUp, type StoreEngine } from './store-engine.js';

const HASH = { log2N: 14, blockSize: 8, parallelism: 1, salt: Buffer.alloc(16), hash: Buffer.alloc(32, 1) };
const OTHER_HASH = { ...HASH, hash: Buffer.alloc(32, 2) };
const PLACE = { address: '192.0.2.1', agent: 'test' };
const ANN = { name: ' Ann@Example.com ', role: 'editor' } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function setUpPeople(engine: StoreEngine) {
  const { store, clock } = await setUp(engine);
  return {
    clock,
    accounts: createAccounts(store.sql, clock.now),
    invitations: createInvitations(store.sql, clock.now),
    tokens: createAdminTokens(store.sql, clock.now),
    sessions: createSessions(store.sql, HASH, clock.now),
  };
}

export function describePeople(engine: StoreEngine): void {
  describe('an account', () => {
    it('is found by what it signs in with, however that is written, and there is one of a name', async () => {
      const { accounts } = await setUpPeople(engine);
      const { id, name } = await accounts.create({ ...ANN, passwordHash: HASH }, 'owner');
      expect(name).toBe('ann@example.com');
      expect(await accounts.find({ name: 'ANN@example.com' })).toMatchObject({
        id,
        role: 'editor',
        passwordHash: HASH,
      });
      await expect(accounts.create({ ...ANN, role: 'viewer' }, 'owner')).rejects.toThrow('already');
      for (const reserved of ['owner', 'Owner', 'token:ci', 'nobody', 'command line', 'dashboard', '', 'a\nb']) {
        await expect(accounts.create({ name: reserved, role: 'viewer' }, 'owner')).rejects.toThrow('name must');
      }
    });

    it('has another role from the next request on, and no session once it is disabled or has another password', async () => {
      const { accounts, sessions } = await setUpPeople(engine);
      const { id } = await accounts.create(ANN, 'owner');
      const { id: session } = await sessions.start(id, PLACE);
      await accounts.change(id, { role: 'viewer' });
      expect((await sessions.use(session))?.actor).toEqual({ id, name: 'ann@example.com', role: 'viewer' });
      await accounts.change(id, { disabled: true });
      expect(await sessions.use(session)).toBeUndefined();
      await accounts.change(id, { disabled: false });
      expect(await sessions.use(session)).toBeUndefined();
      const { id: later } = await sessions.start(id, PLACE);
      await accounts.change(id, { passwordHash: OTHER_HASH });
      expect(await sessions.use(later)).toBeUndefined();
    });
  });

  describe('a list of sessions', () => {
    it('has those that hold, of everybody or of one, and each can be ended, of one account its own alone', async () => {
      const { accounts, sessions, clock } = await setUpPeople(engine);
      const { id } = await accounts.create(ANN, 'owner');
      await sessions.start('owner', PLACE);
      clock.advance(HOUR_MS);
      const owners = await sessions.start('owner', PLACE);
      const anns = await sessions.start(id, { address: '192.0.2.2', agent: 'x'.repeat(300) });
      const [listed, ...others] = await sessions.list(id);
      expect(others).toEqual([]);
      expect(listed).toMatchObject({
        account: { id, name: 'ann@example.com' },
        address: '192.0.2.2',
        startedAt: clock.now(),
      });
      expect(listed?.agent).toHaveLength(200);
      expect((await sessions.list()).map(({ account }) => account.id).sort()).toEqual([id, OWNER.id]);
      const [ofOwner] = await sessions.list(OWNER.id);
      expect(await sessions.endListed(ofOwner?.listedAs ?? '', id)).toBe(false);
      expect(await sessions.endListed(listed?.listedAs ?? '', id)).toBe(true);
      expect(await sessions.use(anns.id)).toBeUndefined();
      await sessions.endAllOf(OWNER.id);
      expect(await sessions.use(owners.id)).toBeUndefined();
    });
  });

  describe('an invitation', () => {
    it('makes one account, once', async () => {
      const { invitations, accounts } = await setUpPeople(engine);
      const { token, invitation } = await invitations.create(ANN, 'owner');
      expect(token).toMatch(/^parapet_invite_[0-9A-Za-z]{43}$/);
      expect(await invitations.open(token)).toEqual(invitation);
      const accepting = await Promise.allSettled([
        invitations.accept(token, HASH),
        invitations.accept(token, OTHER_HASH),
      ]);
      expect(accepting.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await accounts.list()).toMatchObject([{ name: 'ann@example.com', role: 'editor', createdBy: 'owner' }]);
      expect(await invitations.list()).toEqual([]);
      await expect(invitations.create(ANN, 'owner')).rejects.toThrow('already');
    });

    it('is worth nothing once it has expired, is withdrawn or followed by another, or is not whole', async () => {
      const { invitations, accounts, clock } = await setUpPeople(engine);
      const unusable = async (token: string) => {
        await expect(invitations.open(token)).rejects.toThrow('was used or withdrawn, or has expired');
        await expect(invitations.accept(token, HASH)).rejects.toThrow('was used or withdrawn, or has expired');
      };
      const { token: followed } = await invitations.create(ANN, 'owner');
      const { token: withdrawn, invitation } = await invitations.create(ANN, 'owner');
      await unusable(followed);
      await unusable(withdrawn.slice(0, -1));
      await invitations.withdraw(invitation.id);
      await unusable(withdrawn);
      await expect(invitations.withdraw(invitation.id)).rejects.toThrow('no such invitation');
      const { token } = await invitations.create(ANN, 'owner');
      clock.advance(7 * DAY_MS - 1);
      await invitations.open(token);
      clock.advance(1);
      await unusable(token);
      expect(await accounts.list()).toEqual([]);
    });

    it('sets the password of an account that is there anew, and ends its sessions', async () => {
      const { invitations, accounts, sessions } = await setUpPeople(engine);
      const { id } = await accounts.create({ ...ANN, passwordHash: HASH }, 'owner');
      const { id: session } = await sessions.start(id, PLACE);
      const { token } = await invitations.resetPassword(id, 'owner');
      expect(await invitations.accept(token, OTHER_HASH)).toMatchObject({
        id,
        passwordHash: OTHER_HASH,
        role: 'editor',
      });
      expect(await sessions.use(session)).toBeUndefined();
      const { token: other } = await invitations.resetPassword(id, 'owner');
      await accounts.change(id, { disabled: true });
      await expect(invitations.accept(other, HASH)).rejects.toThrow('was used or withdrawn');
      await expect(invitations.resetPassword(id, 'owner')).rejects.toThrow('disabled');
    });
  });

  describe('an admin token', () => {
    it('is somebody until it is revoked or has expired, and says when it was last used', async () => {
      const { tokens, clock } = await setUpPeople(engine);
      const { token, record } = await tokens.create({ name: 'ci', role: 'editor', expiresInDays: 30 }, 'owner');
      expect(token.startsWith(record.start)).toBe(true);
      expect(await tokens.use(token)).toEqual({ id: 'token:ci', name: 'token:ci', role: 'editor' });
      expect(await tokens.list()).toEqual([{ ...record, usedAt: clock.now().getTime() }]);
      expect(await tokens.use(`${token.slice(0, -1)}!`)).toBeUndefined();
      await expect(tokens.create({ name: 'ci', role: 'viewer', expiresInDays: null }, 'owner')).rejects.toThrow(
        'already',
      );
      clock.advance(30 * DAY_MS);
      expect(await tokens.use(token)).toBeUndefined();
      await tokens.revoke(record.id);
      const {
        token: other,
        record: { id },
      } = await tokens.create({ name: 'ci', role: 'viewer', expiresInDays: null }, 'owner');
      expect(await tokens.use(other)).toMatchObject({ role: 'viewer' });
      await tokens.revoke(id);
      expect(await tokens.use(other)).toBeUndefined();
      await expect(tokens.revoke(id)).rejects.toThrow('revoked already');
      await expect(tokens.create({ name: 'two words', role: 'viewer', expiresInDays: null }, 'owner')).rejects.toThrow(
        'name must',
      );
    });
  });
}
