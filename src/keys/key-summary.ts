/** What may be shown of a key, by command or page. A hash never leaves through here. */
import { keyStateAt, type Key, type KeyEnvironment, type KeyState } from './key-record.js';

/** Also the members of the JSON output, in order. */
export interface KeySummary {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly environment: KeyEnvironment;
  readonly start: string;
  readonly state: KeyState;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly rateLimitPerMinute: number | null;
  readonly replacedBy: string | null;
}

/** Member by member, not "all but the hash": what a newer version adds to a record may be secret too. */
export function summaryOf(record: Key, now: Date): KeySummary {
  return {
    id: record.id,
    project: record.project,
    name: record.name,
    environment: record.environment,
    start: record.start,
    state: keyStateAt(record, now),
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
    revokedAt: record.revokedAt,
    lastUsedAt: record.lastUsedAt,
    rateLimitPerMinute: record.rateLimitPerMinute ?? null,
    replacedBy: record.replacedBy ?? null,
  };
}
