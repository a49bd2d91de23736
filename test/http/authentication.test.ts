/** Promises about API keys at the interface: who is let in, and that a refusal tells nobody anything. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createKeySecret } from '../../src/keys/key-format.js';
import { createKeyStore } from '../../src/keys/key-store.js';
import { createFakeAnalyzer } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';

const BODY = { content: 'Good morning.' };
const HOUR_MS = 3_600_000;

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
      expect(answer.headers['www-authenticate']).toBe('ApiKey realm="parapet"');
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

  it('takes no key from the query or from Authorization', async () => {
    const { app, key } = await createHttpService();
    const url = `/v1/analyze?api_key=${key}&x-api-key=${key}`;
    const headers = { authorization: `Bearer ${key}` };
    expectProblem(await app.inject({ method: 'POST', url, payload: BODY, headers }), 'unauthorized');
  });

  it('refuses a key from the first request after another store has revoked it', async () => {
    const { analyze, keysFile, createKey } = await createHttpService();
    for (let round = 0; round < 5; round += 1) {
      const { key, record } = await createKey();
      const headers = { 'x-api-key': key };
      expect((await analyze(BODY, { headers })).statusCode).toBe(200);
      await createKeyStore({ file: keysFile }).revoke(record.id);
      expectProblem(await analyze(BODY, { headers }), 'unauthorized');
    }
    expect((await analyze(BODY)).statusCode).toBe(200);
  });

  it('does so also in a file of too many keys to be read at once, and answers those of the others', async () => {
    const { analyze, keysFile, createKey, record } = await createHttpService();
    const others = Array.from({ length: 3000 }, (_, index) => ({
      ...record,
      id: `key_other_${index}`,
      hash: index.toString(16).padStart(64, '0'),
    }));
    const mine = await createKey();
    writeFileSync(keysFile, JSON.stringify({ version: 1, keys: [...others, record, mine.record] }));
    const headers = { 'x-api-key': mine.key };
    const answers = await Promise.all([analyze(BODY), analyze(BODY, { headers }), analyze(BODY)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    await createKeyStore({ file: keysFile }).revoke(mine.record.id);
    const [refused, answered] = await Promise.all([analyze(BODY, { headers }), analyze(BODY)]);
    expectProblem(refused, 'unauthorized');
    expect(answered.statusCode).toBe(200);
  });

  it('takes the old key no more, and the new one at once, after a rotation', async () => {
    const { analyze, keysFile, key, record } = await createHttpService();
    const rotated = await createKeyStore({ file: keysFile }).rotate(record.id);
    expectProblem(await analyze(BODY, { headers: { 'x-api-key': key } }), 'unauthorized');
    expect((await analyze(BODY, { headers: { 'x-api-key': rotated.key } })).statusCode).toBe(200);
  });

  it('lets nobody in while the key file is damaged, says so, and lets keys in again when it is whole', async () => {
    const { analyze, keysFile, store } = await createHttpService();
    const whole = JSON.stringify({ version: 1, keys: store.list() });
    writeFileSync(keysFile, whole.slice(0, -10));
    const { detail } = expectProblem(await analyze(BODY), 'keys_unavailable');
    expect(detail).not.toContain(keysFile);
    writeFileSync(keysFile, whole);
    expect((await analyze(BODY)).statusCode).toBe(200);
  });
});
