/** Promises about bytes on a connection, where no HTTP client is polite in between. */
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/http/schemas.js';
import { deferred } from '../support/deferred.js';
import { createFakeAnalyzer, HARMLESS } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';
import { openConnection, requestText, sendBytes } from '../support/raw-http.js';

const HEALTH = requestText('GET', '/v1/health');
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('bytes that are not HTTP', () => {
  it.each([
    ['garbage', 'This is not HTTP.\r\n\r\n'],
    ['binary', Buffer.from([0, 1, 2, 255, 13, 10, 13, 10])],
    ['a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a name', 'GET /v1/health HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a header with NUL', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n'],
    ['a folded header', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n'],
    ['two lengths', 'POST /v1/analyze HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
    [
      'length and chunks',
      requestText('POST', '/v1/analyze', { 'Content-Length': '1', 'Transfer-Encoding': 'chunked' }),
    ],
    ['a length that is no number', requestText('POST', '/v1/analyze', { 'Content-Length': 'ten' })],
    ['no Host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('are bad_request: %s', async (_what, bytes) => {
    const { listen } = await createHttpService();
    expectProblem(await sendBytes(await listen(), bytes), 'bad_request');
  });

  it('are bad_request in a chunked body too, and nothing is judged', async () => {
    const analyzer = createFakeAnalyzer();
    const { listen, key } = await createHttpService({ analyzer });
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Transfer-Encoding': 'chunked' };
    const answer = await sendBytes(await listen(), requestText('POST', '/v1/analyze', headers, 'no chunk\r\n'));
    expectProblem(answer, 'bad_request');
    expect(analyzer.texts).toEqual([]);
  });

  it('are answered after earlier requests on the same connection too', async () => {
    const { listen } = await createHttpService();
    const { socket, answer, ended } = openConnection(await listen());
    socket.write(HEALTH);
    expect((await answer()).status).toBe(200);
    socket.write('This is not HTTP.\r\n\r\n');
    expectProblem(await answer(), 'bad_request');
    expect(await ended()).toBe('');
  });

  it('never get an answer that would pass for that of a request still being judged', async () => {
    const judging = deferred<true>();
    const verdict = deferred<typeof HARMLESS>();
    const analyzer = createFakeAnalyzer(() => {
      judging.resolve(true);
      return verdict.promise;
    });
    const { listen, key, app } = await createHttpService({ analyzer });
    const { socket, ended } = openConnection(await listen());
    socket.write(requestText('POST', '/v1/analyze', { ...JSON_TYPE, 'X-API-Key': key }, '{"content":"hi"}'));
    await judging.promise;
    socket.write('This is not HTTP.\r\n\r\n');
    expect(await ended()).toBe('');
    verdict.resolve(HARMLESS);
    expect((await app.inject('/v1/health')).statusCode).toBe(200);
  });
});

describe('headers', () => {
  it('are refused beyond 16 KiB, after earlier requests too', async () => {
    const { listen } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    socket.write(HEALTH);
    await answer();
    socket.write(requestText('GET', '/v1/health', { 'X-Much': 'a'.repeat(20_000) }));
    expectProblem(await answer(), 'headers_too_large');
  });

  it('with an expectation that nobody knows are answered as if it was not there', async () => {
    const { listen } = await createHttpService();
    const answer = await sendBytes(
      await listen(),
      requestText('GET', '/v1/health', { Expect: 'x', Connection: 'close' }),
    );
    expect(answer.status).toBe(200);
  });

  it('with Expect: 100-continue get the go-ahead and then the verdict', async () => {
    const { listen, key } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    const body = '{"content":"hi"}';
    const headers = { ...JSON_TYPE, 'X-API-Key': key, Expect: '100-continue', 'Content-Length': String(body.length) };
    socket.write(requestText('POST', '/v1/analyze', headers));
    expect((await answer()).status).toBe(100);
    socket.write(body);
    expect((await answer()).status).toBe(200);
  });

  it('that ask for another protocol are answered in this one', async () => {
    const { listen } = await createHttpService();
    const headers = { Connection: 'close, Upgrade', Upgrade: 'websocket' };
    expect((await sendBytes(await listen(), requestText('GET', '/v1/health', headers))).status).toBe(200);
  });
});

describe('a slow request', () => {
  it.each([
    ['in the headers', (key: string) => requestText('POST', '/v1/analyze', { 'X-API-Key': key }).slice(0, -2)],
    [
      'in the body',
      (key: string) =>
        requestText('POST', '/v1/analyze', { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': '50' }, '{"content":'),
    ],
    [
      'in a chunked body',
      (key: string) =>
        requestText(
          'POST',
          '/v1/analyze',
          { ...JSON_TYPE, 'X-API-Key': key, 'Transfer-Encoding': 'chunked' },
          '5\r\n{',
        ),
    ],
  ])('that stops %s is told so in time', async (_where, begun) => {
    const { listen, key } = await createHttpService({ requestTimeoutMs: 50 });
    const { socket, answer, ended } = openConnection(await listen());
    socket.write(begun(key));
    const timedOut = await answer();
    expectProblem(timedOut, 'request_timeout');
    expect(timedOut.headers.connection).toBe('close');
    expect(await ended()).toBe('');
  });
});

describe('slow headers', () => {
  it('are given up before a slow body is', async () => {
    const { listen, key } = await createHttpService({ requestTimeoutMs: 900 });
    const port = await listen();
    const order: string[] = [];
    const begin = async (name: string, bytes: string): Promise<void> => {
      const { socket, answer } = openConnection(port);
      socket.write(bytes);
      expectProblem(await answer(), 'request_timeout');
      order.push(name);
    };
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': '50' };
    await Promise.all([
      begin('body', requestText('POST', '/v1/analyze', headers, '{"content":')),
      begin('headers', requestText('POST', '/v1/analyze', headers).slice(0, -2)),
    ]);
    expect(order).toEqual(['headers', 'body']);
  });
});

describe('a body', () => {
  it('is judged when it comes in chunks', async () => {
    const analyzer = createFakeAnalyzer();
    const { listen, key } = await createHttpService({ analyzer });
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Transfer-Encoding': 'chunked', Connection: 'close' };
    const chunks = 'b\r\n{"content":\r\n5\r\n"hi"}\r\n0\r\n\r\n';
    expect((await sendBytes(await listen(), requestText('POST', '/v1/analyze', headers, chunks))).status).toBe(200);
    expect(analyzer.texts).toEqual(['hi']);
  });

  it('that is announced as too large is refused before it is sent', async () => {
    const { listen, key } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': String(MAX_BODY_BYTES + 1) };
    socket.write(requestText('POST', '/v1/analyze', headers));
    const refused = await answer();
    expectProblem(refused, 'body_too_large');
    expect(refused.headers.connection).toBe('close');
  });

  it('that grows too large in chunks is refused, and the connection closed', async () => {
    const { listen, key } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Transfer-Encoding': 'chunked' };
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    socket.write(requestText('POST', '/v1/analyze', headers, chunk.repeat(5)));
    const refused = await answer();
    expectProblem(refused, 'body_too_large');
    expect(refused.headers.connection).toBe('close');
  });

  it('of a refused request is never read as a request', async () => {
    const { listen } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    const smuggled = requestText('GET', '/v1/health', { 'X-Request-Id': 'smuggled' });
    socket.write(requestText('POST', '/v1/analyze', JSON_TYPE, smuggled));
    socket.write(requestText('GET', '/v1/health', { 'X-Request-Id': 'next' }));
    expectProblem(await answer(), 'unauthorized');
    expect((await answer()).headers['x-request-id']).toBe('next');
  });

  it('that its sender breaks off is no fault of ours', async () => {
    const { app, listen, key, log, metricsText } = await createHttpService();
    const port = await listen();
    const { socket } = openConnection(port);
    const arrived = new Promise((resolve) => app.server.once('request', resolve));
    const answered = new Promise((resolve) => {
      app.server.once('request', (_request, response) => response.once('close', resolve));
    });
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': '100' };
    socket.write(requestText('POST', '/v1/analyze', headers, '{"content":"PLANTED'));
    await arrived;
    socket.destroy();
    await answered;
    expect((await sendBytes(port, requestText('GET', '/v1/health', { Connection: 'close' }))).status).toBe(200);
    expect(log()).not.toContain('internal error');
    expect(log()).not.toContain('PLANTED');
    expect(await metricsText()).not.toContain('status="500"');
  });
});
