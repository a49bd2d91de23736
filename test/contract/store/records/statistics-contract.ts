/** Statistics: written now and then, added up over servers, told apart as far as there is room, and never lost to a clock that was wrong. */
import { describe, expect, it } from 'vitest';
import { overviewOf, usageByKey } from '../../../../src/dashboard/routes/overview/overview.js';
import type { Dimension } from '../../../../src/dashboard/routes/overview/overview-names.js';
import { overviewQuery } from '../../../../src/dashboard/routes/overview/overview-schemas.js';
import { LATENCY_OUTCOMES } from '../../../../src/storage/statistics/counts.js';
import { rowsOfEarlier } from '../../../../src/storage/statistics/earlier-statistics.js';
import { SPANS } from '../../../../src/storage/statistics/spans.js';
import type { Store } from '../../../../src/storage/store.js';
import { DAY_MS, FAILED_VERDICT, REQUEST, standingClock } from '../../../unit/storage/store-folder.js';
import type { StoreEngine } from '../store-engine.js';

const VERDICT = FAILED_VERDICT;
const PASSED = {
  ...VERDICT,
  analysis: { ...VERDICT.analysis, verdict: { passed: true, score: 1, categories: [] }, cached: true },
};

export function describeStatistics(engine: StoreEngine): void {
  describe('statistics', () => {
    it('of several servers add up, once they were flushed', async () => {
      const { server, overview } = await setUp();
      const servers = await Promise.all(Array.from({ length: 5 }, server));
      for (const { statistics } of servers) statistics.note(VERDICT);
      expect((await overview()).total.requests).toBe(0);
      await Promise.all(servers.map(({ statistics }) => statistics.flush()));
      await Promise.all(servers.map(({ statistics }) => statistics.flush()));
      expect((await overview()).total).toMatchObject({ requests: 5, flagged: 5 });
    });

    it('that were not written yet are written when the store is closed', async () => {
      const { server, overview } = await setUp();
      const closing = await server();
      closing.statistics.note(VERDICT);
      await closing.close();
      expect((await overview()).total.requests).toBe(1);
    });

    it('tell apart project, key, door, language, category and band, and what was refused', async () => {
      const { store, overview } = await setUp();
      const { record } = await store.keys.create(REQUEST);
      const other = await store.keys.create({ ...REQUEST, project: 'forum' });
      store.statistics.note({ ...VERDICT, keyId: record.id });
      store.statistics.note({ ...PASSED, keyId: record.id });
      store.statistics.note({ ...PASSED, keyId: other.record.id, door: '/v1/moderations' });
      store.statistics.refuse({ keyId: record.id, door: '/v1/analyze', code: 'rate_limited' });
      store.statistics.refuse({ keyId: undefined, door: '/v1/analyze', code: 'unauthorized' });
      await store.statistics.flush();
      const all = await overview();
      expect(all.total).toMatchObject({ requests: 3, flagged: 1, refused: 2, cacheHits: 2 });
      expect(all.series.at(-1)).toMatchObject({ requests: 3, flagged: 1, refused: 2 });
      expect(all.refusals.map(({ code, status, requests }) => [code, status, requests]).sort()).toEqual([
        ['rate_limited', 429, 1],
        ['unauthorized', 401, 1],
      ]);
      const rowsOf = (dimension: Dimension) =>
        all.breakdowns[dimension].map(({ name, requests, flagged, refused }) => [name, requests, flagged, refused]);
      expect(rowsOf('project')).toEqual([
        ['shop', 2, 1, 1],
        ['forum', 1, 0, 0],
        ['', 0, 0, 1],
      ]);
      expect(rowsOf('key')).toEqual([
        ['shop: backend', 2, 1, 1],
        ['forum: backend', 1, 0, 0],
        ['', 0, 0, 1],
      ]);
      expect(rowsOf('door')).toEqual([
        ['/v1/analyze', 2, 1, 2],
        ['/v1/moderations', 1, 0, 0],
      ]);
      expect(rowsOf('language')).toEqual([['de', 3, 1, null]]);
      expect(rowsOf('category').sort()).toEqual([
        ['insult', 1, 1, null],
        ['toxic', 1, 1, null],
      ]);
      expect(rowsOf('band')).toEqual([
        ['Safe', 2, 0, null],
        ['Toxic', 1, 1, null],
      ]);
      for (const [filter, requests, refused] of [
        [{ project: record.projectId }, 2, 1],
        [{ key: other.record.id }, 1, 0],
        [{ key: other.record.id, project: record.projectId }, 0, 0],
        [{ door: '/v1/analyze' }, 2, 2],
        [{ language: 'de' }, 3, null],
        [{ language: 'fr' }, 0, null],
        [{ category: 'insult' }, 1, null],
        [{ band: 'Safe', project: record.projectId }, 1, null],
      ] as const) {
        expect([filter, (await overview(filter)).total]).toMatchObject([filter, { requests, refused }]);
      }
    });

    it('stand beside those of the time before', async () => {
      const { store, clock, overview } = await setUp();
      store.statistics.note(VERDICT);
      await store.statistics.flush();
      clock.advance(DAY_MS);
      store.statistics.note(PASSED);
      await store.statistics.flush();
      const { total, before, series } = await overview();
      expect([total.requests, before?.requests, before?.flagged]).toEqual([1, 1, 1]);
      expect(series.at(-1)).toMatchObject({ requests: 1, flagged: 0, before: { requests: 1, flagged: 1 } });
      for (const [period, stepMs, length] of [
        ['1h', SPANS[0].ms, 12],
        ['6h', SPANS[0].ms, 72],
        ['24h', SPANS[1].ms, 24],
        ['7d', SPANS[1].ms, 168],
        ['30d', SPANS[2].ms, 30],
        ['90d', SPANS[2].ms, 90],
      ] as const) {
        const shown = await overview({ period });
        expect([shown.stepMs, shown.series.length, shown.before === null]).toEqual([stepMs, length, false]);
        expect(shown.series.at(-1)?.requests).toBeGreaterThan(0);
      }
      const [from, to] = [
        new Date(clock.now().getTime() - DAY_MS - 600_000),
        new Date(clock.now().getTime() - 600_000),
      ];
      const earlier = await overview({ from: from.toISOString(), to: to.toISOString() });
      expect([earlier.from <= from.toISOString(), earlier.to >= to.toISOString()]).toEqual([true, true]);
      expect(earlier.total.requests).toBe(2);
    });

    it('tell of each key what it did in seven days', async () => {
      const { store, clock } = await setUp();
      store.statistics.note(VERDICT);
      store.statistics.note({ ...PASSED, keyId: 'key_b' });
      clock.advance(6 * DAY_MS);
      store.statistics.note(PASSED);
      await store.statistics.flush();
      const usages = async () => Object.fromEntries(await usageByKey(store.sql.read, clock.now()));
      expect(await usages()).toEqual({ key_a: { requests: 2, flagged: 1 }, key_b: { requests: 1, flagged: 0 } });
      clock.advance(DAY_MS);
      expect(await usages()).toEqual({ key_a: { requests: 1, flagged: 0 } });
    });

    it('stay few however much there is to tell apart, and lose nothing of the sum', async () => {
      const { store, server, overview } = await setUp();
      const other = await server();
      for (let each = 0; each < 1500; each += 1) {
        const { statistics } = each % 2 === 0 ? store : other;
        statistics.note({ ...VERDICT, keyId: `key_${each}` });
      }
      await Promise.all([store.statistics.flush(), other.statistics.flush()]);
      const rows = await store.sql.read<{ rows: number }>(
        'select count(*) as rows from parapet.statistics_count group by span, start',
      );
      expect(rows).toHaveLength(SPANS.length);
      for (const each of rows) expect(each.rows).toBeLessThan(420);
      expect((await overview()).total).toMatchObject({ requests: 1500, flagged: 1500 });
    });

    it('are kept for 400 days in which something was counted, and the cells of what is dropped go too', async () => {
      const { store, clock } = await setUp();
      for (let day = 0; day < 402; day += 1) {
        store.statistics.note({ ...VERDICT, door: day === 0 ? '/once' : '/v1/analyze' });
        await store.statistics.flush();
        clock.advance(DAY_MS);
        // Of the shorter spans more are kept.
        if (day === 0)
          await store.sql.change((ask) => ask(`delete from parapet.statistics_count where span < ${DAY_MS}`));
      }
      const kept = await store.sql.read<{ days: number; doors: number }>(
        `select (select count(distinct start) from parapet.statistics_count where span = ${DAY_MS}) as days,
          (select count(*) from parapet.statistics_cell where door = '/once') as doors`,
      );
      expect(kept).toEqual([{ days: 400, doors: 0 }]);
    });

    it('are not erased by a clock that jumps ahead, and what it counted is counted with the time of its return', async () => {
      const { store, clock, overview } = await setUp();
      store.statistics.note(VERDICT);
      await store.statistics.flush();
      clock.advance(70 * DAY_MS);
      store.statistics.note(VERDICT);
      await store.statistics.flush();
      clock.advance(-70 * DAY_MS);
      store.statistics.note(VERDICT);
      await store.statistics.flush();
      expect((await overview()).total.requests).toBe(3);
      expect((await overview({ period: '90d' })).series.filter(({ requests }) => requests > 0)).toHaveLength(1);
    });

    it('of an export of an earlier release are taken over', async () => {
      const { store, overview } = await setUp();
      const tally = {
        requests: 9,
        flagged: 2,
        cacheHits: 3,
        latency: LATENCY_OUTCOMES.map((_, index) => (index === 1 ? 9 : 0)),
      };
      const item = {
        period: 'days',
        start: '2030-01-01T00:00:00.000Z',
        tallies: { key_a: tally, other: tally },
      } as const;
      async function* items() {
        yield await Promise.resolve({ kind: 'statistics', ...item } as const);
      }
      await store.importAll(items());
      const { total, breakdowns } = await overview({ period: '30d' });
      expect(total).toEqual({ requests: 18, flagged: 4, cacheHits: 6, refused: 0, p50Ms: 7.5, p95Ms: 9.8 });
      expect(breakdowns.key.map(({ value }) => value).sort()).toEqual(['key_a', null]);
      expect([...rowsOfEarlier(item)].length).toBe(10);
    });
  });

  async function setUp() {
    const open = await engine.fresh();
    const clock = standingClock('2030-01-01T12:30:00.000Z');
    const server = (): Promise<Store> => open({ now: clock.now });
    const store = await server();
    const overview = async (query: object = {}) =>
      overviewOf(store.sql.read, overviewQuery.parse(query), await store.keys.list(), clock.now());
    return { clock, server, store, overview };
  }
}
