/** Promises of the judge over HTTP: what is sent, what is waited for, what is skipped, what ends the run. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpJudge } from '../../../../benchmarks/accuracy/judges/http-judge.js';

const KEY = 'sk_' + 'test_' + '0123456789abcdefghijklmnopqrstuv';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = (response: ServerResponse, received: Received) => void;

/** Answers the n-th request with the n-th reply, the last one from then on. */
async function serve(...replies: readonly Reply[]) {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const reply = replies[Math.min(requests.length, replies.length - 1)];
      requests.push(received);
      reply?.(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const verdict = {
  passed: false,
  score: 7,
  sentiment: 'toxic',
  description: 'Toxic.',
  categories: ['toxic'],
  processingTimeMs: 3,
  details: {
    model: 'm@1',
    band: 'Toxic',
    labels: { toxicity: 0.9 },
    sentiment: { positive: 0.1, negative: 0.7, neutral: 0.2 },
    spans: [],
    windows: 1,
    cached: false,
  },
};

const sendJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, headers?: Record<string, string>): Reply =>
  sendJson(status, { type: 'x', title: 'x', status, detail: 'Because.', code, requestId: 'r' }, headers);
const ok = sendJson(200, verdict);

describe('judge over HTTP', () => {
  it('asks for details with the key and gives the verdict', async () => {
    const { url, requests } = await serve(ok);
    expect(await createHttpJudge({ url, key: KEY }).judge('so "bad" 😀')).toEqual({
      score: 7,
      passed: false,
      sentiment: 'toxic',
      categories: ['toxic'],
      labels: { toxicity: 0.9 },
      sentiments: { positive: 0.1, negative: 0.7, neutral: 0.2 },
      model: 'm@1',
    });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/v1/analyze?details=true',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ content: 'so "bad" 😀' });
  });

  it('waits as long as a 503 or 429 says, in seconds or by the clock, and then asks again', async () => {
    const waitsMs: number[] = [];
    const nowMs = Date.parse('2030-01-01T00:00:00Z');
    const { url, requests } = await serve(
      problem(503, 'queue_full', { 'retry-after': '2' }),
      problem(429, 'rate_limited', { 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT' }),
      problem(503, 'model_not_ready'),
      ok,
    );
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waitsMs.push(ms));
    const judge = createHttpJudge({ url, key: KEY, sleep, now: () => nowMs });
    expect(await judge.judge('x')).toMatchObject({ score: 7 });
    expect(waitsMs).toEqual([2000, 7000, 1000]);
    expect(requests).toHaveLength(4);
  });

  it('takes a 400 for a refusal of this text alone', async () => {
    const { url } = await serve(problem(400, 'content_too_long'), ok);
    const judge = createHttpJudge({ url, key: KEY });
    expect(await judge.judge('x')).toEqual({ error: 'content_too_long' });
    expect(await judge.judge('y')).toMatchObject({ score: 7 });
  });

  it.each([
    ['a key that is refused', problem(401, 'unauthorized'), 'answered 401 unauthorized: Because.'],
    ['a fault of the service', problem(500, 'internal_error'), 'answered 500 internal_error: Because.'],
    ['a 400 that no other text would mend', problem(400, 'invalid_query'), 'answered 400 invalid_query: Because.'],
    [
      'a verdict without details',
      sendJson(200, { ...verdict, details: undefined }),
      'not with a verdict and its details',
    ],
    ['a redirect', sendJson(307, {}, { location: 'http://127.0.0.1:9/' }), 'does not answer'],
    ['a broken connection', ((response) => void response.destroy()) satisfies Reply, 'does not answer: '],
  ])('stops at %s, without the key in the message', async (_, reply, message) => {
    const { url, requests } = await serve(reply);
    const error = await createHttpJudge({ url, key: KEY }).judge('x').then(String, String);
    expect(error).toContain(message);
    expect(error).not.toContain(KEY);
    expect(requests).toHaveLength(1);
  });
});
