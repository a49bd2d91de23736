/** Promises of the client, against answers that the test gives. test/e2e/client.test.ts has the real service. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { BatchResult as ServiceBatchResult } from '../../../src/http/routes/batch-schemas.js';
import type { AnalyzeResponse, Problem as ServiceProblem } from '../../../src/http/routes/schemas.js';
import {
  ParapetClient,
  ParapetConnectionError,
  ParapetError,
  type ParapetClientOptions,
} from '../src/parapet-client.js';
import { delayMsOf } from '../src/retry.js';
import type { BatchResult, Problem, Verdict } from '../src/types.js';

const VERDICT: Verdict = {
  passed: true,
  score: 0,
  sentiment: 'neutral',
  description: 'Safe',
  categories: [],
  processingTimeMs: 1,
};
const PROBLEM: Problem = {
  type: 'urn:parapet:problem:rate_limited',
  title: 'The rate limit of this key is reached',
  status: 429,
  detail: 'Wait.',
  code: 'rate_limited',
  requestId: 'r-1',
};

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A service that gives these answers, one after another; what is no answer, it waits for. */
function clientOf(answers: (Response | undefined)[], options: Partial<ParapetClientOptions> = {}) {
  const sent: Sent[] = [];
  const fake: typeof fetch = (url, init = {}) => {
    sent.push({ url: url instanceof Request ? url.url : String(url), init });
    const answer = answers.shift();
    if (answer !== undefined) return Promise.resolve(answer);
    return new Promise((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  };
  const client = new ParapetClient({ baseUrl: 'http://service/', apiKey: 'a-key', fetch: fake, ...options });
  return { client, sent };
}

const verdict = (): Response => Response.json(VERDICT);
const refusal = (status: number, headers: Record<string, string> = {}, problem: unknown = PROBLEM): Response =>
  Response.json(problem, { status, headers });

describe('the client', () => {
  it('has the types of the service', () => {
    expectTypeOf<Verdict>().toEqualTypeOf<AnalyzeResponse>();
    expectTypeOf<Problem>().toEqualTypeOf<ServiceProblem>();
    expectTypeOf<BatchResult>().toEqualTypeOf<ServiceBatchResult>();
  });

  it('sends the text, the metadata and the key', async () => {
    const { client, sent } = clientOf([verdict()]);
    expect(await client.analyze('hi', { metadata: { source: 'chat' }, details: true })).toEqual(VERDICT);
    expect(sent[0]?.url).toBe('http://service/v1/analyze?details=true');
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'X-API-Key': 'a-key' },
      body: '{"content":"hi","metadata":{"source":"chat"}}',
    });
  });

  it.each([429, 503])('tries again after %s, as long as attempts are left', async (status) => {
    const { client, sent } = clientOf([refusal(status, { 'retry-after': '0' }), refusal(status), verdict()]);
    expect(await client.analyze('hi')).toEqual(VERDICT);
    expect(sent).toHaveLength(3);
    const tired = clientOf([refusal(status), refusal(status), verdict()], { retry: { attempts: 2 } });
    await expect(tired.client.analyze('hi')).rejects.toMatchObject({ status, code: 'rate_limited' });
  });

  it.each([400, 401, 413, 500])('does not try again after %s', async (status) => {
    const { client, sent } = clientOf([refusal(status), verdict()]);
    await expect(client.analyze('hi')).rejects.toBeInstanceOf(ParapetError);
    expect(sent).toHaveLength(1);
  });

  it('fails at once where it would have to wait too long', async () => {
    const { client, sent } = clientOf([refusal(429, { 'retry-after': '60' }), verdict()]);
    await expect(client.analyze('hi')).rejects.toMatchObject({ problem: PROBLEM });
    expect(sent).toHaveLength(1);
  });

  it('reports answers that are no problem documents, as of a proxy', async () => {
    const { client } = clientOf([new Response('<html>', { status: 502 })]);
    await expect(client.analyze('hi')).rejects.toMatchObject({ status: 502, code: undefined });
  });

  it('takes no other answer for a verdict, and follows nobody to another address', async () => {
    const page = (): Response => new Response('<html>Sign in</html>');
    const { client, sent } = clientOf([page(), page(), Response.json({ results: 'none' }), verdict()]);
    await expect(client.analyze('hi')).rejects.toMatchObject({ name: 'ParapetError', status: 200 });
    await expect(client.analyzeBatch([{ content: 'hi' }])).rejects.toMatchObject({ name: 'ParapetError', status: 200 });
    await expect(client.analyzeBatch([{ content: 'hi' }])).rejects.toMatchObject({ name: 'ParapetError', status: 200 });
    await client.analyze('hi');
    expect(sent.map(({ init }) => init.redirect)).toEqual(Array(4).fill('error'));
  });

  it('does not take what cannot be sent for a broken connection', async () => {
    const metadata: Record<string, unknown> = {};
    metadata.itself = metadata;
    const { client, sent } = clientOf([verdict()]);
    await expect(client.analyze('hi', { metadata })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it('gives up an attempt that takes too long', async () => {
    const { client } = clientOf([undefined], { timeoutMs: 5 });
    await expect(client.analyze('hi')).rejects.toThrow(new ParapetConnectionError('no answer within 5 ms'));
  });

  it('ends at once when its signal is aborted, under way or waiting', async () => {
    const controller = new AbortController();
    const reason = new Error('not needed any more');
    const { signal } = controller;
    const underWay = clientOf([undefined]).client.analyze('hi', { signal });
    const waiting = clientOf([refusal(503, { 'retry-after': '5' })]).client.analyze('hi', { signal });
    controller.abort(reason);
    await expect(underWay).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('tells health without trying again', async () => {
    const starting = { status: 'starting', timestamp: '2026-01-01T00:00:00.000Z' };
    const { client, sent } = clientOf([refusal(503, {}, starting)]);
    expect(await client.health()).toEqual(starting);
    expect(sent[0]?.init.method).toBe('GET');
  });
});

describe('the wait before another try', () => {
  const now = (): number => Date.parse('2026-01-01T00:00:00Z');

  it('is what Retry-After asks for, and up to a quarter more', () => {
    expect(delayMsOf('4', 1, () => 0)).toBe(4_000);
    expect(delayMsOf('4', 1, () => 1)).toBe(5_000);
    expect(delayMsOf('Thu, 01 Jan 2026 00:00:02 GMT', 1, () => 0, now)).toBe(2_000);
  });

  it('doubles with each try where the service asks for nothing', () => {
    expect([1, 2, 3].map((attempt) => delayMsOf(null, attempt, () => 1))).toEqual([250, 500, 1_000]);
    expect(delayMsOf('soon', 1, () => 0.5)).toBe(125);
  });
});
