import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  analyze,
  createKey,
  eventually,
  health,
  keysCommand,
  outcomeOf,
  post,
  startService,
} from '../support/service.js';
import { KIND } from '../support/texts.js';

describe('keys of a running service', () => {
  it('are refused, once revoked, from the first request that starts after the command returned', async () => {
    const service = await startService({ RATE_LIMIT_PER_MINUTE: '0' });
    const other = await createKey(service.keysFile);
    let revoked = false;
    const after: string[] = [];
    const before: string[] = [];
    const hammer = async (): Promise<void> => {
      for (let count = 0; count < 50; count += revoked ? 1 : 0) {
        const startedAfter = revoked;
        const outcome = await outcomeOf(await post(service, KIND));
        (startedAfter ? after : before).push(outcome);
      }
    };
    const clients = Array.from({ length: 6 }, hammer);
    await eventually(
      () => post({ ...service, key: other.key }, KIND),
      () => before.length >= 200,
    );
    await keysCommand(service.keysFile, 'revoke', service.keyId);
    revoked = true;
    await Promise.all(clients);
    expect(new Set(after)).toEqual(new Set(['401 unauthorized']));
    expect(after.length).toBeGreaterThanOrEqual(6 * 49);
    // While the command runs the key may fail already; nothing else may happen to a request.
    expect(before.filter((outcome) => outcome !== '200' && outcome !== '401 unauthorized')).toEqual([]);
    expect(before.slice(0, 200)).toEqual(Array<string>(200).fill('200'));
    expect(await outcomeOf(await post({ ...service, key: other.key }, KIND))).toBe('200');
  });

  it('work until they expire, and not longer', async () => {
    const service = await startService();
    const { key } = await createKey(service.keysFile, '--expires-in', '2s');
    const createdAt = Date.now();
    expect(await outcomeOf(await post({ ...service, key }, KIND))).toBe('200');
    const outcomes = new Set<string>();
    await eventually(
      async () => outcomeOf(await post({ ...service, key }, KIND)),
      (outcome) => {
        outcomes.add(outcome);
        return outcome !== '200';
      },
    );
    expect([...outcomes]).toEqual(['200', '401 unauthorized']);
    expect(Date.now() - createdAt).toBeLessThan(10_000);
  });

  it('of every kind that does not count get one and the same answer', async () => {
    const service = await startService();
    const revoked = await createKey(service.keysFile);
    await keysCommand(service.keysFile, 'revoke', revoked.id);
    const mistyped = service.key.slice(0, -1) + (service.key.endsWith('a') ? 'b' : 'a');
    const bodies = await Promise.all(
      [revoked.key, mistyped, 'nonsense', ''].map(async (key) => {
        const response = await post({ ...service, key }, KIND);
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).not.toBeNull();
        return (await response.text()).replace(/"requestId":"[^"]*"/, '');
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it('cannot be checked while their file is damaged: nobody gets in, health says so, and all is well once it is restored', async () => {
    const service = await startService();
    const whole = readFileSync(service.keysFile);
    writeFileSync(service.keysFile, '{ damaged');
    const refused = await post(service, KIND);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await outcomeOf(refused)).toBe('503 keys_unavailable');
    expect(await health(service.address)).toEqual({ code: 503, status: 'unhealthy' });
    expect(readFileSync(service.keysFile, 'utf8')).toBe('{ damaged');
    writeFileSync(service.keysFile, whole);
    expect(await analyze(service, KIND)).toMatchObject({ passed: true });
    expect(await health(service.address)).toEqual({ code: 200, status: 'healthy' });
  });
});
