/** Promises of GET /v1/health. */
import { describe, expect, it } from 'vitest';
import { createHttpService } from '../support/http-service.js';

describe('GET /v1/health', () => {
  it.each([
    ['healthy', 200],
    ['starting', 503],
    ['unhealthy', 503],
  ] as const)('answers %s with %i and exactly the two fields, without a key', async (health, status) => {
    const { app } = await createHttpService({ health });
    const answer = await app.inject('/v1/health');
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
    const answer = await app.inject({ method: 'GET', url: '/v1/health?details=7', headers, payload: 'x' });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    ['healthy', 200],
    ['starting', 503],
  ] as const)('answers HEAD with the same status and no body: %s', async (health, status) => {
    const { app } = await createHttpService({ health });
    const answer = await app.inject({ method: 'HEAD', url: '/v1/health' });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toBe('');
  });
});
