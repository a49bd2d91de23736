import { describe, expect, it } from 'vitest';
import { createKey, eventually, keysCommand, outcomeOf, post, startService } from '../../support/service.js';
import { KIND } from '../../support/texts.js';

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
});
