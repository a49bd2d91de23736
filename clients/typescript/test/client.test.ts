/** Promises of the client, against answers that the test gives. test/e2e/client.test.ts has the real service. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  MAX_BATCH_BYTES as SERVICE_BYTES,
  MAX_BATCH_ITEMS as SERVICE_ITEMS,
  type BatchResult as ServiceBatchResult,
} from '../../../src/http/routes/batch-schemas.js';
import type { AnalyzeResponse, Problem as ServiceProblem } from '../../../src/http/routes/schemas.js';
import { batches, bodyOf, MAX_BATCH_BYTES, MAX_BATCH_ITEMS, type Batch, type Text } from '../src/batches.js';
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
  const client = new ParapetClient({ baseUrl: 'http://service/path/', apiKey: 'a-key', fetch: fake, ...options });
  return { client, sent };
}

const verdict = (): Response => Response.json(VERDICT);
const refusal = (status: number, headers: Record<string, string> = {}, problem: unknown = PROBLEM): Response =>
  Response.json(problem, { status, headers });

describe('the client', () => {
  it('has the types and limits of the service', () => {
    expect([MAX_BATCH_ITEMS, MAX_BATCH_BYTES]).toEqual([SERVICE_ITEMS, SERVICE_BYTES]);
    expectTypeOf<Verdict>().toEqualTypeOf<AnalyzeResponse>();
    expectTypeOf<Problem>().toEqualTypeOf<ServiceProblem>();
    expectTypeOf<BatchResult>().toEqualTypeOf<ServiceBatchResult>();
  });

  it('sends the text, the metadata and the key', async () => {
    const { client, sent } = clientOf([verdict()]);
    expect(await client.analyze('hi', { metadata: { source: 'chat' }, details: true })).toEqual(VERDICT);
    expect(sent[0]?.url).toBe('http://service/path/v1/analyze?details=true');
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
    expect(sent.map(({ init }) => init.redirect)).toEqual(Array(4).fill('manual'));
  });

  it('does not take what cannot be sent for a broken connection', async () => {
    const metadata: Record<string, unknown> = {};
    metadata.itself = metadata;
    const { client, sent } = clientOf([verdict()]);
    await expect(client.analyze('hi', { metadata })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it('names the address and the cause in its errors', async () => {
    const { client } = clientOf([refusal(400)]);
    await expect(client.analyze('hi')).rejects.toThrow('http://service/path answered 400, rate_limited: Wait.');
    const broken = clientOf([], {
      fetch: () => Promise.reject(new TypeError('failed', { cause: new Error('ECONN') })),
    });
    await expect(broken.client.analyze('hi')).rejects.toThrow('no answer from http://service/path: ECONN');
  });

  it.each([
    ['service:3000', 'a-key', 'baseUrl'],
    ['', 'a-key', 'baseUrl'],
    ['http://me:a-secret@service', 'a-key', 'baseUrl'],
    ['http://service', '', 'apiKey'],
    ['http://service', 'a-secret\n', 'apiKey'],
  ])('refuses the address %j and the key %j, and quotes neither', (baseUrl, apiKey, named) => {
    const create = (): ParapetClient => new ParapetClient({ baseUrl, apiKey });
    expect(create).toThrow(named);
    expect(create).not.toThrow(/a-secret/);
  });

  it('gives up an attempt that takes too long', async () => {
    const { client } = clientOf([undefined], { timeoutMs: 5 });
    const message = 'no answer from http://service/path: nothing came in 5 ms';
    await expect(client.analyze('hi')).rejects.toThrow(new ParapetConnectionError(message));
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

  it('tells health without the key, and without trying again', async () => {
    const starting = { status: 'starting', timestamp: '2026-01-01T00:00:00.000Z' };
    const { client, sent } = clientOf([refusal(503, {}, starting)]);
    expect(await client.health()).toEqual(starting);
    expect(sent.map(({ url, init }) => [url, init.headers])).toEqual([['http://service/path/v1/health', undefined]]);
  });
});

describe('many texts', () => {
  const resultsOf = (...names: string[]): Response =>
    Response.json({ results: names.map((id) => ({ id, verdict: VERDICT })) });
  const idsOf = (results: BatchResult[]) => results.map(({ id }) => id);
  async function split(texts: Text[]): Promise<Batch[]> {
    const all: Batch[] = [];
    for await (const batch of batches(texts, MAX_BATCH_ITEMS)) all.push(batch);
    return all;
  }

  it('are strings or items, in as many requests as the service takes them in', async () => {
    expect(await split(['hi', { content: 'ho', id: '1' }])).toEqual([
      ['{"content":"hi"}', '{"content":"ho","id":"1"}'],
    ]);
    expect((await split(Array<string>(300).fill('hi'))).map(({ length }) => length)).toEqual([128, 128, 44]);
    const large = await split(Array<string>(10).fill('\u{1f600}'.repeat(260_000)));
    expect(large.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(large.every((batch) => new TextEncoder().encode(bodyOf(batch)).length <= MAX_BATCH_BYTES)).toBe(true);
    // To the byte.
    const room = MAX_BATCH_BYTES - bodyOf(['{"content":""}', '{"content":""}']).length;
    expect(await split(['', 'x'.repeat(room)])).toHaveLength(1);
    expect(await split(['', 'x'.repeat(room + 1)])).toHaveLength(2);
  });

  it('are not taken for the letters of one', async () => {
    const { client, sent } = clientOf([]);
    await expect(client.analyzeMany('hi').next()).rejects.toThrow('one text where many are expected');
    await expect(client.analyzeBatch('hi' as unknown as string[])).rejects.toThrow('one text where many are expected');
    expect(sent).toEqual([]);
  });

  it('come back in their order, from a list or a stream', async () => {
    const { client, sent } = clientOf([resultsOf('1', '2'), resultsOf('3', '4'), resultsOf('5')]);
    async function* stream(): AsyncGenerator<string> {
      for (const text of 'abcde') yield await Promise.resolve(text);
    }
    const results: BatchResult[] = [];
    for await (const result of client.analyzeMany(stream(), { batchSize: 2 })) results.push(result);
    expect(idsOf(results)).toEqual(['1', '2', '3', '4', '5']);
    expect(sent.map(({ init }) => init.body)).toEqual([
      '{"items":[{"content":"a"},{"content":"b"}]}',
      '{"items":[{"content":"c"},{"content":"d"}]}',
      '{"items":[{"content":"e"}]}',
    ]);
    expect(idsOf(await clientOf([resultsOf('1', '2')]).client.analyzeBatch(['a', 'b']))).toEqual(['1', '2']);
    expect(await clientOf([]).client.analyzeBatch([])).toEqual([]);
  });

  it('keep no more requests under way than asked for, and none once the loop has ended', async () => {
    const read: number[] = [];
    function* endless(): Generator<string> {
      for (let index = 0; ; index += 1) {
        read.push(index);
        yield `${index}`;
      }
    }
    const { client, sent } = clientOf([resultsOf('0')]);
    for await (const { id } of client.analyzeMany(endless(), { batchSize: 1, concurrency: 3 })) {
      expect(id).toBe('0');
      expect(read).toHaveLength(3);
      break;
    }
    expect(sent.map(({ init }) => init.signal?.aborted)).toEqual([true, true, true]);
  });

  it('are not matched with results of another number', async () => {
    const { client } = clientOf([resultsOf('1')]);
    await expect(client.analyzeBatch(['a', 'b'])).rejects.toMatchObject({ name: 'ParapetError', status: 200 });
  });

  it('are not spoilt by one that is too large for any request', async () => {
    const problem = { ...PROBLEM, status: 413, code: 'body_too_large' };
    const { client } = clientOf([resultsOf('1'), refusal(413, {}, problem)]);
    const huge = { content: 'x'.repeat(MAX_BATCH_BYTES), id: 'huge' };
    expect(await client.analyzeBatch(['a', huge])).toEqual([
      { id: '1', verdict: VERDICT },
      { id: 'huge', problem },
    ]);
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
