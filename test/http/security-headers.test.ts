/** Promises about the headers of every answer: what a browser may do with it. Those of problems are in test/support/problem.ts. */
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMetricsServer } from '../../src/http/http-server.js';
import { createMetrics } from '../../src/http/observability/metrics.js';
import { createHttpService } from '../support/http-service.js';
import { requestText, sendBytes } from '../support/raw-http.js';
import { API_POLICY, expectProblem, expectSafeForBrowsers, PAGE_POLICY } from '../support/problem.js';

const REQUEST_ID = /^[\w-]{36}$/;

describe('every answer says what a browser may do with it', () => {
  it.each(['/v1/health', '/openapi.json', '/metrics'])('GET %s', async (url) => {
    const { app } = await createHttpService({ metricsPublic: true });
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-security-policy']).toBe(API_POLICY);
    expectSafeForBrowsers(answer);
  });

  it('a verdict', async () => {
    const { analyze } = await createHttpService();
    const answer = await analyze({ content: 'Good morning.' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-security-policy']).toBe(API_POLICY);
    expectSafeForBrowsers(answer);
  });

  it('over a connection, where nothing is added below us', async () => {
    const { listen } = await createHttpService();
    const answer = await sendBytes(await listen(), requestText('GET', '/v1/health', { Connection: 'close' }));
    expect(answer.status).toBe(200);
    expectSafeForBrowsers(answer);
  });

  it.each(['/', '/docs/', '/docs/static/swagger-ui.css'])(
    '%s, which is a page, may load its own files',
    async (url) => {
      const { app } = await createHttpService();
      const { headers, statusCode } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['content-security-policy']).toBe(PAGE_POLICY);
      // They are the same for everybody, so they may be kept.
      expectSafeForBrowsers({ headers: { ...headers, 'cache-control': 'no-store' } });
    },
  );

  it('the port of the metrics, with an id of the request too', async () => {
    const server = createMetricsServer(createMetrics(() => undefined));
    for (const url of ['/metrics', '/nowhere']) {
      const answer = await server.inject(url);
      expectSafeForBrowsers(answer);
      expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
    }
    expectProblem(await server.inject('/nowhere'), 'not_found');
    expectProblem(await server.inject('/%'), 'bad_request');
    const own = await server.inject({ url: '/metrics', headers: { 'x-request-id': 'mine' } });
    expect(own.headers['x-request-id']).toBe('mine');
    await server.close();
  });

  it('the port of the metrics, also where no request arrives', async () => {
    const server = createMetricsServer(createMetrics(() => undefined));
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const answer = await sendBytes(port, 'no request\r\n\r\n');
    expect(answer.status).toBe(400);
    expectSafeForBrowsers(answer);
    await server.close();
  });
});
