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
  list(options: AuditQuery): Promise<AuditEntry[]>;
  /** All of them, oldest first. */
  entries(): AsyncIterable<AuditEntry>;
}

export interface AuditQuery {
  readonly before?: number | undefined;
  readonly limit: number;
  /** A part of what the actor is called. */
  readonly actor?: string | undefined;
  /** An action, or what a group of them begins with: `key` is of `key.create` and `key.revoke`. */
  readonly action?: string | undefined;
}

export const MOST_ENTRIES = 100_000;
const FIRST_PREVIOUS = '';
const PAGE = 1000;
const COLUMNS = 'sequence, at, actor, action, subject, details, previous, hash';

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

    list: ({ before, limit, actor = '', action = '' }) =>
      database.read<AuditEntry>(
        `select ${COLUMNS} from parapet.audit
         where sequence < $1 and (cast($3 as text) = '' or replace(actor, $3, '') <> actor)
           and (cast($4 as text) = '' or action = $4 or substr(action, 1, length($4) + 1) = $4 || '.')
         order by sequence desc limit $2`,
        [before ?? Number.MAX_SAFE_INTEGER, limit, actor, action],
      ),

    async *entries() {
      for (let after = 0; ;) {
        const page = await database.read<AuditEntry>(
          `select ${COLUMNS} from parapet.audit where sequence > $1 order by sequence limit ${PAGE}`,
          [after],
        );
        yield* page;
        if (page.length < PAGE) return;
        after = page.at(-1)?.sequence ?? after;
      }
    },
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

/** @returns whether an entry is as it was written, and follows the one before it, if any */
export function isWhole(entry: AuditEntry, before: AuditEntry | undefined): boolean {
  const follows = before === undefined || (entry.previous === before.hash && entry.sequence === before.sequence + 1);
  return follows && entry.hash === hashOf(entry);
}
