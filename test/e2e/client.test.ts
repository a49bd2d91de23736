/** The TypeScript client against the built service and the real model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ParapetClient } from '../../clients/typescript/src/parapet-client.js';
import { startService, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const cleanUps: (() => unknown)[] = [];
let service: ReadyService;
let parapet: ParapetClient;

beforeAll(async () => {
  service = await startService({}, (clean) => cleanUps.unshift(clean));
  parapet = new ParapetClient({ baseUrl: service.address, apiKey: service.key });
});
afterAll(async () => {
  for (const clean of cleanUps) await clean();
});

describe('the TypeScript client', () => {
  it('gets verdicts, details and health', async () => {
    expect(await parapet.analyze(KIND)).toMatchObject({ passed: true });
    const { passed, details } = await parapet.analyze(TOXIC, { details: true });
    expect(passed).toBe(false);
    expect(details.spans.length).toBeGreaterThan(0);
    expect(await parapet.health()).toMatchObject({ status: 'healthy' });
  });

  it('gets a result for each item of a batch', async () => {
    const results = await parapet.analyzeBatch([{ content: KIND, id: 'kind' }, { content: '' }, { content: TOXIC }]);
    const outcomes = results.map((result) => ('verdict' in result ? result.verdict.passed : result.problem.code));
    expect(outcomes).toEqual([true, 'invalid_body', false]);
    expect(results[0]?.id).toBe('kind');
  });

  it('throws the problem of a refused request', async () => {
    const mistyped = new ParapetClient({ baseUrl: service.address, apiKey: `${service.key}x` });
    await expect(mistyped.analyze(KIND)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('waits as Retry-After says where the rate limit is reached, and is then answered', async () => {
    const limited = await startService({ RATE_LIMIT_PER_MINUTE: '30' });
    const statuses: number[] = [];
    const watched: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      statuses.push(response.status);
      return response;
    };
    const client = new ParapetClient({ baseUrl: limited.address, apiKey: limited.key, fetch: watched });
    // Far more calls than the limit allows at once: one of them is refused first.
    while (!statuses.includes(429)) expect(await client.analyze(KIND)).toMatchObject({ passed: true });
    expect(statuses.at(-1)).toBe(200);
  });
});
