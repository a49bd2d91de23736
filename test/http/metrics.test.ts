/** Promises of GET /metrics on the public port. */
import { describe, expect, it } from 'vitest';
import { createFakeAnalyzer, INSULT } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
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

  it('grows by no name that a caller makes up', async () => {
    const { app, metricsText } = await createHttpService();
    const lines = async (): Promise<number> => (await metricsText()).split('\n').length;
    await app.inject('/invented/0');
    const before = await lines();
    for (let index = 1; index < 50; index += 1) await app.inject(`/invented/${index}?q=${index}`);
    expect(await lines()).toBe(before);
  });
});
