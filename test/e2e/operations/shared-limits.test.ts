/** Limits of several servers as callers and operators meet them: over real connections, with a real Redis that comes and goes. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKey, eventually, health, metric, outcomeOf, post, startService } from '../../support/service.js';
import { KIND } from '../../support/texts.js';
import { hasValkey, startValkey } from '../../support/servers/valkey.js';

describe.skipIf(!hasValkey)('limits of several servers', () => {
  it('are one, as every header says, and while Redis hangs each server answers and counts alone', async () => {
    const valkey = await startValkey();
    onTestFinished(() => valkey.kill());
    const first = await startService({ VALKEY_URL: valkey.url, METRICS: 'public' });
    const second = await startService({ VALKEY_URL: valkey.url, KEYS_FILE: first.keysFile });
    const addresses = [first.address, second.address, first.address, second.address] as const;
    const { key } = await createKey(first.keysFile, { rateLimitPerMinute: 3 });

    const answers = [];
    for (const address of addresses) answers.push(await post({ address, key }, KIND));
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, ''))).toEqual(
      [2, 1, 0, 0].map((left) => `"per-key";r=${left};`),
    );
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(20);
    expect(await Promise.all(answers.map(outcomeOf))).toEqual(['200', '200', '200', '429 rate_limited']);
    expect(await metric(first.address, 'parapet_shared_limits_away')).toBe(0);

    valkey.freeze();
    const others = await createKey(first.keysFile);
    const untilAwayIs = (wanted: number): Promise<number> =>
      eventually(
        async () => {
          expect(await outcomeOf(await post({ address: first.address, key: others.key }, KIND))).toBe('200');
          return metric(first.address, 'parapet_shared_limits_away');
        },
        (isAway) => isAway === wanted,
      );
    await untilAwayIs(1);
    expect(await metric(first.address, 'parapet_limits_counted_alone_total')).toBeGreaterThan(0);
    expect(await health(first.address)).toEqual({ code: 200, status: 'healthy' });
    await first.line(/rate limits are not shared/);
    expect(first.lines.filter((line) => line.includes('rate limits are not shared'))).toHaveLength(1);
    valkey.thaw();
    await untilAwayIs(0);
    await first.line(/rate limits are shared again/);
    expect(await outcomeOf(await post({ address: first.address, key }, KIND))).toBe('429 rate_limited');
    expect(await first.stop()).toEqual({ code: 0, stderr: '' });
  });
});
