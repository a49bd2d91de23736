/** Promises about bytes on a connection, where no HTTP client is polite in between. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/http/routes/schemas.js';
import { deferred } from '../support/deferred.js';
import { createFakeAnalyzer, HARMLESS } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';
import { openConnection, requestText, sendBytes } from '../support/raw-http.js';

const HEALTH = requestText('GET', '/v1/health');
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** An analyzer that judges when it is told to, and says what it was asked. */
function createSlowAnalyzer() {
  const begun = deferred<true>();
  const verdict = deferred<typeof HARMLESS>();
  const analyzer = createFakeAnalyzer(() => {
    begun.resolve(true);
    return verdict.promise;
  });
  return { analyzer, begun: begun.promise, judge: () => verdict.resolve(HARMLESS) };
}

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
    const { analyzer, begun, judge } = createSlowAnalyzer();
    const { listen, key, app } = await createHttpService({ analyzer });
    const { socket, ended } = openConnection(await listen());
    socket.write(requestText('POST', '/v1/analyze', { ...JSON_TYPE, 'X-API-Key': key }, '{"content":"hi"}'));
    await begun;
    socket.write('This is not HTTP.\r\n\r\n');
    expect(await ended()).toBe('');
    judge();
    expect((await app.inject('/v1/health')).statusCode).toBe(200);
  });
});

describe('headers', () => {
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
});

describe('a slow request', () => {
  it.each([
    ['in the headers', {}, ''],
    ['in the body', { 'Content-Length': '50' }, '{"content":'],
    ['in a chunked body', { 'Transfer-Encoding': 'chunked' }, '5\r\n{'],
  ])('that stops %s is told so in time, with its own id where it is known', async (_where, framing, body) => {
    const { listen, key } = await createHttpService({ requestTimeoutMs: 50 });
    const { socket, answer, ended } = openConnection(await listen());
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'X-Request-Id': 'mine', ...framing };
    const begun = requestText('POST', '/v1/analyze', headers, body);
    socket.write(body === '' ? begun.slice(0, -2) : begun);
    const timedOut = await answer();
    const { requestId } = expectProblem(timedOut, 'request_timeout');
    expect(requestId === 'mine').toBe(body !== '');
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

describe('requests sent ahead on one connection', () => {
  const analyze = (key: string, content: string): string =>
    requestText('POST', '/v1/analyze', { ...JSON_TYPE, 'X-API-Key': key }, JSON.stringify({ content }));

  it('are answered in their order, each', async () => {
    const { listen } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    const ids = Array.from({ length: 30 }, (_, index) => `number-${index}`);
    socket.write(ids.map((id) => requestText('GET', '/v1/health', { 'X-Request-Id': id })).join(''));
    for (const id of ids) expect((await answer()).headers['x-request-id']).toBe(id);
  });

  it('cost no work before their turn, and none once the client has gone', async () => {
    const { analyzer, begun, judge } = createSlowAnalyzer();
    const { app, listen, key, log } = await createHttpService({ analyzer });
    const port = await listen();
    const { socket } = openConnection(port);
    const arrived = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
    socket.write(['one', 'two', 'three'].map((content) => analyze(key, content)).join(''));
    await begun;
    const closed = new Promise((resolve) => void arrived.then((accepted) => accepted.once('close', resolve)));
    socket.destroy();
    await closed;
    judge();
    expect((await sendBytes(port, requestText('GET', '/v1/health', { Connection: 'close' }))).status).toBe(200);
    expect(analyzer.texts).toEqual(['one']);
    expect(log().match(/"status":499/g)).toHaveLength(1);
  });

  it('get no answer after the one that closes the connection', async () => {
    const analyzer = createFakeAnalyzer();
    const { listen, key } = await createHttpService({ analyzer });
    const { socket, answer, ended } = openConnection(await listen());
    socket.write(requestText('GET', '/v1/health', { Host: 'a/b' }) + analyze(key, 'two'));
    expectProblem(await answer(), 'bad_request');
    expect(await ended()).toBe('');
    expect(analyzer.texts).toEqual([]);
  });

  it('close the connection when too many of them wait', async () => {
    const { analyzer, begun, judge } = createSlowAnalyzer();
    const { listen, key } = await createHttpService({ analyzer });
    const port = await listen();
    const { socket, ended } = openConnection(port);
    socket.write(analyze(key, 'one'));
    await begun;
    socket.write(HEALTH.repeat(1_000));
    expect(await ended()).toBe('');
    judge();
    expect((await sendBytes(port, requestText('GET', '/v1/health', { Connection: 'close' }))).status).toBe(200);
  });

  it('that stop halfway get no answer that would pass for that of an earlier one', async () => {
    const { analyzer, begun, judge } = createSlowAnalyzer();
    const { listen, key } = await createHttpService({ analyzer, requestTimeoutMs: 50 });
    const { socket, ended } = openConnection(await listen());
    socket.write(analyze(key, 'one'));
    await begun;
    socket.write(requestText('POST', '/v1/analyze', { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': '50' }, '{'));
    expect(await ended()).toBe('');
    judge();
  });
});

describe('a request that is not HTTP as it is spoken here', () => {
  it.each([
    ['two Host headers', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'two Host headers'],
    ['two equal Host headers', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', 'two Host headers'],
    ['two Host headers in HTTP/1.0', 'GET /v1/health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 'two Host headers'],
    ['a Host with a path', 'GET /$discovery/rest HTTP/1.1\r\nHost: a/b\r\n\r\n', 'not a name and a port'],
    ['a Host with a user', 'GET /v1/health HTTP/1.1\r\nHost: a@b\r\n\r\n', 'not a name and a port'],
    ['two hosts in one', 'GET /v1/health HTTP/1.1\r\nHost: a, b\r\n\r\n', 'not a name and a port'],
    ['HTTP/2.0', 'GET /v1/health HTTP/2.0\r\nHost: a\r\n\r\n', 'HTTP/1.1'],
    ['HTTP/0.9', 'GET /v1/health\r\n\r\n', 'HTTP/1.1'],
  ])('is refused, and the connection closed: %s', async (_what, bytes, told) => {
    const { listen } = await createHttpService();
    const { socket, answer, ended } = openConnection(await listen());
    socket.write(bytes);
    const refused = await answer();
    expect(refused.status).toBe(400);
    expect(refused.body).toContain(told);
    expect(refused.headers.connection).toBe('close');
    expect(await ended()).toBe('');
  });

  it.each([
    'localhost',
    'example.org:8080',
    '127.0.0.1:1',
    '[::1]:8080',
    '[::1]',
    'my_host.internal',
    'xn--bcher-kva.example',
    '',
  ])('does not refuse the Host %j', async (host) => {
    const { listen } = await createHttpService();
    const answer = await sendBytes(
      await listen(),
      requestText('GET', '/v1/health', { Host: host, Connection: 'close' }),
    );
    expect(answer.status).toBe(200);
  });

  it('HTTP/1.0 without a Host is answered', async () => {
    const { listen } = await createHttpService();
    expect((await sendBytes(await listen(), 'GET /v1/health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('a client that is still sending when it is refused', () => {
  it.each([
    ['body_too_large', false, 0],
    ['shutting_down', true, 0],
    // More than a request holds before somebody reads it.
    ['body_too_large', false, 100_000],
  ])('is read to the end, so that no reset overtakes its %s', async (code, isStopping, sentBefore) => {
    const { app, listen, key } = await createHttpService({ isStopping: () => isStopping });
    const port = await listen();
    const arrived = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
    // It goes on sending although the other side has said that it will write no more.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const told: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => told.push(chunk));
    const body = Buffer.alloc(MAX_BODY_BYTES + 1, ' ');
    const headers = { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': String(body.length) };
    socket.write(requestText('POST', '/v1/analyze', headers));
    socket.write(body.subarray(0, sentBefore));
    await once(socket, 'end');
    expect(Buffer.concat(told).toString()).toContain(`"code":"${code}"`);
    const accepted = await arrived;
    const closed = new Promise((resolve) => accepted.once('close', resolve));
    socket.write(body.subarray(sentBefore));
    await closed;
    expect(accepted.bytesRead).toBeGreaterThan(body.length);
    expect(socket.errored).toBeNull();
    socket.destroy();
  });

  it('is cut off when it sends without end', async () => {
    const { listen, key } = await createHttpService();
    const { socket, answer } = openConnection(await listen());
    socket.write(
      requestText('POST', '/v1/analyze', { ...JSON_TYPE, 'X-API-Key': key, 'Content-Length': '1000000000' }),
    );
    expectProblem(await answer(), 'body_too_large');
    const chunk = Buffer.alloc(1_000_000);
    let sent = 0;
    while (!socket.destroyed && sent < 100_000_000) {
      if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      sent += chunk.length;
    }
    expect(socket.destroyed).toBe(true);
    expect(sent).toBeLessThan(40_000_000);
  });
});
