/** Who is signed in, in every server of the store. Only hashes of ids are kept, which a new password of the owner makes worthless. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdminPasswordHash } from '../../admin-password.js';
import { OWNER, type Actor, type Role } from '../../people/roles.js';
import type { SqlDatabase } from '../../storage/sql/sql-database.js';

export const ABSOLUTE_MS = 12 * 3_600_000;
const IDLE_MS = 30 * 60_000;
/** Of each person: beyond it the one that was idle for longest ends. */
const MOST_SESSIONS = 20;
/** A use this soon after the one that is kept is not written: a page asks several times at once. */
const USE_KEPT_EVERY_MS = 60_000;
const MOST_AGENT_CHARACTERS = 200;

export interface Session {
  /** For lists: opens nothing. */
  readonly listedAs: string;
  /** For the header X-CSRF-Token: follows from the id, which other sites cannot read. */
  readonly csrfToken: string;
  readonly expiresAt: Date;
  readonly actor: Actor;
  /** Undefined: with a password. */
  readonly way?: SignInWay | undefined;
}

/** Other ways to sign in than by a password. */
export type SignInWay = 'oidc' | 'header';

export interface StartedSession extends Omit<Session, 'actor' | 'listedAs' | 'way'> {
  /** For the cookie, and nowhere else. */
  readonly id: string;
}

/** Where somebody signs in. */
export interface SignInPlace {
  readonly address: string;
  /** What the browser calls itself. */
  readonly agent: string;
  /** Undefined: with a password. */
  readonly way?: SignInWay | undefined;
}

/** @throws OperatorError, each method, where the store does not answer */
export interface Sessions {
  start(accountId: string, place: SignInPlace): Promise<StartedSession>;
  /** Counts as use. @returns undefined for an unknown, expired or ended session, and for one of an account that is disabled or gone */
  use(id: string): Promise<Session | undefined>;
  end(id: string): Promise<void>;
  /** The latest used first. @param accountId undefined: of all */
  list(accountId?: string): Promise<ListedSession[]>;
  /** @param accountId only where it is of this one @returns whether there was one */
  endListed(listedAs: string, accountId?: string): Promise<boolean>;
  endAllOf(accountId: string): Promise<void>;
}

export interface ListedSession extends Omit<SignInPlace, 'way'> {
  readonly listedAs: string;
  readonly account: Actor;
  readonly startedAt: Date;
  readonly usedAt: Date;
}

interface SessionRow {
  readonly accountId: string;
  readonly startedAt: number;
  readonly usedAt: number;
  readonly way: SignInWay | null;
  /** Null for the owner, and where the account is gone. */
  readonly name: string | null;
  readonly role: Role | null;
  readonly disabledAt: number | null;
}

interface ListedRow extends SessionRow, Omit<SignInPlace, 'way'> {
  readonly idHash: string;
}

export function createSessions(
  database: SqlDatabase,
  { hash: passwordHash }: AdminPasswordHash,
  now: () => Date = () => new Date(),
): Sessions {
  const keptAs = (id: string): string => createHmac('sha256', passwordHash).update(`session:${id}`).digest('base64url');

  return {
    async start(accountId, { address, agent, way }) {
      const id = randomBytes(32).toString('base64url');
      const at = now().getTime();
      await database.change(async (ask) => {
        await ask('delete from parapet.session where used_at <= $1 or started_at <= $2', [
          at - IDLE_MS,
          at - ABSOLUTE_MS,
        ]);
        await ask(
          `delete from parapet.session where id_hash in
             (select id_hash from parapet.session where account_id = $1 order by used_at desc limit 1000 offset $2)`,
          [accountId, MOST_SESSIONS - 1],
        );
        await ask(
          'insert into parapet.session (id_hash, account_id, started_at, used_at, address, agent, way) values ($1, $2, $3, $4, $5, $6, $7)',
          [keptAs(id), accountId, at, at, address, agent.slice(0, MOST_AGENT_CHARACTERS), way ?? null],
        );
      });
      return { id, ...tokensOf(id, at) };
    },

    async use(id) {
      const [row] = await database.read<SessionRow>(
        `select account_id, started_at, used_at, way, name, role, disabled_at
         from parapet.session left join parapet.account on account.id = session.account_id where id_hash = $1`,
        [keptAs(id)],
      );
      if (row === undefined) return undefined;
      const actor = actorOf(row);
      if (actor === undefined) return undefined;
      const at = now().getTime();
      if (at - row.usedAt >= IDLE_MS || at - row.startedAt >= ABSOLUTE_MS) return undefined;
      if (at - row.usedAt >= USE_KEPT_EVERY_MS) {
        await database.change((ask) =>
          ask('update parapet.session set used_at = $1 where id_hash = $2', [at, keptAs(id)]),
        );
      }
      return { ...tokensOf(id, row.startedAt), listedAs: keptAs(id), actor, way: row.way ?? undefined };
    },

    async end(id) {
      await database.change((ask) => ask('delete from parapet.session where id_hash = $1', [keptAs(id)]));
    },

    async list(accountId) {
      const at = now().getTime();
      const rows = await database.read<ListedRow>(
        `select id_hash, account_id, started_at, used_at, address, agent, name, role, disabled_at
         from parapet.session left join parapet.account on account.id = session.account_id
         where used_at > $1 and started_at > $2 order by used_at desc, id_hash`,
        [at - IDLE_MS, at - ABSOLUTE_MS],
      );
      return rows.flatMap((row) => {
        const account = actorOf(row);
        if (account === undefined || (accountId !== undefined && accountId !== account.id)) return [];
        const { idHash: listedAs, startedAt, usedAt, address, agent } = row;
        return [{ listedAs, account, startedAt: new Date(startedAt), usedAt: new Date(usedAt), address, agent }];
      });
    },

    async endListed(listedAs, accountId) {
      const ended = await database.change((ask) =>
        ask(
          'delete from parapet.session where id_hash = $1 and (account_id = $2 or cast($2 as text) is null) returning id_hash',
          [listedAs, accountId ?? null],
        ),
      );
      return ended.length > 0;
    },

    async endAllOf(accountId) {
      await database.change((ask) => ask('delete from parapet.session where account_id = $1', [accountId]));
    },
  };
}

function actorOf({ accountId, name, role, disabledAt }: SessionRow): Actor | undefined {
  if (accountId === OWNER.id) return OWNER;
  if (name === null || role === null || disabledAt !== null) return undefined;
  return { id: accountId, name, role };
}

function tokensOf(id: string, startedAt: number): Pick<Session, 'csrfToken' | 'expiresAt'> {
  const csrfToken = createHash('sha256').update(`csrf:${id}`).digest('base64url');
  return { csrfToken, expiresAt: new Date(startedAt + ABSOLUTE_MS) };
}

export function isCsrfToken(presented: string, { csrfToken }: Session): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(csrfToken)];
  return one.length === other.length && timingSafeEqual(one, other);
}
