/** The promise that texts, metadata and keys never reach a log line, a metric or an answer, at any log level. */
import { writeFileSync } from 'node:fs';
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createFailingAnalyzer, createFakeAnalyzer, INSULT, queueFull } from '../../support/fake-analyzer.js';
import { createHttpService, type HttpService } from '../../support/http-service.js';
import { openConnection, requestText } from '../../support/raw-http.js';

const TEXT = 'PLANTEDTEXT';
const METADATA = 'PLANTEDMETADATA';
const CONTENT = `You are a ${TEXT}.`;
const BODY = { content: CONTENT, metadata: { user: METADATA, [METADATA]: 1 } };

/** Sends all kinds of requests that carry the secrets. @returns everything that came back, heads included */
async function askEverything(service: HttpService): Promise<string> {
  const { app, key } = service;
  const bodies: (string | object)[] = [
    BODY,
    { ...BODY, content: 7 },
    { ...BODY, content: CONTENT.repeat(1_000) },
    { content: CONTENT, metadata: [METADATA] },
    { content: CONTENT, metadata: METADATA },
    { content: CONTENT, metadata: { a: METADATA.repeat(2_000) } },
    { [TEXT]: METADATA },
    [TEXT],
    JSON.stringify(BODY).slice(0, -1),
    `${TEXT} {"content": ${key}`,
    CONTENT.repeat(30_000),
  ];
  const requests: InjectOptions[] = [
    ...bodies.map((payload) => ({ payload })),
    { payload: BODY, url: '/v1/analyze?details=true' },
    { payload: BODY, url: `/v1/analyze?details=${TEXT}&${METADATA}=${key}` },
    { payload: BODY, url: `/v1/${TEXT}/${key}?${METADATA}` },
    { payload: BODY, url: `/v1/analyze/%zz${TEXT}${key}` },
    { url: `/docs/static/${TEXT}%00${key}`, method: 'GET' },
    { payload: BODY, method: 'PUT' },
    { payload: BODY, headers: { 'content-type': `text/${TEXT}` } },
    { payload: BODY, headers: { 'content-type': `${TEXT} ${key}` } },
    { payload: BODY, headers: { 'x-request-id': key } },
    { payload: BODY, headers: { 'x-request-id': `job:${key}` } },
    { payload: BODY, headers: { 'x-api-key': `${key}x` } },
    { payload: BODY, headers: { 'x-api-key': `${key}, ${key}` } },
    { payload: BODY, headers: { 'x-api-key': TEXT, authorization: `Bearer ${key}`, cookie: `a=${key}` } },
    { payload: BODY, headers: { 'x-api-key': '', authorization: `Bearer ${key}` } },
    { payload: { ...BODY, content: 7 }, headers: { 'x-api-key': '', authorization: `Bearer ${key}` } },
    { payload: BODY, headers: { 'x-api-key': key, authorization: `Bearer ${TEXT}` } },
    { payload: BODY, headers: { 'x-api-key': '', authorization: `Basic ${TEXT}${key}` } },
  ];
  const seen: string[] = [];
  for (const { headers, ...request } of requests) {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/analyze',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...request,
    });
    seen.push(JSON.stringify(answer.headers), answer.body);
  }
  const port = await service.listen();
  for (const bytes of [
    `${TEXT} ${key}\r\n\r\n`,
    requestText('GET', '/v1/health', { [TEXT]: `${key}\u0000` }),
    requestText('POST', '/v1/analyze', { 'X-API-Key': key, [TEXT]: key.repeat(500) }),
    requestText('POST', '/v1/analyze', { 'X-API-Key': key, 'Transfer-Encoding': 'chunked' }, TEXT),
  ]) {
    const { socket, ended } = openConnection(port);
    socket.end(bytes);
    seen.push(await ended());
  }
  return seen.join('\n');
}

const quotes = (): Error => new Error(`cannot judge ${CONTENT}`, { cause: new Error(CONTENT) });

describe('texts, metadata and keys', () => {
  it.each([
    [
      'judges',
      async () => createHttpService({ analyzer: createFakeAnalyzer(() => INSULT), rateLimitPerMinute: 1_000 }),
    ],
    ['limits rates', async () => createHttpService({ rateLimitPerMinute: 1 })],
    ['has no model yet', async () => createHttpService({ analyzer: null })],
    ['is at capacity', async () => createHttpService({ analyzer: createFailingAnalyzer(queueFull()) })],
    ['is at fault', async () => createHttpService({ analyzer: createFailingAnalyzer(quotes()) })],
    ['is shutting down', async () => createHttpService({ isStopping: () => true })],
    [
      'cannot read its keys',
      async () => {
        const service = await createHttpService();
        writeFileSync(service.keysFile, `{"keys": "${TEXT}"`);
        return service;
      },
    ],
    [
      'has revoked the key',
      async () => {
        const service = await createHttpService();
        await service.store.revoke(service.record.id);
        return service;
      },
    ],
  ])('stay with the caller while the service %s', async (_state, create) => {
    const service = await create();
    const answers = await askEverything(service);
    const everything = [answers, service.log(), await service.metricsText()].join('\n');
    // The log is not empty, so that the rest means something.
    expect(service.log()).toContain('"msg":"request"');
    for (const secret of [TEXT, METADATA, service.key, service.key.slice('sk_live_'.length)]) {
      expect(everything.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it('are not in the log line of a request, which says who asked, for what and what came of it', async () => {
    const service = await createHttpService();
    await service.analyze(BODY, { headers: { 'x-request-id': 'job-1' } });
    const lines = service.log().trim().split('\n');
    const logged = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      requestId: 'job-1',
      keyId: service.record.id,
      method: 'POST',
      route: '/v1/analyze',
      status: 200,
      model: 'fake-model@1.0.0',
    });
    expect(logged[0]).not.toHaveProperty('req');
  });
});
