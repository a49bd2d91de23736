/** Links with which somebody sets a password once: for a new account, or for one whose password is lost. Only hashes of their tokens are kept. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AdminPasswordHash } from '../admin-password.js';
import { StoreRefusal, valid } from '../errors.js';
import type { SqlDatabase } from '../storage/sql/sql-database.js';
import { changeAccount, insertAccount, newAccountSchema, type Account } from './accounts.js';
import type { Role } from './roles.js';
import { createSecret, hashOfSecret } from './secrets.js';
import { DAY_MS } from '../durations.js';

export const INVITATION_DAYS = 7;
export const MOST_INVITATION_DAYS = 30;
/** Beyond it one has to withdraw some. */
const MOST_INVITATIONS = 500;
const ID_BYTES = 9;

const requestSchema = newAccountSchema.extend({
  days: z.number().gt(0).max(MOST_INVITATION_DAYS, `must be at most ${MOST_INVITATION_DAYS}`).default(INVITATION_DAYS),
});

export interface Invitation {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whose password it sets; null where it makes an account. */
  readonly accountId: string | null;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number;
}

export interface NewInvitation {
  /** For the link, and nowhere else. */
  readonly token: string;
  readonly invitation: Invitation;
}

/** Each method throws an OperatorError where the database does not answer. */
export interface Invitations {
  /** Those that are neither used nor withdrawn, expired ones for a while, the newest first. */
  list(): Promise<Invitation[]>;
  /** @throws StoreRefusal where there is such an account, or the name is none */
  create(request: { name: string; role: Role; days?: number }, by: string): Promise<NewInvitation>;
  /** Other invitations of the account are worth nothing then. @throws StoreRefusal where there is no such account, or it is disabled */
  resetPassword(accountId: string, by: string): Promise<NewInvitation>;
  /** @throws StoreRefusal where there is no such invitation */
  withdraw(id: string): Promise<void>;
  /** @throws StoreRefusal where it cannot be used (any more) */
  open(token: string): Promise<Invitation>;
  /** Uses it up. @throws StoreRefusal as `open` does, or where there is such an account by now */
  accept(token: string, passwordHash: AdminPasswordHash): Promise<Account>;
}

const COLUMNS = 'id, name, role, account_id, created_at, created_by, expires_at';

export function createInvitations(database: SqlDatabase, now: () => Date = () => new Date()): Invitations {
  async function insert(
    { name, role, accountId }: Pick<Invitation, 'name' | 'role' | 'accountId'>,
    days: number,
    by: string,
  ): Promise<NewInvitation> {
    const { secret: token, hash } = createSecret('invitation');
    const id = `inv_${randomBytes(ID_BYTES).toString('base64url')}`;
    const at = now().getTime();
    const [invitation] = await database.change(async (ask) => {
      // The latest link for somebody is the one that counts.
      await ask('delete from parapet.invitation where expires_at <= $1 or name = $2', [at - 30 * DAY_MS, name]);
      const [present] = await ask<{ count: number }>('select count(*) as count from parapet.invitation');
      if ((present?.count ?? 0) >= MOST_INVITATIONS) {
        throw new StoreRefusal('conflict', `There are ${MOST_INVITATIONS} invitations. Withdraw some first.`);
      }
      return ask<Invitation>(
        `insert into parapet.invitation (id, token_hash, name, role, account_id, created_at, created_by, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
        [id, hash, name, role, accountId, at, by, at + days * DAY_MS],
      );
    });
    if (invitation === undefined) throw new Error('nothing was inserted');
    return { token, invitation };
  }

  return {
    list: () => database.read(`select ${COLUMNS} from parapet.invitation order by created_at desc, id`),

    async create(request, by) {
      const { name, role, days } = valid(requestSchema, request);
      const taken = await database.read('select id from parapet.account where name = $1', [name]);
      if (taken.length > 0) throw new StoreRefusal('conflict', 'There is an account of this name already.');
      return insert({ name, role, accountId: null }, days, by);
    },

    async resetPassword(accountId, by) {
      const [account] = await database.read<{ name: string; role: Role; disabledAt: number | null }>(
        'select name, role, disabled_at from parapet.account where id = $1',
        [accountId],
      );
      if (account === undefined) throw new StoreRefusal('unknown', 'There is no such account.');
      if (account.disabledAt !== null) throw new StoreRefusal('conflict', 'The account is disabled. Enable it first.');
      return insert({ name: account.name, role: account.role, accountId }, 1, by);
    },

    async withdraw(id) {
      const withdrawn = await database.change((ask) =>
        ask('delete from parapet.invitation where id = $1 returning id', [id]),
      );
      if (withdrawn.length === 0) throw new StoreRefusal('unknown', 'There is no such invitation.');
    },

    async open(token) {
      const hash = hashOfSecret('invitation', token);
      if (hash === undefined) throw notUsable();
      const [invitation] = await database.read<Invitation>(
        `select ${COLUMNS} from parapet.invitation where token_hash = $1 and expires_at > $2`,
        [hash, now().getTime()],
      );
      if (invitation === undefined) throw notUsable();
      return invitation;
    },

    accept: (token, passwordHash) =>
      database.change(async (ask) => {
        const at = now();
        const [invitation] = await ask<Invitation>(
          `delete from parapet.invitation where token_hash = $1 and expires_at > $2 returning ${COLUMNS}`,
          [hashOfSecret('invitation', token) ?? '', at.getTime()],
        );
        if (invitation === undefined) throw notUsable();
        const { name, role, accountId, createdBy } = invitation;
        return accountId === null
          ? insertAccount(ask, { name, role, passwordHash }, createdBy, at)
          : changeAccount(ask, accountId, { passwordHash }, at);
      }),
  };
}

/** Of its link. Behind the `#`, which browsers send to no server. */
export function invitationPath(token: string): string {
  return `/dashboard#invitation=${token}`;
}

function notUsable(): StoreRefusal {
  return new StoreRefusal('conflict', 'This invitation was used or withdrawn, or has expired. Ask for another.');
}
