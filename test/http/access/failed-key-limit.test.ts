/** What a client meets that goes on without a valid key, and what others behind the same address or proxy notice of it. */
import { describe, expect, it } from 'vitest';
import { createHttpService, type HttpService } from '../../support/http-service.js';
import { expectProblem } from '../../support/problem.js';

const BODY = { content: 'Good morning.' };
const MALFORMED = 'x';
const UNKNOWN = ['sk', 'live', 'A'.repeat(43)].join('_');

function askedWith(service: HttpService, key: string, { from = '192.0.2.1', forwardedFor = '' } = {}) {
  const headers = { 'x-api-key': key, ...(forwardedFor !== '' && { 'x-forwarded-for': forwardedFor }) };
  return service.analyze(BODY, { headers, remoteAddress: from });
}

describe('requests without a valid key', () => {
  it('are refused with 429 beyond the limit of their address, and say when to come again', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 2 });
    expectProblem(await askedWith(service, UNKNOWN), 'unauthorized');
    expectProblem(await askedWith(service, MALFORMED), 'unauthorized');
    const refused = await askedWith(service, UNKNOWN);
    expectProblem(refused, 'too_many_failures');
    expect(Number(refused.headers['retry-after'])).toBe(60);
    expectProblem(await askedWith(service, UNKNOWN, { from: '192.0.2.2' }), 'unauthorized');
  });

  it('never hold up a valid key from the same address', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 1 });
    for (let request = 0; request < 5; request += 1) await askedWith(service, UNKNOWN);
    expect((await askedWith(service, service.key)).statusCode).toBe(200);
  });

  it('beyond the limit still do not tell a revoked key from an unknown or a malformed one', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 1 });
    const { key, record } = await service.createKey();
    await service.store.revoke(record.id);
    await askedWith(service, UNKNOWN);
    const bodies: Record<string, unknown>[] = [];
    for (const presented of [key, UNKNOWN, MALFORMED, '']) {
      const answer = await askedWith(service, presented);
      bodies.push({ ...answer.json<Record<string, unknown>>(), requestId: '' });
    }
    expect(bodies).toEqual(bodies.map(() => bodies[0]));
  });

  it('count by network for IPv6, and by IPv4 address where that is wrapped in IPv6', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 1 });
    expectProblem(await askedWith(service, UNKNOWN, { from: '2001:db8:1:2::1' }), 'unauthorized');
    expectProblem(await askedWith(service, UNKNOWN, { from: '2001:db8:1:2:ffff::9' }), 'too_many_failures');
    expectProblem(await askedWith(service, UNKNOWN, { from: '2001:db8:1:3::1' }), 'unauthorized');
    expectProblem(await askedWith(service, UNKNOWN, { from: '::ffff:192.0.2.7' }), 'unauthorized');
    expectProblem(await askedWith(service, UNKNOWN, { from: '192.0.2.7' }), 'too_many_failures');
    expectProblem(await askedWith(service, UNKNOWN, { from: '::ffff:192.0.2.8' }), 'unauthorized');
  });

  it('are not limited where the limit is 0', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 0 });
    for (let request = 0; request < 20; request += 1) expectProblem(await askedWith(service, UNKNOWN), 'unauthorized');
  });
});

describe('the address of a client', () => {
  it('is that of the connection where no proxy is trusted, whatever X-Forwarded-For says', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 1 });
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: '198.51.100.1' }), 'unauthorized');
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: '198.51.100.2' }), 'too_many_failures');
  });

  it.each([
    ['a trusted proxy', ['192.0.2.1'], '198.51.100.9'],
    ['the first of two trusted proxies', ['192.0.2.0/24'], '198.51.100.9, 192.0.2.50'],
  ])('is what %s saw, and no client can choose it', async (_name, trustedProxies, seen) => {
    const service = await createHttpService({ failedKeysPerMinute: 1, trustedProxies });
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: `203.0.113.1, ${seen}` }), 'unauthorized');
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: `203.0.113.2, ${seen}` }), 'too_many_failures');
    const other = seen.replace('198.51.100.9', '198.51.100.10');
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: `203.0.113.1, ${other}` }), 'unauthorized');
  });

  it('may be nonsense: all such clients share one limit', async () => {
    const service = await createHttpService({ failedKeysPerMinute: 1, trustedProxies: ['192.0.2.1'] });
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: 'nobody' }), 'unauthorized');
    expectProblem(await askedWith(service, UNKNOWN, { forwardedFor: '999.1.1.1' }), 'too_many_failures');
  });
});
