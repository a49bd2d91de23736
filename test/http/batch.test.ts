/** Promises of POST /v1/analyze/batch at the interface. */
import { describe, expect, it } from 'vitest';
import { batchResponse, type BatchResponse } from '../../src/http/routes/batch-schemas.js';
import type { Verdict } from '../../src/moderation/verdict.js';
import { createFakeAnalyzer, HARMLESS, INSULT, queueFull } from '../support/fake-analyzer.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { createHttpService, type HttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';

const URL = '/v1/analyze/batch';

async function results(service: HttpService, items: unknown[], url = URL): Promise<BatchResponse['results']> {
  const answer = await service.analyze({ items }, { url });
  expect(answer.statusCode).toBe(200);
  const parsed = batchResponse.parse(answer.json());
  // Parsing drops members that the contract does not name: there must be none.
  expect(parsed).toEqual(answer.json());
  return parsed.results;
}

const texts = (count: number): { content: string }[] =>
  Array.from({ length: count }, (_, index) => ({ content: `text ${index}` }));

describe('POST /v1/analyze/batch', () => {
  it('answers each item in order with the verdict that it would get alone', async () => {
    const judge = (text: string): Verdict => (text.startsWith('rude') ? INSULT : HARMLESS);
    const service = await createHttpService({ analyzer: createFakeAnalyzer(judge) });
    const items = ['kind', 'rude 1', 'nice', 'rude 2'].map((content) => ({ content }));
    const alone = await Promise.all(items.map(async (item) => (await service.analyze(item)).json<object>()));
    const together = await results(service, items);
    expect(together).toEqual(
      alone.map((verdict) => ({ verdict: { ...verdict, processingTimeMs: expect.any(Number) as number } })),
    );
  });

  it('gives a bad item its own problem, and the others their verdicts', async () => {
    const service = await createHttpService();
    const answered = await results(service, [
      { content: 'fine', id: 'first' },
      { content: '', id: 'empty' },
      { content: 'x'.repeat(10_001) },
      { content: 'fine', metadata: 'none' },
      'no object',
      null,
      { content: 'fine', id: 7 },
      { content: 'fine' },
    ]);
    const outcomes = answered.map((result) => ('problem' in result ? result.problem.code : 'verdict'));
    expect(outcomes).toEqual([
      'verdict',
      'invalid_body',
      'content_too_long',
      'invalid_body',
      'invalid_body',
      'invalid_body',
      'invalid_body',
      'verdict',
    ]);
    expect(answered.map(({ id }) => id)).toEqual(['first', 'empty', ...Array<undefined>(6)]);
    const paths = answered.map((result) => 'problem' in result && result.problem.errors?.[0]?.path);
    expect(paths).toEqual([false, 'content', 'content', 'metadata', '', '', 'id', false]);
  });

  it('gives an item that cannot be judged now its own problem', async () => {
    const analyzer = createFakeAnalyzer((text) => {
      if (text === 'full') throw queueFull();
      if (text === 'faulty') throw new Error('a fault');
      return HARMLESS;
    });
    const service = await createHttpService({ analyzer });
    const answered = await results(service, [{ content: 'full' }, { content: 'faulty' }, { content: 'fine' }]);
    const statuses = answered.map((result) => ('problem' in result ? result.problem.status : 200));
    expect(statuses).toEqual([503, 500, 200]);
    expect(service.log()).toContain('"msg":"internal error"');
  });

  it.each(['true', '1'])('adds details to each verdict with ?details=%s', async (value) => {
    const service = await createHttpService({ analyzer: createFakeAnalyzer(() => INSULT) });
    const answered = await results(service, texts(2), `${URL}?details=${value}`);
    for (const result of answered) expect('verdict' in result && result.verdict.details?.spans).toHaveLength(1);
  });

  it('takes 1 to 128 items, and nothing but a list of them', async () => {
    const service = await createHttpService();
    expect(await results(service, texts(128))).toHaveLength(128);
    for (const body of [{ items: texts(129) }, { items: [] }, { items: {} }, {}, [], 7]) {
      expectProblem(await service.analyze(body, { url: URL }), 'invalid_body');
    }
    expectProblem(await service.analyze('{', { url: URL }), 'malformed_json');
    expectProblem(await service.analyze({ items: texts(1) }, { url: `${URL}?details=7` }), 'invalid_query');
  });

  it('takes the longest texts of three bytes a character, and no body beyond its limit', async () => {
    const service = await createHttpService();
    const longest = Array.from({ length: 128 }, () => ({ content: '愛'.repeat(10_000) }));
    expect(await results(service, longest)).toHaveLength(128);
    const refused = expectProblem(
      await service.analyze('x'.repeat(4 * 1024 * 1024 + 1), { url: URL }),
      'body_too_large',
    );
    expect(refused.detail).toContain('4194304 bytes');
    expect(expectProblem(await service.analyze('x'.repeat(300_000)), 'body_too_large').detail).toContain(
      '262144 bytes',
    );
  });

  it('counts every item against the rate limit', async () => {
    const service = await createHttpService({ rateLimitPerMinute: 10 });
    const answer = await service.analyze({ items: texts(4) }, { url: URL });
    expect(answer.headers.ratelimit).toMatch(/;r=6;/);
  });

  it('is refused whole where fewer requests are left than it has items: nothing is judged', async () => {
    const analyzer = createFakeAnalyzer();
    const service = await createHttpService({ analyzer, rateLimitPerMinute: 10 });
    await service.analyze({ items: texts(1) }, { url: URL });
    const refused = await service.analyze({ items: texts(10) }, { url: URL });
    expectProblem(refused, 'rate_limited');
    expect(analyzer.texts).toHaveLength(1);
    // The request itself was counted, the items were not.
    expect(refused.headers.ratelimit).toMatch(/;r=8;/);
    expect(await results(service, texts(8))).toHaveLength(8);
  });

  it('is told how large it may be where its key never has as many requests left', async () => {
    const service = await createHttpService({ rateLimitPerMinute: 10 });
    const refused = await service.analyze({ items: texts(11) }, { url: URL });
    expectProblem(refused, 'invalid_body');
    expect(refused.json()).toMatchObject({
      errors: [{ path: 'items', message: expect.stringContaining('at most 10') as string }],
    });
    expect(refused.headers).not.toHaveProperty('retry-after');
  });

  it('has few texts with the model at once, all batches together, so that single texts find room', async () => {
    const ends: Deferred<Verdict>[] = [];
    const begun = deferred<undefined>();
    const analyzer = createFakeAnalyzer((text) => {
      if (text === 'single') return HARMLESS;
      const end = deferred<Verdict>();
      ends.push(end);
      if (ends.length === 4) begun.resolve(undefined);
      return end.promise;
    });
    const service = await createHttpService({ analyzer });
    const batches = [1, 2, 3].map(() => service.analyze({ items: texts(20) }, { url: URL }));
    await begun.promise;
    expect((await service.analyze({ content: 'single' })).statusCode).toBe(200);
    expect(ends).toHaveLength(4);
    for (const end of ends) end.resolve(HARMLESS);
    // Those that follow are pushed while this goes over them.
    const settled = Promise.all(batches);
    while (ends.length < 60) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of ends) end.resolve(HARMLESS);
    }
    for (const answer of await settled) expect(answer.statusCode).toBe(200);
  });
});
