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
    '/v1/analyze/',
    '/v1/Analyze',
    '/v2/analyze',
    '//v1/analyze',
    '/metrics',
    '/*a',
    '/:a(b',
    '/docs/nothing',
    '/docs/static/nothing.css',
    '/docs/static/%00',
    '/dashboard',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    `/docs/static/${'a'.repeat(5_000)}`,
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

  it('/ tells a newcomer where to go, by links that lead there, and where texts go', async () => {
    const off = await createHttpService();
    const on = await createHttpService({ dashboard: {} });
    const paths = ['/docs', '/openapi.json', '/v1/health'];
    for (const [{ app }, expected] of [
      [off, paths],
      [on, [...paths, '/dashboard']],
    ] as const) {
      const page = await app.inject('/');
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.body).toContain('POST a text to <code>/v1/analyze</code>');
      const links = [...page.body.matchAll(/<a href="([^"]+)">([^<]+)</g)];
      expect(links.map(([, , path]) => path)).toEqual(expected);
      // Relative, for a proxy that puts the service under another path.
      expect(links.map(([, href]) => `/${href ?? ''}`)).toEqual(expected);
      for (const path of expected) expect((await app.inject(path)).statusCode).toBe(200);
      const posted = expectProblem(await app.inject({ method: 'POST', url: '/' }), 'method_not_allowed');
      expect(posted.detail).toBe('Use GET or HEAD here. Texts go to POST /v1/analyze.');
    }
  });

  it('a path that holds nothing tells where something is', async () => {
    const { app } = await createHttpService();
    const { detail } = expectProblem(await app.inject('/analyze'), 'not_found');
    const [texts, ...pages] = detail.match(/\/[\w/.]+[\w]/g) ?? [];
    expect([texts, ...pages]).toEqual(['/v1/analyze', '/docs', '/openapi.json', '/v1/health']);
    for (const path of pages) expect((await app.inject(path)).statusCode).toBe(200);
  });

  it('/dashboard says how it is turned on where it is off', async () => {
    const off = await createHttpService();
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/keys', '/dashboard?x=1']) {
      expect(expectProblem(await off.app.inject(path), 'not_found').detail).toContain('admin set-password');
    }
    const on = await createHttpService({ dashboard: {} });
    expect(expectProblem(await on.app.inject('/dashboard/nothing'), 'not_found').detail).toContain('/docs');
  });
});
