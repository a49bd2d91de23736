/** Promises of the probes: GET /v1/health, /readyz and /livez. */
import { describe, expect, it } from 'vitest';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';

describe.each(['/v1/health', '/readyz'])('GET %s', (path) => {
  it.each([
    ['healthy', 200],
    ['starting', 503],
    ['unhealthy', 503],
  ] as const)('answers %s with %i and exactly the two fields, without a key', async (health, status) => {
    const { app } = await createHttpService({ health });
    const answer = await app.inject(path);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-request-id']).toBeTypeOf('string');
    expect(answer.json()).toEqual({
      status: health,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
  });

  it('does not care for keys, queries or bodies', async () => {
    const { app } = await createHttpService();
    const headers = { 'x-api-key': 'nonsense', 'content-type': 'text/plain' };
    const answer = await app.inject({ method: 'GET', url: `${path}?details=7`, headers, payload: 'x' });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    ['healthy', 200],
    ['starting', 503],
  ] as const)('answers HEAD with the same status and no body: %s', async (health, status) => {
    const { app } = await createHttpService({ health });
    const answer = await app.inject({ method: 'HEAD', url: path });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toBe('');
  });
});

it.each(['healthy', 'starting', 'unhealthy'] as const)(
  'GET /livez answers 200 while the state is %s',
  async (health) => {
    const { app } = await createHttpService({ health });
    const answer = await app.inject('/livez');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'alive' }]);
  },
);

it('probes are answered while the service stops, and under no limit, where all else is refused', async () => {
  let stopping = false;
  const limits = { rateLimitPerMinute: 1, failedKeysPerMinute: 1 };
  const { app } = await createHttpService({ ...limits, isStopping: () => stopping, health: 'unhealthy' });
  const headers = { 'x-api-key': 'nonsense' };
  await app.inject({ method: 'POST', url: '/v1/analyze', headers, payload: { content: 'a' } });
  expectProblem(await app.inject({ method: 'POST', url: '/v1/analyze', headers }), 'too_many_failures');
  stopping = true;
  const statusOf = async (url: string): Promise<number> => (await app.inject({ url, headers })).statusCode;
  expect(await Promise.all(['/v1/health', '/readyz', '/livez'].map(statusOf))).toEqual([503, 503, 200]);
  expectProblem(await app.inject('/openapi.json'), 'shutting_down');
});
