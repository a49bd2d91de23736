/** Webhooks of projects, and what waits to be sent to them, in SQL. Sends nothing. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StoreRefusal, valid } from '../errors.js';
import type { Ask, SqlDatabase } from '../storage/sql/sql-database.js';
import { HOUR_MS, MINUTE_MS } from '../durations.js';

export interface Webhook {
  readonly projectId: string;
  readonly url: string;
  /** The one before the present secret signs too until then, in milliseconds since 1970. */
  readonly earlierUntil: number | undefined;
  readonly createdAt: number;
  readonly succeededAt: number | undefined;
  /** Since then nothing is sent: all that was tried for a day had failed. */
  readonly disabledAt: number | undefined;
}

export interface Delivery {
  /** The header webhook-id, the same in every attempt. */
  readonly id: string;
  readonly createdAt: number;
  readonly payload: string;
  readonly state: 'waiting' | 'dead';
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
  /** Why the last attempt failed, without anything that the other side said. */
  readonly problem: string | undefined;
}

export interface DueDelivery extends Pick<Delivery, 'id' | 'payload'> {
  readonly projectId: string;
  readonly url: string;
  /** That sign, the present one first. */
  readonly secrets: readonly string[];
}

export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: object;
}

/** @throws OperatorError, each method, where the database does not answer; StoreRefusal where the project has no webhook */
export interface Webhooks {
  find(projectId: string): Promise<Webhook | undefined>;
  /** Switched on. @returns the secret, the only time that it can be seen, of one that is new @throws StoreRefusal where the address is none */
  set(projectId: string, url: string): Promise<string | undefined>;
  /** @returns the new secret; both sign for `overlapMs` */
  rotate(projectId: string, overlapMs: number): Promise<string>;
  /** With all that waits. */
  remove(projectId: string): Promise<void>;
  /** Newest first. */
  deliveries(projectId: string, limit: number): Promise<Delivery[]>;
  /** What was given up waits again, and the webhook is switched on. @returns how many */
  sendAgain(projectId: string): Promise<number>;
  /** Where the project has a webhook; what is sent twice is kept once. */
  enqueue(ask: Ask, projectId: string, event: WebhookEvent): Promise<void>;
  enqueueTest(projectId: string): Promise<void>;
  /** Nobody else gets them until the time of an attempt is over. */
  takeDue(limit: number): Promise<DueDelivery[]>;
  succeeded(id: string): Promise<void>;
  /** Tried again later, or given up; `isGone`: the other side wants no more. */
  failed(id: string, problem: string, isGone: boolean): Promise<void>;
}

/** After the first attempt, the second, and so on: eight attempts in a day. */
const PAUSES_MS = [1, 5, 15, 60, 180, 420, 720].map((minutes) => minutes * MINUTE_MS);
/** How long a server has a delivery: longer than an attempt takes. */
export const HOLD_MS = MINUTE_MS;
const DEAD_FOR_MS = 30 * 24 * HOUR_MS;
/** Of a project, waiting and dead. */
const MOST_DELIVERIES = 10_000;
const SECRET_BYTES = 24;

const URL_ERROR =
  'must be an address such as https://shop.example/parapet, without a password and of at most 2000 characters';
const urlSchema = z.object({
  url: z
    .string(URL_ERROR)
    .trim()
    .max(2000, URL_ERROR)
    .refine((url) => {
      if (!URL.canParse(url)) return false;
      const { protocol, username, password } = new URL(url);
      return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
    }, URL_ERROR),
});

interface WebhookRow {
  readonly projectId: string;
  readonly url: string;
  readonly secret: string;
  readonly earlierSecret: string | null;
  readonly earlierUntil: number | null;
  readonly createdAt: number;
  readonly succeededAt: number | null;
  readonly disabledAt: number | null;
}

export function createWebhooks(database: SqlDatabase, now: () => Date = () => new Date()): Webhooks {
  const change = <Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> => database.change(work, 'webhooks');
  const time = (): number => now().getTime();

  async function rowOf(ask: Ask, projectId: string): Promise<WebhookRow> {
    const [row] = await ask<WebhookRow>('select * from parapet.webhook where project_id = $1', [projectId]);
    if (row === undefined) throw new StoreRefusal('unknown', 'The project has no webhook.');
    return row;
  }

  async function enqueue(ask: Ask, projectId: string, { id, type, at, data }: WebhookEvent): Promise<void> {
    const payload = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
    await ask(
      `insert into parapet.delivery (id, project_id, created_at, payload, state, next_at)
       select cast($1 as text), project_id, cast($3 as bigint), cast($4 as text),
         case when disabled_at is null then 'waiting' else 'dead' end, cast($3 as bigint)
       from parapet.webhook where project_id = $2
       on conflict (id) do nothing`,
      [id, projectId, time(), payload],
    );
    await ask(
      `delete from parapet.delivery where id in
         (select id from parapet.delivery where project_id = $1 order by created_at desc limit 1000 offset ${MOST_DELIVERIES})`,
      [projectId],
    );
  }

  return {
    async find(projectId) {
      const [row] = await database.read<WebhookRow>('select * from parapet.webhook where project_id = $1', [projectId]);
      if (row === undefined) return undefined;
      const { url, earlierUntil, createdAt, succeededAt, disabledAt } = row;
      return {
        projectId,
        url,
        earlierUntil: earlierUntil !== null && earlierUntil > time() ? earlierUntil : undefined,
        createdAt,
        succeededAt: succeededAt ?? undefined,
        disabledAt: disabledAt ?? undefined,
      };
    },

    set: (projectId, address) =>
      change(async (ask) => {
        const { url } = valid(urlSchema, { url: address });
        const changed = await ask(
          'update parapet.webhook set url = $2, disabled_at = null where project_id = $1 returning project_id',
          [projectId, url],
        );
        if (changed.length > 0) return undefined;
        const secret = newSecret();
        await ask('insert into parapet.webhook (project_id, url, secret, created_at) values ($1, $2, $3, $4)', [
          projectId,
          url,
          secret,
          time(),
        ]);
        return secret;
      }),

    rotate: (projectId, overlapMs) =>
      change(async (ask) => {
        const { secret: earlier } = await rowOf(ask, projectId);
        const secret = newSecret();
        await ask(
          'update parapet.webhook set secret = $2, earlier_secret = $3, earlier_until = $4 where project_id = $1',
          [projectId, secret, earlier, time() + overlapMs],
        );
        return secret;
      }),

    remove: (projectId) =>
      change(async (ask) => {
        await rowOf(ask, projectId);
        await ask('delete from parapet.webhook where project_id = $1', [projectId]);
      }),

    async deliveries(projectId, limit) {
      const rows = await database.read<Omit<Delivery, 'problem'> & { readonly problem: string | null }>(
        `select id, created_at, payload, state, attempts, next_at, problem from parapet.delivery
         where project_id = $1 order by created_at desc, id desc limit $2`,
        [projectId, limit],
      );
      return rows.map((row) => ({ ...row, problem: row.problem ?? undefined }));
    },

    sendAgain: (projectId) =>
      change(async (ask) => {
        await rowOf(ask, projectId);
        await ask('update parapet.webhook set disabled_at = null where project_id = $1', [projectId]);
        const again = await ask(
          `update parapet.delivery set state = 'waiting', attempts = 0, next_at = $2
           where project_id = $1 and state = 'dead' returning id`,
          [projectId, time()],
        );
        return again.length;
      }),

    enqueue,

    enqueueTest: (projectId) =>
      change(async (ask) => {
        await rowOf(ask, projectId);
        const id = `msg_${randomBytes(12).toString('base64url')}`;
        await enqueue(ask, projectId, { id, type: 'webhook.test', at: time(), data: {} });
      }),

    takeDue: async (limit) => {
      const due = `state = 'waiting' and next_at <= $1
        and project_id in (select project_id from parapet.webhook where disabled_at is null)`;
      // Most of the time there is nothing, and nobody has to wait for that.
      const waiting = await database.read(`select id from parapet.delivery where ${due} limit 1`, [time()]);
      if (waiting.length === 0) return [];
      return change(async (ask) => {
        await ask("delete from parapet.delivery where state = 'dead' and next_at <= $1", [time() - DEAD_FOR_MS]);
        const rows = await ask<WebhookRow & { readonly id: string; readonly payload: string }>(
          `update parapet.delivery set next_at = $2 where id in
             (select id from parapet.delivery where ${due} order by next_at, id limit ${limit})
           returning id, project_id, payload`,
          [time(), time() + HOLD_MS],
        );
        const taken: DueDelivery[] = [];
        for (const { id, payload, projectId } of rows) {
          const { url, secret, earlierSecret, earlierUntil } = await rowOf(ask, projectId);
          const earlier = earlierSecret !== null && (earlierUntil ?? 0) > time() ? [earlierSecret] : [];
          taken.push({ id, payload, projectId, url, secrets: [secret, ...earlier] });
        }
        return taken;
      });
    },

    succeeded: (id) =>
      change(async (ask) => {
        const [row] = await ask<{ projectId: string }>(
          'delete from parapet.delivery where id = $1 returning project_id',
          [id],
        );
        if (row === undefined) return;
        await ask('update parapet.webhook set succeeded_at = $2 where project_id = $1', [row.projectId, time()]);
      }),

    failed: (id, problem, isGone) =>
      change(async (ask) => {
        const [row] = await ask<{ projectId: string; attempts: number; createdAt: number }>(
          'update parapet.delivery set attempts = attempts + 1, problem = $2 where id = $1 returning project_id, attempts, created_at',
          [id, problem],
        );
        if (row === undefined) return;
        const pause = PAUSES_MS[row.attempts - 1];
        if (pause !== undefined && !isGone) {
          await ask('update parapet.delivery set next_at = $2 where id = $1', [id, time() + pause]);
          return;
        }
        await ask("update parapet.delivery set state = 'dead', next_at = $2 where id = $1", [id, time()]);
        // Given up after a day in which nothing else came through either.
        await ask(
          `update parapet.webhook set disabled_at = $2
           where project_id = $1 and disabled_at is null and ($3 = 1 or coalesce(succeeded_at, 0) < $4)`,
          [row.projectId, time(), isGone ? 1 : 0, row.createdAt],
        );
      }),
  };
}

/** As https://www.standardwebhooks.com has it. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
