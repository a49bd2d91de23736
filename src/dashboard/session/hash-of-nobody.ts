/** Stands where no password was set: a hash that no password has, the same in every server of the store, whose bytes nobody knows. */
import { randomBytes } from 'node:crypto';
import { PASSWORD_COST, type AdminPasswordHash } from '../../admin-password.js';
import type { SqlDatabase } from '../../storage/sql/sql-database.js';

const NAME = 'sign-in';
const BYTES = 32;

/** @throws OperatorError where the database does not answer */
export async function hashOfNobody(database: SqlDatabase): Promise<AdminPasswordHash> {
  const [row] = await database.change(async (ask) => {
    await ask('insert into parapet.secret (name, value) values ($1, $2) on conflict (name) do nothing', [
      NAME,
      randomBytes(BYTES).toString('base64url'),
    ]);
    return ask<{ value: string }>('select value from parapet.secret where name = $1', [NAME]);
  });
  if (row === undefined) throw new Error('nothing was inserted');
  const secret = Buffer.from(row.value, 'base64url');
  return { ...PASSWORD_COST, salt: secret, hash: secret };
}
