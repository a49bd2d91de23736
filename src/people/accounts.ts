/** Those who sign in beside the owner. Decides nothing about passwords: it keeps their hashes. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { formatAdminPasswordHash, parseAdminPasswordHash, type AdminPasswordHash } from '../admin-password.js';
import { StoreRefusal, valid } from '../errors.js';
import { NotUnique, type Ask, type SqlDatabase } from '../storage/sql/sql-database.js';
import { COMMAND_LINE, OWNER, ROLES, type Role } from './roles.js';

export interface Account {
  readonly id: string;
  /** What it signs in with, often an address of mail. */
  readonly name: string;
  readonly role: Role;
  /** Undefined: it signs in elsewhere. */
  readonly passwordHash: AdminPasswordHash | undefined;
  /** What a provider of sign-ins calls it, with the name of the provider. */
  readonly subject: string | undefined;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly disabledAt: Date | undefined;
}

/** The password of the service, what changes policies without an account, whoever is not known, and tokens. */
const OTHERS = new RegExp(`^(?:${OWNER.name}|${COMMAND_LINE.name}|nobody|dashboard|token:.*)$`, 'v');

export const accountNameSchema = z
  .string('must be a string')
  .trim()
  .toLowerCase()
  .min(1, 'must not be empty')
  .max(200, 'must be at most 200 characters')
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must not contain control characters')
  .refine((name) => !OTHERS.test(name), 'must not be what others than accounts are called in the audit log');

export const newAccountSchema = z.object({
  name: accountNameSchema,
  role: z.enum(ROLES, `must be one of: ${ROLES.join(', ')}`),
});

export interface NewAccount {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash?: AdminPasswordHash | undefined;
  readonly subject?: string | undefined;
}

export interface AccountChange {
  readonly role?: Role | undefined;
  readonly passwordHash?: AdminPasswordHash | undefined;
  readonly subject?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** @throws OperatorError, each method, where the database does not answer */
export interface Accounts {
  /** By name. */
  list(): Promise<Account[]>;
  find(
    by: { readonly id: string } | { readonly name: string } | { readonly subject: string },
  ): Promise<Account | undefined>;
  /** @throws StoreRefusal where the name is taken or is none */
  create(account: NewAccount, by: string): Promise<Account>;
  /** A new password, or being disabled, ends its sessions. @throws StoreRefusal where there is no such account */
  change(id: string, change: AccountChange): Promise<Account>;
}

interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly subject: string | null;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly disabledAt: number | null;
}

const ID_BYTES = 12;

export function createAccounts(database: SqlDatabase, now: () => Date = () => new Date()): Accounts {
  async function find(column: 'id' | 'name' | 'subject', value: string): Promise<Account | undefined> {
    const [row] = await database.read<AccountRow>(`select * from parapet.account where ${column} = $1`, [value]);
    return row && accountOf(row);
  }

  return {
    list: async () => (await database.read<AccountRow>('select * from parapet.account order by name')).map(accountOf),

    find(by) {
      if ('id' in by) return find('id', by.id);
      return 'name' in by ? find('name', by.name.trim().toLowerCase()) : find('subject', by.subject);
    },

    create: (account, by) => database.change((ask) => insertAccount(ask, account, by, now())),
    change: (id, change) => database.change((ask) => changeAccount(ask, id, change, now())),
  };
}

/** As a part of a transaction. @throws as Accounts.create does */
export async function insertAccount(
  ask: Ask,
  { passwordHash, subject, ...account }: NewAccount,
  by: string,
  at: Date,
): Promise<Account> {
  const { name, role } = valid(newAccountSchema, account);
  const id = `acc_${randomBytes(ID_BYTES).toString('base64url')}`;
  try {
    const [row] = await ask<AccountRow>(
      `insert into parapet.account (id, name, role, password_hash, subject, created_at, created_by)
       values ($1, $2, $3, $4, $5, $6, $7) returning *`,
      [id, name, role, hashText(passwordHash), subject ?? null, at.getTime(), by],
    );
    if (row === undefined) throw new Error('nothing was inserted');
    return accountOf(row);
  } catch (error) {
    if (!(error instanceof NotUnique)) throw error;
    throw new StoreRefusal('conflict', 'There is an account of this name, or of this sign-in, already.');
  }
}

/** As a part of a transaction. @throws as Accounts.change does */
export async function changeAccount(
  ask: Ask,
  id: string,
  { role, passwordHash, subject, disabled }: AccountChange,
  at: Date,
): Promise<Account> {
  const [before] = await ask<AccountRow>('select * from parapet.account where id = $1', [id]);
  if (before === undefined) throw new StoreRefusal('unknown', 'There is no such account.');
  const disabledAt = disabled === undefined ? before.disabledAt : disabled ? at.getTime() : null;
  if (passwordHash !== undefined || disabled === true) {
    await ask('delete from parapet.session where account_id = $1', [id]);
    // Links that would set another password.
    await ask('delete from parapet.invitation where account_id = $1', [id]);
  }
  const [row] = await ask<AccountRow>(
    `update parapet.account set role = $2, password_hash = $3, subject = $4, disabled_at = $5 where id = $1 returning *`,
    [
      id,
      role ?? before.role,
      passwordHash === undefined ? before.passwordHash : hashText(passwordHash),
      subject ?? before.subject,
      disabledAt,
    ],
  );
  if (row === undefined) throw new Error('nothing was updated');
  return accountOf(row);
}

function hashText(hash: AdminPasswordHash | undefined): string | null {
  return hash === undefined ? null : formatAdminPasswordHash(hash);
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    passwordHash: row.passwordHash === null ? undefined : parseAdminPasswordHash(row.passwordHash),
    subject: row.subject ?? undefined,
    createdAt: new Date(row.createdAt),
    createdBy: row.createdBy,
    disabledAt: row.disabledAt === null ? undefined : new Date(row.disabledAt),
  };
}
