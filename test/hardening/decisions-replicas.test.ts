/**
 * Two servers on one PostgreSQL database full of decisions, in both of which everything goes on at once: texts are judged and kept, looked for, reviewed and
 * deleted. What one has kept the other finds, no two people judge the same text, and nothing is lost.
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDecisionRepository } from '../../src/decisions/decision-repository.js';
import { createAdminTokens } from '../../src/people/admin-tokens.js';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.js';
import type { Store } from '../../src/storage/store.js';
import { startCopies, type Copy } from '../support/copies.js';
import { hasPostgres, startPostgres } from '../support/servers/postgres.js';
import { command, eventually } from '../support/service.js';
import { COUNT, fill, SEARCHES } from './made-up-decisions.js';
import { sized, TIME_LIMIT_MS } from './scale.js';

const DURATION_MS = sized({ short: 6000, long: 120_000 });
/** Of those that are there before. */
const OPEN_SHARE = 0.01;
/** Made here, so that no scanner takes it for somebody's. */
const PASSWORD = ['correct', 'horse', 'battery'].join(' ');

let store: Store;
let copies: Copy[];
let key: string;
let projectId: string;
/** Of a reviewer at each copy. */
let tokens: string[];

/** What was done, and how long each took. */
const times = new Map<string, number[]>();

/** @returns the status, and what was answered */
async function ask(
  what: string,
  url: string,
  init: RequestInit,
): Promise<{ status: number; body: unknown; id: string }> {
  const begun = performance.now();
  const response = await fetch(url, init);
  const body: unknown = response.status === 204 ? undefined : await response.json();
  times.set(what, [...(times.get(what) ?? []), performance.now() - begun]);
  return { status: response.status, body, id: response.headers.get('X-Decision-Id') ?? '' };
}

const withBody = (method: string, headers: Record<string, string>, body: object): RequestInit => ({
  method,
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

describe.skipIf(!hasPostgres)(`two servers on one database of ${COUNT} decisions`, () => {
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    const afterwards = (clean: () => unknown): void => void cleanUps.unshift(clean);
    const server = await startPostgres();
    afterwards(() => server.close());
    const settings = {
      DATABASE_URL: await server.freshDatabase(),
      DECISIONS_KEY: randomBytes(32).toString('base64'),
      RATE_LIMIT_PER_MINUTE: '0',
    };
    await command('admin', settings, ['set-password'], PASSWORD);
    store = await openPostgresStore(settings.DATABASE_URL, { graceMs: 0 });
    afterwards(() => store.close());
    const { key: made, record } = await store.keys.create({
      ...{ project: 'shop', name: 'backend', environment: 'live', expiresInMs: null, rateLimitPerMinute: null },
    });
    [key, projectId] = [made, record.projectId];
    const policy = { review: { scores: { from: 0, to: 10 } }, keep: { what: 'texts', days: 3650, reference: 'id' } };
    await store.policies.edit(projectId, () => policy, { by: 'command line' });
    const begun = performance.now();
    await fill(createDecisionRepository(store.sql), projectId, OPEN_SHARE);
    console.info(`${COUNT} decisions were written in ${Math.round((performance.now() - begun) / 1000)} s`);
    const adminTokens = createAdminTokens(store.sql);
    tokens = await Promise.all(
      ['ann', 'bob'].map(
        async (name) => (await adminTokens.create({ name, role: 'reviewer', expiresInDays: 1 }, 'owner')).token,
      ),
    );
    copies = await startCopies([settings, settings], afterwards);
    return async () => {
      for (const clean of cleanUps) await clean();
    };
  }, TIME_LIMIT_MS);

  it(
    'keeps, finds, reviews and deletes at both at once, and loses and mixes nothing up',
    async () => {
      const end = performance.now() + DURATION_MS;
      const isOver = (): boolean => performance.now() > end;
      const kept = new Map<string, string>();
      const deleted = new Set<string>();
      const shown: [Set<string>, Set<string>] = [new Set(), new Set()];
      const judged: string[] = [];
      const ownKey = { 'X-API-Key': key };
      const bearer = (index: number) => ({ Authorization: `Bearer ${tokens[index]}` });
      const one = (address: string, id: string) =>
        ask('read', `${address}/v1/decisions/${id}`, { headers: ownKey }).then(({ status }) => status);

      async function keepTexts({ address }: Copy, index: number): Promise<void> {
        for (let count = 0; !isOver(); count += 1) {
          const reference = `kept-${index}-${count}`;
          const body = { content: `Text number ${count} of ${index}.`, metadata: { id: reference } };
          const { status, id } = await ask('keep', `${address}/v1/analyze`, withBody('POST', ownKey, body));
          expect(status).toBe(200);
          kept.set(reference, id);
        }
      }
      async function search({ address }: Copy, index: number): Promise<void> {
        for (let count = 0; !isOver(); count += 1) {
          const [, { from, to, ...filter } = {}] = SEARCHES[count % SEARCHES.length] ?? [];
          const query = new URLSearchParams({ projectId, limit: '50' });
          for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
          for (const [name, time] of Object.entries({ from, to })) {
            if (time !== undefined) query.set(name, new Date(time).toISOString());
          }
          const { status } = await ask('search', `${address}/dashboard/api/decisions?${query.toString()}`, {
            headers: bearer(index),
          });
          expect(status).toBe(200);
        }
      }
      async function review({ address }: Copy, index: number): Promise<void> {
        const own = shown[index];
        while (!isOver()) {
          const next = await ask(
            'next',
            `${address}/dashboard/api/reviews/next`,
            withBody('POST', bearer(index), { projectId }),
          );
          expect(next.status).toBe(200);
          const { decision } = next.body as { decision: { id: string } | null };
          if (decision === null) continue;
          own?.add(decision.id);
          const path = `${address}/dashboard/api/reviews/${decision.id}/judgement`;
          const { status } = await ask('judge', path, withBody('POST', bearer(index), { outcome: 'right' }));
          if (status === 200) judged.push(decision.id);
          else expect([status, deleted.has(decision.id)]).toEqual([404, true]);
        }
      }
      /** Of what the other server has kept, once it is found here. */
      async function remove({ address }: Copy, index: number): Promise<void> {
        for (let count = 0; !isOver(); count += 10) {
          const reference = `kept-${1 - index}-${count}`;
          const id = await eventually(
            () => new Promise<string | undefined>((resolve) => setTimeout(() => resolve(kept.get(reference)), 50)),
            (found) => found !== undefined || isOver(),
          );
          if (id === undefined) return;
          await eventually(
            () => one(address, id),
            (status) => status === 200,
          );
          deleted.add(id);
          const path = `${address}/v1/decisions?reference=${reference}`;
          expect((await ask('delete', path, { method: 'DELETE', headers: ownKey })).body).toEqual({ deleted: 1 });
          expect(await Promise.all(copies.map((copy) => one(copy.address, id)))).toEqual([404, 404]);
        }
      }

      await Promise.all(
        copies.flatMap((copy, index) => [keepTexts, search, review, remove].map((work) => work(copy, index))),
      );

      const count = async (question: string): Promise<number> =>
        Number(
          (await store.sql.read<{ count: number }>(`select count(*) as count from parapet.${question}`))[0]?.count,
        );
      await eventually(
        () => count("decision where reference like 'kept-%'"),
        (found) => found === kept.size - deleted.size,
      );
      const [ann, bob] = shown;
      expect([...ann].filter((id) => bob.has(id))).toEqual([]);
      expect(new Set(judged).size).toBe(judged.length);
      expect(await count('review')).toBe(judged.filter((id) => !deleted.has(id)).length);
      for (const [index, { address }] of copies.entries()) {
        const path = `${address}/dashboard/api/decisions/kept?projectId=${projectId}`;
        expect((await ask('kept', path, { headers: bearer(index) })).body).toMatchObject({ lost: 0 });
      }
      for (const [what, taken] of times) {
        const sorted = taken.toSorted((a, b) => a - b);
        const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => sorted[Math.floor(sorted.length * share)]);
        console.info(`${what}: ${sorted.length}, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
      }
      expect(Math.min(ann.size, bob.size, judged.length, deleted.size)).toBeGreaterThan(0);
    },
    TIME_LIMIT_MS,
  );
});
