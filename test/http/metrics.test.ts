/** Promises of GET /metrics on the public port. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '../../src/errors.js';
import { createMetrics } from '../../src/http/observability/metrics.js';
import { CATEGORIES } from '../../src/moderation/categories.js';
import { BANDS } from '../../src/moderation/verdict.js';
import { parseExposition } from '../support/exposition.js';
import { createFailingAnalyzer, createFakeAnalyzer, HARMLESS, INSULT, queueFull } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { probabilitiesOf } from '../support/probabilities.js';
import { expectProblem } from '../support/problem.js';

describe('GET /metrics', () => {
  it('is there only when the operator wants it to be public', async () => {
    const hidden = await createHttpService({ metricsPublic: false });
    expectProblem(await hidden.app.inject('/metrics'), 'not_found');
    const shown = await createHttpService({ metricsPublic: true });
    const answer = await shown.app.inject('/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body).toContain('# TYPE parapet_http_request_duration_seconds histogram');
  });

  it('counts requests by method, route and status, and verdicts by what they were', async () => {
    const { analyze, app } = await createHttpService({
      analyzer: createFakeAnalyzer(() => INSULT),
      metricsPublic: true,
    });
    await analyze({ content: 'You are an idiot.' });
    await analyze('{');
    await app.inject('/no/such/path');
    const { body } = await app.inject('/metrics');
    const counted = (method: string, route: string, status: number): string =>
      `parapet_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"} 1`;
    expect(body).toContain(counted('POST', '/v1/analyze', 200));
    expect(body).toContain(counted('POST', '/v1/analyze', 400));
    expect(body).toContain(counted('GET', 'none', 404));
    expect(body).toContain('parapet_verdicts_total{band="Toxic",passed="false",cached="false"} 1');
    expect(body).toContain('parapet_categories_total{category="insult"} 1');
    expect(body).toContain('parapet_stage_duration_seconds_count{stage="infer"} 1');
  });

  it('counts errors by their code, from zero on, so that the first one shows as an increase', async () => {
    const { analyze, metricsText, log } = await createHttpService({ analyzer: createFailingAnalyzer(queueFull()) });
    const page = await metricsText();
    for (const code of Object.keys(ERROR_TABLE)) expect(page).toContain(`parapet_problems_total{code="${code}"} 0`);
    await analyze({ content: 'hello' });
    expect(await metricsText()).toContain('parapet_problems_total{code="queue_full"} 1');
    expect(log()).toContain('"status":503,"code":"queue_full"');
  });

  it('counts the errors of single texts of a batch, whose request is answered with 200', async () => {
    const { analyze, metricsText } = await createHttpService({ analyzer: createFailingAnalyzer(queueFull()) });
    const items = [{ content: 'one' }, { content: 'two' }, { content: '' }];
    expect((await analyze({ items }, { url: '/v1/analyze/batch' })).statusCode).toBe(200);
    const page = await metricsText();
    expect(page).toContain('parapet_problems_total{code="queue_full"} 2');
    expect(page).toContain('parapet_problems_total{code="invalid_body"} 1');
  });

  it('counts verdicts by language, from zero on, where the model knows several', async () => {
    const languages = ['en', 'ru'];
    const probabilities = (text: string) => ({
      ...probabilitiesOf({}, 0),
      language: { tag: text === 'hello' ? 'en' : 'other', probability: 0.9 },
    });
    const { analyze, metricsText } = await createHttpService({
      analyzer: createFakeAnalyzer(() => HARMLESS, probabilities, { languages }),
    });
    const before = await metricsText();
    for (const language of ['en', 'ru', 'other']) {
      expect(before).toContain(`parapet_languages_total{language="${language}"} 0`);
    }
    await analyze({ content: 'hello' });
    await analyze({ content: 'moi' });
    const page = await metricsText();
    expect(page).toContain('parapet_languages_total{language="en"} 1');
    expect(page).toContain('parapet_languages_total{language="other"} 1');
    expect(page).toContain('parapet_languages_total{language="ru"} 0');
    expect(await (await createHttpService()).metricsText()).not.toContain('parapet_languages_total{');
  });

  it('has every band, category and reason before the first of them', async () => {
    const page = await (await createHttpService()).metricsText();
    for (const band of BANDS)
      expect(page).toContain(`parapet_verdicts_total{band="${band}",passed="true",cached="false"} 0`);
    for (const category of CATEGORIES) expect(page).toContain(`parapet_categories_total{category="${category}"} 0`);
    expect(page).toContain('parapet_key_refusals_total{reason="revoked"} 0');
  });

  it('counts what the analyzer counts, and never twice', async () => {
    const stats = { cacheEntries: 3, cacheHits: 7, sharedCacheHits: 2, cacheMisses: 5, waiting: 2, workerRestarts: 1 };
    const { metricsText } = await createHttpService({ analyzer: { ...createFakeAnalyzer(), stats: () => stats } });
    await metricsText();
    const page = await metricsText();
    expect(page).toContain('parapet_cache_hits_total 7');
    expect(page).toContain('parapet_shared_cache_hits_total 2');
    expect(page).toContain('parapet_cache_misses_total 5');
    expect(page).toContain('parapet_worker_restarts_total 1');
    expect(page).toContain('# TYPE parapet_worker_restarts_total counter');
    expect(page).toContain('parapet_cache_entries 3');
    expect(page).toContain('parapet_queue_waiting 2');
  });

  it('says how long a judged text took outside of its stages, unless workers computed side by side', () => {
    const sumOf = async (elapsedSeconds: number): Promise<unknown> => {
      const metrics = createMetrics(() => undefined);
      const analysis = await createFakeAnalyzer().analyze('Stages of 1, 2 and 3 milliseconds.');
      metrics.analyzed(analysis, elapsedSeconds);
      return /parapet_stage_duration_seconds_sum\{stage="rest"\} (\S+)/.exec(await metrics.registry.metrics())?.[1];
    };
    return Promise.all([
      expect(sumOf(0.01).then(Number)).resolves.toBeCloseTo(0.004),
      expect(sumOf(0.005)).resolves.toBeUndefined(),
    ]);
  });

  it('grows by no method that a caller makes up', async () => {
    const { listen, metricsText } = await createHttpService();
    const port = await listen();
    for (const method of ['PROPFIND', 'MKCOL', 'PURGE']) {
      await new Promise((resolve, reject) => {
        request({ port, method, path: '/' }, (answer) => answer.resume().on('end', resolve))
          .on('error', reject)
          .end();
      });
    }
    const methods = [...parseExposition(await metricsText()).values()].flatMap((labels) => [
      ...(labels.get('method') ?? []),
    ]);
    expect(new Set(methods)).toEqual(new Set(['other']));
  });

  it('grows by no name that a caller makes up', async () => {
    const { app, metricsText } = await createHttpService();
    const lines = async (): Promise<number> => (await metricsText()).split('\n').length;
    await app.inject('/invented/0');
    const before = await lines();
    for (let index = 1; index < 50; index += 1) await app.inject(`/invented/${index}?q=${index}`);
    expect(await lines()).toBe(before);
  });
});
