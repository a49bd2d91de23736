/** Promises of the rate limit at the interface; its arithmetic is tested in test/unit/http. */
import { describe, expect, it } from 'vitest';
import { createFailingAnalyzer, queueFull } from '../../support/fake-analyzer.js';
import { createHttpService } from '../../support/http-service.js';
import { expectProblem } from '../../support/problem.js';

const BODY = { content: 'Good morning.' };

describe('rate limit', () => {
  it('stands in the headers of every authenticated answer', async () => {
    const limited = { rateLimitPerMinute: 10 };
    const service = await createHttpService(limited);
    const full = await createHttpService({ ...limited, analyzer: createFailingAnalyzer(queueFull()) });
    const faulty = await createHttpService({ ...limited, analyzer: createFailingAnalyzer(new Error('a fault')) });
    const loading = await createHttpService({ ...limited, analyzer: null });
    const answers = [
      [200, await service.analyze(BODY)],
      [400, await service.analyze('{')],
      [400, await service.analyze({ content: '' })],
      [400, await service.analyze(BODY, { url: '/v1/analyze?details=7' })],
      [413, await service.analyze('x'.repeat(300_000))],
      [415, await service.analyze('x', { headers: { 'content-type': 'text/plain' } })],
      [500, await faulty.analyze(BODY)],
      [503, await full.analyze(BODY)],
      [503, await loading.analyze(BODY)],
    ] as const;
    for (const [status, answer] of answers) {
      expect(answer.statusCode).toBe(status);
      expect(answer.headers).toMatchObject({
        'ratelimit-policy': '"per-key";q=10;w=60',
        ratelimit: expect.stringMatching(/^"per-key";r=\d;t=\d+$/) as string,
      });
    }
  });

  it('refuses the request beyond it with the same headers and a time to wait', async () => {
    const { analyze } = await createHttpService({ rateLimitPerMinute: 2 });
    expect((await analyze(BODY)).headers.ratelimit).toMatch(/;r=1;/);
    expect((await analyze(BODY)).headers.ratelimit).toMatch(/;r=0;/);
    const refused = await analyze(BODY);
    expectProblem(refused, 'rate_limited');
    expect(refused.headers.ratelimit).toMatch(/;r=0;t=60$/);
    expect(Number(refused.headers['retry-after'])).toBe(60);
  });

  it('leaves no headers where there is no limit, or no valid key', async () => {
    const unlimited = await createHttpService({ rateLimitPerMinute: 0 });
    expect((await unlimited.analyze(BODY)).headers).not.toHaveProperty('ratelimit');
    const limited = await createHttpService({ rateLimitPerMinute: 5 });
    expect((await limited.analyze(BODY, { headers: { 'x-api-key': 'x' } })).headers).not.toHaveProperty('ratelimit');
  });
});
