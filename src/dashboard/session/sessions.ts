/** Who is signed in, in every server of the store. Only hashes of ids are kept, which a new password makes worthless. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdminPasswordHash } from '../../admin-password.js';
import type { SessionRepository } from '../../storage/store.js';

export const ABSOLUTE_MS = 12 * 3_600_000;
/** One operator has a few. */
const LIMITS = { idleMs: 30 * 60_000, absoluteMs: ABSOLUTE_MS, most: 50 } as const;
/** A use this soon after the one that is kept is not written: a page asks several times at once. */
const USE_KEPT_EVERY_MS = 60_000;

export interface Session {
  /** For the header X-CSRF-Token: follows from the id, which other sites cannot read. */
  readonly csrfToken: string;
  readonly expiresAt: Date;
}

export interface StartedSession extends Session {
  /** For the cookie, and nowhere else. */
  readonly id: string;
}

/** @throws OperatorError, each method, where the store does not answer */
export interface Sessions {
  start(): Promise<StartedSession>;
  /** Counts as use. @returns undefined for an unknown, expired or ended session */
  use(id: string): Promise<Session | undefined>;
  end(id: string): Promise<void>;
}

export function createSessions(
  kept: SessionRepository,
  { hash: passwordHash }: AdminPasswordHash,
  now: () => Date = () => new Date(),
): Sessions {
  const keptAs = (id: string): string => createHmac('sha256', passwordHash).update(`session:${id}`).digest('base64url');

  return {
    async start() {
      const id = randomBytes(32).toString('base64url');
      const startedAt = now();
      await kept.start(keptAs(id), startedAt, LIMITS);
      return { id, ...sessionOf(id, startedAt) };
    },

    async use(id) {
      const record = await kept.find(keptAs(id));
      if (record === undefined) return undefined;
      const at = now();
      const idleMs = at.getTime() - record.usedAt.getTime();
      if (idleMs >= LIMITS.idleMs || at.getTime() - record.startedAt.getTime() >= LIMITS.absoluteMs) return undefined;
      if (idleMs >= USE_KEPT_EVERY_MS) await kept.use(keptAs(id), at);
      return sessionOf(id, record.startedAt);
    },

    end: (id) => kept.end(keptAs(id)),
  };
}

function sessionOf(id: string, startedAt: Date): Session {
  const csrfToken = createHash('sha256').update(`csrf:${id}`).digest('base64url');
  return { csrfToken, expiresAt: new Date(startedAt.getTime() + ABSOLUTE_MS) };
}

export function isCsrfToken(presented: string, { csrfToken }: Session): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(csrfToken)];
  return one.length === other.length && timingSafeEqual(one, other);
}
