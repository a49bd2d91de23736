/** SHARED_CACHE as operators meet it: what one server judged the other knows, and nothing of a text lies in between. */
import { Redis } from 'iovalkey';
import { describe, expect, it, onTestFinished } from 'vitest';
import { analyze, analyzeInDetail, metric, startService } from '../../support/service.js';
import { TOXIC } from '../../support/texts.js';
import { hasValkey, startValkey } from '../../support/servers/valkey.js';

describe.skipIf(!hasValkey)('a cache that servers share', () => {
  it('spares the second server what the first has judged, holds hashes and numbers for an hour, and is not needed', async () => {
    const valkey = await startValkey();
    onTestFinished(() => valkey.kill());
    const settings = { VALKEY_URL: valkey.url, SHARED_CACHE: 'on', METRICS: 'public' };
    const first = await startService(settings);
    const second = await startService({ ...settings, KEYS_FILE: first.keysFile });
    const target = { address: second.address, key: first.key };

    const judged = await analyze(first, TOXIC);
    expect(await analyze(target, TOXIC)).toEqual({ ...judged, processingTimeMs: expect.any(Number) as number });
    expect(await metric(second.address, 'parapet_shared_cache_hits_total')).toBe(1);
    // The text that is judged before the service is healthy.
    expect(await metric(second.address, 'parapet_cache_misses_total')).toBe(1);
    expect((await analyzeInDetail(target, TOXIC)).score).toBe(judged.score);
    expect(await metric(second.address, 'parapet_cache_misses_total')).toBe(2);

    const client = new Redis(valkey.url);
    onTestFinished(() => client.disconnect());
    const names = (await client.keys('*')).filter((name) => !name.startsWith('parapet:key:'));
    expect(names).toEqual([expect.stringMatching(/^parapet:text:[\w+/]{43}=$/)]);
    expect(await client.get(names[0] ?? '')).toMatch(/^\[[-\d.e,]+\]$/);
    expect(await client.ttl(names[0] ?? '')).toBeGreaterThan(3500);

    valkey.freeze();
    expect((await analyze(target, `${TOXIC} Again.`)).passed).toBe(false);
    expect(await second.stop()).toEqual({ code: 0, stderr: '' });
  });
});
