/** Promises about API keys at the interface: who is let in, and that a refusal tells nobody anything. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createKeySecret } from '../../../src/keys/key-format.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { createFakeAnalyzer } from '../../support/fake-analyzer.js';
import { DOORS } from '../../support/guardrails/guardrail-doors.js';
import { createHttpService, type HttpService } from '../../support/http-service.js';
import { expectProblem } from '../../support/problem.js';
import { requestText, sendBytes } from '../../support/raw-http.js';

const BODY = { content: 'Good morning.' };
const HOUR_MS = 3_600_000;

/** Every route that takes a key, with a body. */
const JUDGING = {
  '/v1/analyze': BODY,
  '/v1/analyze/batch': { items: [BODY] },
  '/v1/moderations': { input: BODY.content },
  '/v1alpha1/comments:analyze': { comment: { text: BODY.content }, requestedAttributes: { TOXICITY: {} } },
  '/v1alpha1/comments:suggestscore': {
    comment: { text: BODY.content },
    attributeScores: { TOXICITY: { summaryScore: { value: 1 } } },
  },
  ...Object.fromEntries(
    (['LiteLLM', 'agentgateway, request', 'agentgateway, response', 'Dify, input', 'Portkey'] as const).map((name) => [
      DOORS[name].url,
      DOORS[name].bodyOf(BODY.content),
    ]),
  ),
};

describe('authentication', () => {
  it('refuses a missing, malformed, unknown, revoked or expired key with one and the same answer', async () => {
    const analyzer = createFakeAnalyzer();
    let now = Date.now();
    const service = await createHttpService({ analyzer, now: () => new Date(now) });
    const revoked = await service.createKey();
    await service.store.revoke(revoked.record.id);
    const expired = await service.createKey({ expiresInMs: HOUR_MS });
    now += 2 * HOUR_MS;
    const mistyped = service.key.slice(0, -1) + (service.key.endsWith('a') ? 'b' : 'a');

    const presented: (string | string[] | undefined)[] = [
      undefined,
      '',
      'x',
      `Bearer ${service.key}`,
      mistyped,
      service.key.toUpperCase(),
      `${service.key},${service.key}`,
      [service.key, service.key],
      'x'.repeat(8_000),
      createKeySecret('live').key,
      createKeySecret('test').key,
      revoked.key,
      expired.key,
    ];
    const bodies = new Set<string>();
    const headerNames = new Set<string>();
    for (const each of presented) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/analyze',
        payload: BODY,
        headers: each === undefined ? {} : { 'x-api-key': each },
      });
      const { requestId } = expectProblem(answer, 'unauthorized');
      expect(answer.headers['www-authenticate']).toBe('ApiKey realm="parapet", Bearer realm="parapet"');
      bodies.add(answer.body.replace(requestId, ''));
      headerNames.add(JSON.stringify({ ...answer.headers, 'x-request-id': '', date: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(headerNames.size).toBe(1);
    expect(analyzer.texts).toEqual([]);
  });

  it('counts the refusals by reason, for the operator alone', async () => {
    const { app, metricsText } = await createHttpService();
    const refused = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/v1/analyze', headers });
    await refused({});
    await refused({ 'x-api-key': 'nonsense' });
    await refused({ 'x-api-key': createKeySecret('live').key });
    const text = await metricsText();
    for (const reason of ['missing', 'malformed', 'unknown']) {
      expect(text).toContain(`parapet_key_refusals_total{reason="${reason}"} 1`);
    }
  });

  it('refuses without a key whatever else is wrong with the request', async () => {
    const { app } = await createHttpService({ analyzer: null });
    for (const payload of ['{', 'x'.repeat(300_000), '']) {
      const headers = { 'content-type': 'text/plain' };
      const answer = await app.inject({ method: 'POST', url: '/v1/analyze?details=7', payload, headers });
      expectProblem(answer, 'unauthorized');
    }
  });

  it('takes live and test keys, and the name of the header in any case', async () => {
    const { app, createKey } = await createHttpService();
    for (const environment of ['live', 'test'] as const) {
      const { key } = await createKey({ environment });
      const headers = { 'X-API-KEY': key };
      expect((await app.inject({ method: 'POST', url: '/v1/analyze', payload: BODY, headers })).statusCode).toBe(200);
    }
  });

  it('takes no key from the query, a cookie or another scheme of Authorization', async () => {
    const { app, key } = await createHttpService();
    const url = `/v1/analyze?api_key=${key}&x-api-key=${key}&access_token=${key}`;
    for (const authorization of [
      key,
      `Basic ${key}`,
      `Bearer${key}`,
      `Token ${key}`,
      `Bearer ${key}x`,
      'Bearer ',
      '',
    ]) {
      const headers = { authorization, cookie: `x-api-key=${key}` };
      expectProblem(await app.inject({ method: 'POST', url, payload: BODY, headers }), 'unauthorized');
    }
  });

  describe.each(Object.entries(JUDGING))('%s', (url, payload) => {
    async function statusesOf(service: HttpService, ...presented: IncomingHttpHeaders[]): Promise<number[]> {
      const statuses: number[] = [];
      for (const headers of presented) {
        const answer = await service.app.inject({ method: 'POST', url, payload, headers });
        statuses.push(answer.statusCode);
        if (answer.statusCode === 401) expect(answer.headers['www-authenticate']).toContain('Bearer realm="parapet"');
      }
      return statuses;
    }

    it('takes the key as a bearer token, as in X-API-Key', async () => {
      const service = await createHttpService();
      const { key } = service;
      const ways = [{ authorization: `Bearer ${key}` }, { authorization: `bearer  ${key}` }, { 'x-api-key': key }];
      expect(await statusesOf(service, ...ways)).toEqual([200, 200, 200]);
      expect(await statusesOf(service, { authorization: `Bearer ${key}`, 'x-api-key': '' })).toEqual([200]);
    });

    it('refuses a revoked key that comes as a bearer token', async () => {
      const service = await createHttpService();
      const { key, record } = await service.createKey();
      const bearer = { authorization: `Bearer ${key}` };
      expect(await statusesOf(service, bearer)).toEqual([200]);
      await service.store.revoke(record.id);
      expect(await statusesOf(service, bearer, { ...bearer, 'x-api-key': service.key })).toEqual([401, 401]);
    });

    it('refuses two different keys of this service, and judges for neither', async () => {
      const analyzer = createFakeAnalyzer();
      const service = await createHttpService({ analyzer });
      const { key: other } = await service.createKey({ project: 'other' });
      const { key } = service;
      const unknown = createKeySecret('test').key;
      for (const [first, second] of [
        [key, other],
        [other, key],
        [key, unknown],
        [unknown, key],
        [key, `${key}x`],
        ['nonsense', key],
        [key, 'sk_live_'],
      ] as const) {
        expect(await statusesOf(service, { 'x-api-key': first, authorization: `Bearer ${second}` })).toEqual([401]);
      }
      expect(analyzer.texts).toEqual([]);
    });

    it('takes the same key in both places, and lets a token for a gateway in between be', async () => {
      const service = await createHttpService();
      const { key } = service;
      const others = ['Bearer eyJhbGciOiJub25lIn0.e30.', 'Basic dTpw', `Bearer ${key}`, 'Bearer', ''];
      const heads = others.map((authorization) => ({ authorization, 'x-api-key': key }));
      expect(await statusesOf(service, ...heads)).toEqual(others.map(() => 200));
    });
  });

  it('refuses an Authorization that is there twice, of which Node would keep the first', async () => {
    const service = await createHttpService();
    const port = await service.listen();
    const other = (await service.createKey()).key;
    const ask = (...lines: string[]) =>
      sendBytes(
        port,
        requestText(
          'POST',
          '/v1/analyze',
          { 'Content-Type': 'application/json', Connection: 'close' },
          JSON.stringify(BODY),
        ).replace('\r\n', `\r\n${lines.map((line) => `${line}\r\n`).join('')}`),
      );
    const [mine, theirs] = [service.key, other].map((key) => `Authorization: Bearer ${key}`);
    expect((await ask(mine ?? '')).status).toBe(200);
    expectProblem(await ask(mine ?? '', theirs ?? ''), 'unauthorized');
    expectProblem(await ask(mine ?? '', mine ?? ''), 'unauthorized');
    expectProblem(await ask(`X-API-Key: ${service.key}`, mine ?? '', theirs ?? ''), 'unauthorized');
  });

  it('takes the old key no more, and the new one at once, after a rotation', async () => {
    const { analyze, keysFile, key, record } = await createHttpService();
    const rotated = await openFileStore(keysFile).keys.rotate(record.id);
    expectProblem(await analyze(BODY, { headers: { 'x-api-key': key } }), 'unauthorized');
    expect((await analyze(BODY, { headers: { 'x-api-key': rotated.key } })).statusCode).toBe(200);
  });

  it('lets nobody in while the key file is damaged, says so, and lets keys in again when it is whole', async () => {
    const { analyze, keysFile } = await createHttpService();
    const whole = readFileSync(keysFile, 'utf8');
    writeFileSync(keysFile, whole.slice(0, -10));
    const { detail } = expectProblem(await analyze(BODY), 'keys_unavailable');
    expect(detail).not.toContain(keysFile);
    writeFileSync(keysFile, whole);
    expect((await analyze(BODY)).statusCode).toBe(200);
  });
});
