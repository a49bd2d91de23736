/** Limits as an operator sets them, by flag and by environment variable, and as callers meet them over a real connection. */
import { describe, expect, it } from 'vitest';
import { batchResponse } from '../../src/http/routes/batch-schemas.js';
import { createKey, outcomeOf, startService } from '../support/service.js';
import { harmlessText, KIND } from '../support/texts.js';

function ask(address: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${address}/v1/analyze`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ content: KIND }),
  });
}

describe('limits', () => {
  it('are those of the settings, and of a key its own, and count addresses as the proxy of TRUST_PROXY saw them', async () => {
    const settings = { RATE_LIMIT_PER_MINUTE: '500', FAILED_KEYS_PER_MINUTE: '1', TRUST_PROXY: 'loopback' };
    const { address, key, keysFile } = await startService(settings);
    const limited = await createKey(keysFile, { rateLimitPerMinute: 1 });
    const answers = [
      await ask(address, { 'x-api-key': limited.key }),
      await ask(address, { 'x-api-key': limited.key }),
    ];
    for (const { headers } of answers) {
      // Structured fields, as draft-ietf-httpapi-ratelimit-headers (versions 8 to 10) has them.
      expect(headers.get('ratelimit-policy')).toBe('"per-key";q=1;w=60');
      expect(headers.get('ratelimit')).toMatch(/^"per-key";r=0;t=\d+$/);
    }
    expect(await Promise.all(answers.map(outcomeOf))).toEqual(['200', '429 rate_limited']);
    expect(Number(answers[1]?.headers.get('retry-after'))).toBeGreaterThan(20);
    expect((await ask(address, { 'x-api-key': key })).headers.get('ratelimit-policy')).toBe('"per-key";q=500;w=60');

    const from = async (client: string, presented = 'wrong'): Promise<string> =>
      outcomeOf(await ask(address, { 'x-api-key': presented, 'x-forwarded-for': client }));
    expect(await from('198.51.100.1')).toBe('401 unauthorized');
    expect(await from('198.51.100.1')).toBe('429 too_many_failures');
    expect(await from('198.51.100.2')).toBe('401 unauthorized');
    expect(await from('198.51.100.1', key)).toBe('200');
  });

  it('of a body are told to a client that sends twenty times as much before it reads an answer', async () => {
    const { address, key } = await startService({ INFERENCE_THREADS: '1' });
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    // Several times: whether a reset overtakes the answer is a matter of luck.
    for (let count = 0; count < 20; count += 1) {
      const body = Buffer.alloc(5_000_000, 'x');
      expect(await outcomeOf(await fetch(`${address}/v1/analyze`, { method: 'POST', headers, body }))).toBe(
        '413 body_too_large',
      );
    }
  });

  it('of the time for an answer end what is left of a batch, and not the process', async () => {
    const service = await startService({ INFERENCE_THREADS: '1', ANSWER_TIMEOUT_SECONDS: '1' });
    const items = Array.from({ length: 60 }, (_, index) => ({ content: harmlessText(10_000, `${index}`) }));
    const response = await fetch(`${service.address}/v1/analyze/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.key },
      body: JSON.stringify({ items }),
    });
    expect(response.status).toBe(200);
    const { results } = batchResponse.parse(await response.json());
    expect(results).toHaveLength(60);
    const problems = results.flatMap((result) => ('problem' in result ? [result.problem.code] : []));
    expect(problems.length).toBeGreaterThan(0);
    expect(new Set(problems)).toEqual(new Set(['answer_timeout']));
    expect(await service.stop()).toEqual({ code: 0, stderr: '' });
  });
});
