/** Promises about paths and methods: 404 where nothing is, 405 with `Allow` where another method is, whatever the body. */
import { describe, expect, it } from 'vitest';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';
import { requestText, sendBytes } from '../support/raw-http.js';

describe('methods', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '%s /v1/analyze is refused with Allow: POST, key or not',
    async (method) => {
      const { listen, key } = await createHttpService();
      const port = await listen();
      for (const headers of [{}, { 'X-API-Key': key }]) {
        const answer = await sendBytes(port, requestText(method, '/v1/analyze', { ...headers, Connection: 'close' }));
        expectProblem(answer, 'method_not_allowed');
        expect(answer.headers.allow).toBe('POST');
      }
    },
  );

  it.each([
    ['POST', '/v1/health', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['POST', '/docs/static/swagger-ui.css', 'GET, HEAD'],
    ['GET', '/v1/analyze?details=true', 'POST'],
    ['GET', '/v1/%61nalyze', 'POST'],
    ['PUT', 'http://localhost/v1/analyze', 'POST'],
  ])('%s %s is refused with Allow: %s', async (method, path, allow) => {
    const { listen } = await createHttpService();
    const answer = await sendBytes(await listen(), requestText(method, path, { Connection: 'close' }));
    expect(expectProblem(answer, 'method_not_allowed').detail).toBe(`Use ${allow.replace(', ', ' or ')} here.`);
    expect(answer.headers.allow).toBe(allow);
  });

  it.each([
    ['broken JSON', { 'Content-Type': 'application/json' }, '{'],
    ['another media type', { 'Content-Type': 'text/plain' }, 'hi'],
    ['no media type', {}, 'hi'],
    ['too much', { 'Content-Type': 'application/json' }, ' '.repeat(300_000)],
  ])('are refused before the body is looked at: %s', async (_what, headers, payload) => {
    const { app } = await createHttpService();
    expectProblem(await app.inject({ method: 'PUT', url: '/v1/analyze', headers, payload }), 'method_not_allowed');
    expectProblem(await app.inject({ method: 'POST', url: '/v1/analyse', headers, payload }), 'not_found');
  });

  it('HEAD is refused without a body where only POST is', async () => {
    const { app } = await createHttpService();
    const answer = await app.inject({ method: 'HEAD', url: '/v1/analyze' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'POST', 'content-type': 'application/problem+json; charset=utf-8' });
    expect(answer.body).toBe('');
  });

  it('that nobody has heard of are not valid HTTP to us', async () => {
    const { listen } = await createHttpService();
    expectProblem(await sendBytes(await listen(), requestText('INVENTED', '/v1/analyze')), 'bad_request');
  });
});

describe('paths', () => {
  it.each([
    '/',
    '/v1',
    '/v1/analyze/',
    '/v1/Analyze',
    '/v2/analyze',
    '/v1/analyze.json',
    '//v1/analyze',
    '/metrics',
    '/*',
    '/*a',
    '/:a(b',
    '/docs/nothing',
    '/docs/static/nothing.css',
    '/docs/static/.hidden',
    '/docs/static/%00',
    '/docs/json',
    '/dashboard',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    `/docs/static/${'a'.repeat(5_000)}`,
    '/constructor',
    '/__proto__',
  ])('%s holds nothing', async (path) => {
    const { listen } = await createHttpService();
    const answer = await sendBytes(await listen(), requestText('GET', path, { Connection: 'close' }));
    expectProblem(answer, 'not_found');
  });

  it.each(['/%', '/%zz', '/v1/analyze%c3', '/v1/%ff'])('%s is no path', async (path) => {
    const { listen, key } = await createHttpService();
    const headers = { Connection: 'close', 'X-API-Key': key };
    const answer = await sendBytes(await listen(), requestText('GET', path, headers));
    expectProblem(answer, 'bad_request');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('/ tells a newcomer where to go', async () => {
    const { app } = await createHttpService();
    const { detail } = expectProblem(await app.inject('/'), 'not_found');
    for (const path of detail.match(/\/[\w/.]+[\w]/g) ?? []) expect((await app.inject(path)).statusCode).toBe(200);
    expect(detail.match(/\/[\w/.]+[\w]/g)).toEqual(['/docs', '/openapi.json', '/v1/health']);
  });

  it('/dashboard says how it is turned on where it is off', async () => {
    const off = await createHttpService();
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/keys', '/dashboard?x=1']) {
      expect(expectProblem(await off.app.inject(path), 'not_found').detail).toContain('admin -- set-password');
    }
    const on = await createHttpService({ dashboard: {} });
    expect(expectProblem(await on.app.inject('/dashboard/nothing'), 'not_found').detail).toContain('/docs');
  });
});
