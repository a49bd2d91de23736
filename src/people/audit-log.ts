/**
 * Who did what, in a chain: each entry holds the hash of the one before it. Holds no text that was judged and no key. Only the oldest entries go, from
 * the end of the chain, so that what is left can be checked.
 */
import { createHash } from 'node:crypto';
import type { Actor } from './roles.js';
import type { Ask, SqlDatabase } from '../storage/sql/sql-database.js';

export interface AuditEntry {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Id and name of who did it, as they were then. */
  readonly actor: string;
  /** As `key.create`. */
  readonly action: string;
  /** Id of what it was done to. */
  readonly subject: string;
  /** JSON: what else is to be known, without a secret or a text. */
  readonly details: string;
  readonly previous: string;
  readonly hash: string;
}

export interface AuditEvent {
  readonly actor: Pick<Actor, 'id' | 'name'>;
  readonly action: string;
  readonly subject?: string | undefined;
  readonly details?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

export interface AuditLog {
  /** @throws OperatorError where it cannot be written */
  append(event: AuditEvent): Promise<void>;
  /** Newest first, those before the entry that is named. */
  list(options: { readonly before?: number | undefined; readonly limit: number }): Promise<AuditEntry[]>;
}

export const MOST_ENTRIES = 100_000;
const FIRST_PREVIOUS = '';

export function createAuditLog(database: SqlDatabase, now: () => Date = () => new Date()): AuditLog {
  return {
    append: ({ actor, action, subject = '', details = {} }) =>
      database.change(async (ask) => {
        const last = await lastOf(ask);
        const entry = {
          sequence: (last?.sequence ?? 0) + 1,
          at: now().getTime(),
          actor: actor.id === actor.name ? actor.id : `${actor.id} ${actor.name}`,
          action,
          subject,
          details: JSON.stringify(details),
          previous: last?.hash ?? FIRST_PREVIOUS,
        };
        await ask(
          `insert into parapet.audit (sequence, at, actor, action, subject, details, previous, hash)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [...Object.values(entry), hashOf(entry)],
        );
        await ask('delete from parapet.audit where sequence <= $1', [entry.sequence - MOST_ENTRIES]);
      }, 'audit'),

    list: ({ before, limit }) =>
      database.read<AuditEntry>(
        `select sequence, at, actor, action, subject, details, previous, hash from parapet.audit
         where sequence < $1 order by sequence desc limit $2`,
        [before ?? Number.MAX_SAFE_INTEGER, limit],
      ),
  };
}

async function lastOf(ask: Ask): Promise<AuditEntry | undefined> {
  const [last] = await ask<AuditEntry>(
    'select sequence, hash from parapet.audit where sequence = (select max(sequence) from parapet.audit)',
  );
  return last;
}

/** SHA-256 in hexadecimal, of the members in this order as a JSON array. */
export function hashOf({ sequence, at, actor, action, subject, details, previous }: Omit<AuditEntry, 'hash'>): string {
  const content = JSON.stringify([previous, sequence, at, actor, action, subject, details]);
  return createHash('sha256').update(content).digest('hex');
}

/** @param entries oldest first @returns the first one that is not as it was written, or does not follow the one before it */
export function firstBroken(entries: Iterable<AuditEntry>): AuditEntry | undefined {
  let before: AuditEntry | undefined;
  for (const entry of entries) {
    const follows = before === undefined || (entry.previous === before.hash && entry.sequence === before.sequence + 1);
    if (!follows || entry.hash !== hashOf(entry)) return entry;
    before = entry;
  }
  return undefined;
}
