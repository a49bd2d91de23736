/** Signed-in sessions of this process, in memory: a restart ends them all. Keeps only hashes of their ids. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 3_600_000;
/** One operator has a few. Beyond this the one that was idle for longest ends. */
const MOST_SESSIONS = 50;

export interface Session {
  /** For the header X-CSRF-Token: follows from the id, which other sites cannot read. */
  readonly csrfToken: string;
  readonly expiresAt: Date;
}

export interface StartedSession extends Session {
  /** For the cookie, and nowhere else. */
  readonly id: string;
}

export interface Sessions {
  start(): StartedSession;
  /** Counts as use. @returns undefined for an unknown, expired or ended session */
  use(id: string): Session | undefined;
  end(id: string): void;
}

interface Record {
  readonly startedAtMs: number;
  usedAtMs: number;
}

export function createSessions(now: () => Date = () => new Date()): Sessions {
  // In the order of last use, the oldest first.
  const records = new Map<string, Record>();

  function isOver({ startedAtMs, usedAtMs }: Record): boolean {
    const at = now().getTime();
    return at - usedAtMs >= IDLE_MS || at - startedAtMs >= ABSOLUTE_MS;
  }

  return {
    start() {
      for (const [key, record] of records) if (isOver(record)) records.delete(key);
      const [oldest] = records.keys();
      if (records.size >= MOST_SESSIONS && oldest !== undefined) records.delete(oldest);
      const id = randomBytes(32).toString('base64url');
      const startedAtMs = now().getTime();
      records.set(hashOf(id), { startedAtMs, usedAtMs: startedAtMs });
      return { id, ...sessionOf(id, startedAtMs) };
    },

    use(id) {
      const key = hashOf(id);
      const record = records.get(key);
      if (record === undefined) return undefined;
      records.delete(key);
      if (isOver(record)) return undefined;
      record.usedAtMs = now().getTime();
      records.set(key, record);
      return sessionOf(id, record.startedAtMs);
    },

    end(id) {
      records.delete(hashOf(id));
    },
  };
}

function sessionOf(id: string, startedAtMs: number): Session {
  return { csrfToken: hashOf(`csrf:${id}`), expiresAt: new Date(startedAtMs + ABSOLUTE_MS) };
}

export function isCsrfToken(presented: string, { csrfToken }: Session): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(csrfToken)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
