/** Makes keys, and puts one in place of another. Pure but for the randomness of the key. */
import { createKeySecret, randomBase62 } from './key-format.js';
import { keyStateAt, type KeyRecord, type KeyRequest } from './key-record.js';
import { StoreRefusal } from '../errors.js';

export interface NewKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export function newKey(projectId: string, request: Omit<KeyRequest, 'project'>, now: Date): NewKey {
  const { key, hash, start } = createKeySecret(request.environment);
  const record: KeyRecord = {
    id: `key_${randomBase62(16)}`,
    projectId,
    name: request.name,
    environment: request.environment,
    start,
    hash,
    createdAt: now.toISOString(),
    expiresAt: request.expiresInMs === null ? null : new Date(now.getTime() + request.expiresInMs).toISOString(),
    revokedAt: null,
    rateLimitPerMinute: request.rateLimitPerMinute,
  };
  return { key, record };
}

/** @throws StoreRefusal where the old key is not active, or was rotated before */
export function successorOf(old: KeyRecord, overlapMs: number, now: Date): NewKey & { readonly previous: KeyRecord } {
  refuseUnlessRotatable(old, now);
  const { name, environment, rateLimitPerMinute = null, createdAt, expiresAt } = old;
  // The same time to live: a key that was meant to expire must not become eternal by rotation.
  const expiresInMs = expiresAt === null ? null : Date.parse(expiresAt) - Date.parse(createdAt);
  const created = newKey(old.projectId, { name, environment, rateLimitPerMinute, expiresInMs }, now);
  return { ...created, previous: { ...old, ...endOf(old, overlapMs, now), replacedBy: created.record.id } };
}

function refuseUnlessRotatable(record: KeyRecord, now: Date): void {
  if (record.replacedBy !== undefined) {
    // A second successor would inherit the overlap as its lifetime, and nobody would know which of the two is in use.
    throw new StoreRefusal(
      'conflict',
      `The key ${record.id} was rotated before. Its successor is ${record.replacedBy}.`,
    );
  }
  const state = keyStateAt(record, now);
  if (state !== 'active')
    throw new StoreRefusal('conflict', `The key ${record.id} is ${state}. Create a new one instead.`);
}

/** The overlap never prolongs a key that expires earlier by itself. */
function endOf(old: KeyRecord, overlapMs: number, now: Date): Partial<Pick<KeyRecord, 'revokedAt' | 'expiresAt'>> {
  if (overlapMs === 0) return { revokedAt: now.toISOString() };
  const ownEnd = old.expiresAt === null ? Infinity : Date.parse(old.expiresAt);
  return { expiresAt: new Date(Math.min(ownEnd, now.getTime() + overlapMs)).toISOString() };
}
