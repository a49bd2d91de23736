/** Tokens with which scripts use the admin API. Only their hashes are kept. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StoreRefusal, valid } from '../errors.js';
import { NotUnique, type SqlDatabase } from '../storage/sql/sql-database.js';
import { ROLES, type Actor, type Role } from './roles.js';
import { createSecret, hashOfSecret } from './secrets.js';
import { DAY_MS } from '../durations.js';

export const MOST_TOKEN_DAYS = 3650;
/** Ended ones go beyond it, the oldest first. */
const MOST_TOKENS = 500;
const ID_BYTES = 9;
/** A use this soon after the one that is kept is not written. */
const USE_KEPT_EVERY_MS = 60_000;

export interface AdminToken {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The first characters of the token. */
  readonly start: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly usedAt: number | null;
}

const requestSchema = z.object({
  name: z
    .string('must be a string')
    .trim()
    .regex(/^[\w.@-]{1,60}$/, 'must be 1 to 60 letters, digits or any of . _ @ -'),
  role: z.enum(ROLES, `must be one of: ${ROLES.join(', ')}`),
  expiresInDays: z.int().min(1).max(MOST_TOKEN_DAYS).nullable(),
});
export type AdminTokenRequest = z.input<typeof requestSchema>;

/** Each method throws an OperatorError where the database does not answer. */
export interface AdminTokens {
  /** The newest first. */
  list(): Promise<AdminToken[]>;
  /** @returns the token itself: it is kept nowhere. @throws StoreRefusal where one of this name is in use, or the request is wrong */
  create(request: AdminTokenRequest, by: string): Promise<{ readonly token: string; readonly record: AdminToken }>;
  /** @throws StoreRefusal where there is none of this id, or it is revoked already */
  revoke(id: string): Promise<AdminToken>;
  /** Counts as use. @returns undefined for one that is unknown, expired or revoked */
  use(token: string): Promise<Actor | undefined>;
}

const COLUMNS = 'id, name, role, start, created_at, created_by, expires_at, revoked_at, used_at';

export function createAdminTokens(database: SqlDatabase, now: () => Date = () => new Date()): AdminTokens {
  return {
    list: () => database.read(`select ${COLUMNS} from parapet.admin_token order by created_at desc, id`),

    async create(request, by) {
      const { name, role, expiresInDays } = valid(requestSchema, request);
      const { secret: token, hash, start } = createSecret('token');
      const at = now().getTime();
      try {
        const [record] = await database.change(async (ask) => {
          await ask(
            `delete from parapet.admin_token where id in (select id from parapet.admin_token
             where revoked_at is not null or expires_at <= $1 order by created_at desc limit 1000 offset $2)`,
            [at, MOST_TOKENS],
          );
          const [present] = await ask<{ count: number }>(
            'select count(*) as count from parapet.admin_token where revoked_at is null',
          );
          if ((present?.count ?? 0) >= MOST_TOKENS) {
            throw new StoreRefusal('conflict', `There are ${MOST_TOKENS} tokens. Revoke some first.`);
          }
          return ask<AdminToken>(
            `insert into parapet.admin_token (id, name, role, start, hash, created_at, created_by, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
            [
              `tok_${randomBytes(ID_BYTES).toString('base64url')}`,
              name,
              role,
              start,
              hash,
              at,
              by,
              expiresInDays === null ? null : at + expiresInDays * DAY_MS,
            ],
          );
        });
        if (record === undefined) throw new Error('nothing was inserted');
        return { token, record };
      } catch (error) {
        if (!(error instanceof NotUnique)) throw error;
        throw new StoreRefusal('conflict', 'There is a token of this name already. Revoke it, or choose another name.');
      }
    },

    async revoke(id) {
      const [record] = await database.change((ask) =>
        ask<AdminToken>(
          `update parapet.admin_token set revoked_at = $2 where id = $1 and revoked_at is null returning ${COLUMNS}`,
          [id, now().getTime()],
        ),
      );
      if (record !== undefined) return record;
      const [revoked] = await database.read('select id from parapet.admin_token where id = $1', [id]);
      throw revoked === undefined
        ? new StoreRefusal('unknown', 'There is no such token.')
        : new StoreRefusal('conflict', 'The token is revoked already.');
    },

    async use(token) {
      const hash = hashOfSecret('token', token);
      if (hash === undefined) return undefined;
      const at = now().getTime();
      const [found] = await database.read<AdminToken>(
        `select ${COLUMNS} from parapet.admin_token where hash = $1 and revoked_at is null`,
        [hash],
      );
      if (found === undefined || (found.expiresAt !== null && found.expiresAt <= at)) return undefined;
      if (at - (found.usedAt ?? 0) >= USE_KEPT_EVERY_MS) {
        await database.change((ask) =>
          ask('update parapet.admin_token set used_at = $2 where id = $1', [found.id, at]),
        );
      }
      const name = `token:${found.name}`;
      return { id: name, name, role: found.role };
    },
  };
}
